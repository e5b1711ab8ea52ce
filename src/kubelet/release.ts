/*
 * The differences between the kubelets of Kubernetes' minor releases: each is one row of a table, which the ported function
 * reads that it changes. No other file compares releases. difference-texts.ts describes the rows.
 */

import { omitUndefined } from '../api/index.js';

/** Minor releases whose kubelet kprobe plays, oldest first. */
export const KUBERNETES_RELEASES = ['1.32', '1.33', '1.34', '1.35', '1.36', '1.37'] as const;

export type KubernetesRelease = (typeof KUBERNETES_RELEASES)[number];

/** Release that is played unless another one is named. */
export const DEFAULT_RELEASE: KubernetesRelease = '1.36';

/** A kubelet: its version, and the settings that differ from the defaults. */
export interface KubeletConfig {
  /** Version, such as `1.36`, or `1.36.1` for a patch release that behaves differently. */
  readonly version: string;
  readonly featureGates?: FeatureGates | undefined;
  /** crashLoopBackOff.maxContainerRestartPeriod in seconds. */
  readonly maxContainerRestartPeriod?: number | undefined;
}

/** Gates that are set, by name. */
export type FeatureGates = Readonly<Record<string, boolean>>;

export interface Difference {
  /** First release that behaves so by default; none does when absent. */
  readonly since?: KubernetesRelease;
  /** First release that behaves as before again. */
  readonly until?: KubernetesRelease;
  /** Patch releases between them that behave as before. */
  readonly except?: readonly string[];
  /** Feature gate that brought it, where there is one. */
  readonly gate?: string;
  /** First release in which the gate brings it, where earlier ones have the gate too. */
  readonly gateSince?: KubernetesRelease;
  /** Set for a gate that brings back what was before. */
  readonly isReverted?: true;
}

export const DIFFERENCES = {
  failsExecTimeouts: { since: '1.32', gate: 'ExecProbeTimeout' },
  errorNamesState: { since: '1.33' },
  phaseByActiveContainers: { since: '1.33' },
  keepsSidecarWorkers: { since: '1.33' },
  ignoresPartialMessage: { since: '1.33' },
  backOffByResources: { since: '1.34' },
  namesDecompressionStep: { since: '1.34' },
  observesGeneration: { since: '1.34', gate: 'PodObservedGenerationTracking' },
  shortContainerEvents: { since: '1.35' },
  verifiesImageAccess: { since: '1.35', gate: 'KubeletEnsureSecretPulledImages' },
  requeuesAtBackOffEnd: { since: '1.35' },
  keepsResultsOnRestart: {
    since: '1.35',
    gate: 'ChangeContainerStatusOnKubeletRestart',
    isReverted: true,
  },
  restartRules: { since: '1.35', gate: 'ContainerRestartRules' },
  sidecarsWait: { since: '1.35', gate: 'ContainerRestartRules' },
  workersEndByExitCode: { since: '1.35', gate: 'ContainerRestartRules', gateSince: '1.35' },
  cancelsProbesOfEndingPod: {
    since: '1.35',
    until: '1.37',
    except: ['1.36.0', '1.36.1', '1.36.2'],
  },
  limitsBackOff: { since: '1.35', gate: 'KubeletCrashLoopBackOffMax' },
  reducesBackOff: { gate: 'ReduceDefaultCrashLoopBackOffDecay' },
  restartsAllContainers: { since: '1.36', gate: 'RestartAllContainersOnContainerExits' },
  relistsAfterSync: { since: '1.36', gate: 'PLEGOnDemandRelist' },
  readyToStartBeforePull: { since: '1.36' },
  startsAllAtOnce: { since: '1.36' },
  keepsLastState: {
    since: '1.36',
    gate: 'RestartAllContainersOnContainerExits',
    gateSince: '1.36',
  },
  keepsRestartCount: { since: '1.36', gate: 'RestartAllContainersOnContainerExits' },
  completesLostInit: { since: '1.36' },
  readsGRPCWithAnyStatus: { since: '1.36' },
  namesCardinality: { since: '1.36' },
  startsMissingWorkers: { since: '1.37' },
  portsByNameOnly: { since: '1.37' },
  namesSandboxReason: { since: '1.37' },
  initializesEachSandbox: { since: '1.37' },
  quotesForeignResponse: { since: '1.37' },
  namesOnlyReadError: { since: '1.37' },
  countsUnavailableReplicas: { since: '1.37', gate: 'MaxUnavailableStatefulSet' },
  probesHTTP2: { gate: 'H2CContainerProbe' },
  probesGRPCOverTLS: { gate: 'GRPCContainerProbeTLS' },
  updatesProbes: { gate: 'MutableContainerProbes' },
} as const satisfies Readonly<Record<string, Difference>>;

/** Gates of a release that is not out: kprobe previews them on the releases that it plays, as their proposals describe them. */
export const PREVIEWS: Readonly<Record<string, { readonly of: string; readonly kep: string }>> = {
  MutableContainerProbes: { of: '1.38', kep: 'KEP-6318' },
};

/** A kubelet has each of the DIFFERENCES (true), or behaves as before it (false). */
export interface ReleaseBehavior extends Readonly<Record<keyof typeof DIFFERENCES, boolean>> {
  readonly crashLoopBackOff: BackOffLimits;
}

/** The first and the longest delay of a back-off, in milliseconds. */
export interface BackOffLimits {
  readonly initial: number;
  readonly max: number;
}

/** Gates that providers set, by the start of a version's name: GKE enforces timeouts of commands from 1.35 on. */
const PRESETS: Readonly<
  Record<string, { readonly before: KubernetesRelease; readonly featureGates: FeatureGates }>
> = {
  gke: { before: '1.35', featureGates: { ExecProbeTimeout: false } },
};

/** Names of the providers whose settings kprobe knows. */
export const PROVIDERS: readonly string[] = Object.keys(PRESETS);

/** Parses `1.34`, `v1.34.4`, `gke-1.34` or `v1.34.4-gke.100`; undefined for a release that is not played. */
export function kubeletOf(version: string): KubeletConfig | undefined {
  const match = /^(?:([a-z]+)-)?v?(\d+\.\d+)(?:\.\d+)?(?:[-+][\w.+-]+)?$/.exec(version);
  const [, provider, minor] = match ?? [];
  const release = KUBERNETES_RELEASES.find((each) => each === minor);
  const isKnown = provider === undefined || PROVIDERS.includes(provider);
  return release && isKnown ? configured(release, version) : undefined;
}

/** Returns the kubelet that is played for a version: that of the nearest release, or the default one for an empty version. */
export function nearestKubelet(version: string): KubeletConfig {
  return configured(nearestRelease(version), version);
}

/** Patch releases that behave differently from the newest one of their release. */
const OTHER_PATCHES: readonly string[] = Object.values<Difference>(DIFFERENCES).flatMap(
  ({ except = [] }) => except,
);

/** Adds the gates that the provider in a version's name sets; keeps a patch release that behaves differently. */
function configured(minor: KubernetesRelease, version: string): KubeletConfig {
  const patch = /\d+\.\d+\.\d+/.exec(version)?.[0] ?? '';
  const release = OTHER_PATCHES.includes(patch) ? patch : minor;
  const provider = PROVIDERS.find((name) => new RegExp(`\\b${name}\\b`).test(version));
  const preset = provider === undefined ? undefined : PRESETS[provider];
  return preset === undefined || isSince(preset.before, minor)
    ? { version: release }
    : { version: release, featureGates: preset.featureGates };
}

/** Returns the release that a kubelet is played as: the nearest one, or the default one for an empty version. */
export function nearestRelease(version: string): KubernetesRelease {
  const minor = /^v?1\.(\d+)(?:\.|$)/.exec(version)?.[1];
  if (minor === undefined) return DEFAULT_RELEASE;
  const [oldest, ...later] = KUBERNETES_RELEASES;
  return later.findLast((release) => Number(release.slice(2)) <= Number(minor)) ?? oldest;
}

/** Returns a version without its patch release, as User-Agents name it. */
export function minorVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Reports whether a release is a given one or later. */
export function isSince(since: KubernetesRelease, release: KubernetesRelease): boolean {
  return KUBERNETES_RELEASES.indexOf(since) <= KUBERNETES_RELEASES.indexOf(release);
}

/** Returns whether a kubelet behaves as a row says; without a patch release, as the newest one of its release. */
export function hasDifference(
  { since, until, except = [], gate = '', gateSince, isReverted }: Difference,
  { version, featureGates = {} }: KubeletConfig,
): boolean {
  const isSet = featureGates[gate];
  const release = nearestRelease(version);
  if (isSet === true && gateSince !== undefined && !isSince(gateSince, release)) return false;
  if (isSet !== undefined) return isSet !== (isReverted ?? false);
  const isWithin =
    since !== undefined &&
    isSince(since, release) &&
    (until === undefined || !isSince(until, release));
  const patch = /^v?(\d+\.\d+\.\d+)/.exec(version)?.[1];
  return isWithin && (patch === undefined || !except.includes(patch));
}

/** Returns the behavior of a kubelet; a version that is not played behaves as the nearest one. */
export function behaviorOf(kubelet: KubeletConfig): ReleaseBehavior {
  const rows = Object.entries(DIFFERENCES).map(([name, row]) => [
    name,
    hasDifference(row, kubelet),
  ]);
  const differences = Object.fromEntries(rows) as Record<keyof typeof DIFFERENCES, boolean>;
  return { ...differences, crashLoopBackOff: newCrashLoopBackOff(kubelet, differences) };
}

/** Seconds of the longest delay, and of the longest that can be configured (MaxContainerBackOff). */
export const MAX_CONTAINER_BACK_OFF = 300;

/** Seconds without a restart after which a back-off is forgotten, whatever its limits. */
export const BACK_OFF_EXPIRES = 600;

/** Ports newCrashLoopBackOff (pkg/kubelet/kubelet.go), with the default of the longest delay where it can be configured. */
function newCrashLoopBackOff(
  { maxContainerRestartPeriod = MAX_CONTAINER_BACK_OFF }: KubeletConfig,
  { limitsBackOff, reducesBackOff }: Readonly<Record<'limitsBackOff' | 'reducesBackOff', boolean>>,
): BackOffLimits {
  const limits = reducesBackOff
    ? { initial: 1000, max: 60_000 }
    : { initial: 10_000, max: MAX_CONTAINER_BACK_OFF * 1000 };
  if (!limitsBackOff) return limits;
  const max = maxContainerRestartPeriod * 1000;
  return { initial: Math.min(limits.initial, max), max };
}

/** The kubelet that is played by default, and its behavior. */
export const DEFAULT_KUBELET: KubeletConfig = { version: DEFAULT_RELEASE };
export const DEFAULT_BEHAVIOR = behaviorOf(DEFAULT_KUBELET);

export function isDefault({ version, ...settings }: KubeletConfig): boolean {
  return version === DEFAULT_RELEASE && Object.keys(settings).length === 0;
}

/** Returns the kubelet that a line of a trace describes, without the line's other fields. */
export function kubeletConfig({
  version,
  featureGates,
  maxContainerRestartPeriod,
}: KubeletConfig): KubeletConfig {
  return { version, ...omitUndefined({ featureGates, maxContainerRestartPeriod }) };
}

/** Versions of grpc-go, which the User-Agent of gRPC probes names. */
export const GRPC_GO: Readonly<Record<KubernetesRelease, string>> = {
  '1.32': '1.65.0',
  '1.33': '1.68.1',
  '1.34': '1.72.1',
  '1.35': '1.72.2',
  '1.36': '1.79.3',
  '1.37': '1.82.1',
};
