/*
 * Where the kubelets of Kubernetes' minor releases differ: each difference is one row of a table, which the ported function
 * reads that it changes. No other file compares releases. difference-texts.ts describes the rows.
 */

/** Minor releases whose kubelet kprobe plays, oldest first. */
export const KUBERNETES_RELEASES = ['1.32', '1.33', '1.34', '1.35', '1.36', '1.37'] as const;

export type KubernetesRelease = (typeof KUBERNETES_RELEASES)[number];

/** Release that is played unless another one is named. */
export const DEFAULT_RELEASE: KubernetesRelease = '1.36';

export interface Difference {
  /** First release that behaves so. */
  readonly since: KubernetesRelease;
  /** First release that behaves as before again. */
  readonly until?: KubernetesRelease;
  /** Patch releases between them that behave as before. */
  readonly except?: readonly string[];
  /** Feature gate that brought it, where there is one. */
  readonly gate?: string;
}

export const DIFFERENCES = {
  errorNamesState: { since: '1.33' },
  phaseByActiveContainers: { since: '1.33' },
  keepsSidecarWorkers: { since: '1.33' },
  backOffByResources: { since: '1.34' },
  observesGeneration: { since: '1.34', gate: 'PodObservedGenerationTracking' },
  shortContainerEvents: { since: '1.35' },
  verifiesImageAccess: { since: '1.35', gate: 'KubeletEnsureSecretPulledImages' },
  requeuesAtBackOffEnd: { since: '1.35' },
  keepsResultsOnRestart: { since: '1.35', gate: 'ChangeContainerStatusOnKubeletRestart' },
  restartRules: { since: '1.35', gate: 'ContainerRestartRules' },
  workersEndByExitCode: { since: '1.35' },
  cancelsProbesOfEndingPod: {
    since: '1.35',
    until: '1.37',
    except: ['1.36.0', '1.36.1', '1.36.2'],
  },
  restartsAllContainers: { since: '1.36', gate: 'RestartAllContainersOnContainerExits' },
  relistsAfterSync: { since: '1.36', gate: 'PLEGOnDemandRelist' },
  readyToStartBeforePull: { since: '1.36' },
  keepsLastState: { since: '1.36', gate: 'RestartAllContainersOnContainerExits' },
  completesLostInit: { since: '1.36' },
  startsMissingWorkers: { since: '1.37' },
  portsByNameOnly: { since: '1.37' },
  namesSandboxReason: { since: '1.37' },
  initializesEachSandbox: { since: '1.37' },
} as const satisfies Readonly<Record<string, Difference>>;

/** A release has each of the DIFFERENCES (true), or behaves as before it (false). */
export type ReleaseBehavior = Readonly<Record<keyof typeof DIFFERENCES, boolean>>;

/** Returns the release of a version such as `1.34`, `v1.34.4` or `1.34.4-gke.100`; undefined for one that is not played. */
export function releaseOf(version: string): KubernetesRelease | undefined {
  const minor = /^v?(\d+\.\d+)(?:\.|$)/.exec(version)?.[1];
  return KUBERNETES_RELEASES.find((release) => release === minor);
}

/** Returns the release that a kubelet of any version is played as: the nearest one, or the default one without a version. */
export function nearestRelease(version: string): KubernetesRelease {
  const minor = /^v?1\.(\d+)(?:\.|$)/.exec(version)?.[1];
  if (minor === undefined) return DEFAULT_RELEASE;
  const [oldest, ...later] = KUBERNETES_RELEASES;
  return later.findLast((release) => Number(release.slice(2)) <= Number(minor)) ?? oldest;
}

/** Returns the behavior of a version, or of the nearest release. */
export function behaviorOf(version: string): ReleaseBehavior {
  const rows = Object.entries(DIFFERENCES).map(([name, row]) => [
    name,
    hasDifference(row, version),
  ]);
  return Object.fromEntries(rows) as ReleaseBehavior;
}

/** Returns whether a version behaves as a row says; without a patch release, as the newest one of its release. */
export function hasDifference({ since, until, except = [] }: Difference, version: string): boolean {
  const release = KUBERNETES_RELEASES.indexOf(nearestRelease(version));
  const isWithin =
    KUBERNETES_RELEASES.indexOf(since) <= release &&
    (until === undefined || release < KUBERNETES_RELEASES.indexOf(until));
  const patch = /^v?(\d+\.\d+\.\d+)/.exec(version)?.[1];
  return isWithin && (patch === undefined || !except.includes(patch));
}

/** Behavior of the release that is played by default. */
export const DEFAULT_BEHAVIOR = behaviorOf(DEFAULT_RELEASE);

/** Versions of grpc-go, which the User-Agent of gRPC probes names. */
export const GRPC_GO: Readonly<Record<KubernetesRelease, string>> = {
  '1.32': '1.65.0',
  '1.33': '1.68.1',
  '1.34': '1.72.1',
  '1.35': '1.72.2',
  '1.36': '1.79.3',
  '1.37': '1.82.1',
};
