/*
 * Where the kubelets of Kubernetes' minor releases differ: each difference is one row of a table, which the ported function
 * reads that it changes. No other file compares releases. docs/versions.md shows the table.
 */

/** Minor releases whose kubelet kprobe plays, oldest first. */
export const KUBERNETES_RELEASES = ['1.32', '1.33', '1.34', '1.35', '1.36'] as const;

export type KubernetesRelease = (typeof KUBERNETES_RELEASES)[number];

/** Release that is played unless another one is named. */
export const DEFAULT_RELEASE: KubernetesRelease = '1.36';

export interface Difference {
  /** First release that behaves so. */
  readonly since: KubernetesRelease;
  /** Sentences of docs/versions.md: the behavior of that release, and of those before it. */
  readonly now: string;
  readonly before: string;
  /** Feature gate that brought it, where there is one. */
  readonly gate?: string;
  /** File of the kubelet. */
  readonly source: string;
}

export const DIFFERENCES = {
  errorNamesState: {
    since: '1.33',
    now: 'The event of an attempt that errored says `Readiness probe errored and resulted in unknown state: …`.',
    before: '`Readiness probe errored: …`',
    source: 'prober/prober.go',
  },
  phaseByActiveContainers: {
    since: '1.33',
    now: 'A pod whose regular containers run no more, and whose sandbox is new, is Pending until its sidecars have started.',
    before: 'It stays Running once a regular container has ever started.',
    source: 'kubelet_pods.go',
  },
  keepsSidecarWorkers: {
    since: '1.33',
    now: 'Under `restartPolicy: Never` the probes of a sidecar go on after it has ended.',
    before: 'They stop when the sidecar first ends (kubernetes/kubernetes#133072).',
    source: 'prober/worker.go',
  },
  backOffByResources: {
    since: '1.34',
    now: 'New resources of a container end its back-off.',
    before: 'Only a new image does.',
    source: 'kuberuntime/helpers.go',
  },
  observesGeneration: {
    since: '1.34',
    now: 'The pod’s status and its conditions have `observedGeneration`.',
    before: 'They have none.',
    gate: 'PodObservedGenerationTracking',
    source: 'status/status_manager.go',
  },
  shortContainerEvents: {
    since: '1.35',
    now: 'Events say `Container created` and `Container started`.',
    before: '`Created container: NAME` and `Started container NAME`',
    source: 'kuberuntime/kuberuntime_container.go',
  },
  verifiesImageAccess: {
    since: '1.35',
    now: 'The event of an image that is there ends with `and can be accessed by the pod`.',
    before: 'It ends with `already present on machine`.',
    gate: 'KubeletEnsureSecretPulledImages',
    source: 'images/image_manager.go',
  },
  requeuesAtBackOffEnd: {
    since: '1.35',
    now: 'A pod in CrashLoopBackOff is synced again when the back-off ends, or up to half of it later.',
    before:
      'It is synced every 10 – 15 s, with a BackOff event each time, so a restart comes up to 15 s late.',
    source: 'pod_workers.go',
  },
  keepsResultsOnRestart: {
    since: '1.35',
    now: 'A restart of the kubelet keeps the probe results of containers that had started more than 10 s before it.',
    before: 'It resets them: pods become not ready, and startup probes run again.',
    gate: 'ChangeContainerStatusOnKubeletRestart',
    source: 'prober/worker.go',
  },
  restartRules: {
    since: '1.35',
    now: '`restartPolicy` and `restartPolicyRules` of a regular container decide about its restarts.',
    before: 'The fields are dropped; the pod’s restartPolicy decides.',
    gate: 'ContainerRestartRules',
    source: 'container/helpers.go',
  },
  workersEndByExitCode: {
    since: '1.35',
    now: 'The probes of a container stop when its exit code means that it is not started again.',
    before: 'They stop when it ends under `restartPolicy: Never`, and go on under OnFailure.',
    source: 'prober/worker.go',
  },
  restartsAllContainers: {
    since: '1.36',
    now: 'The action RestartAllContainers of a restart rule restarts the whole pod in place.',
    before: 'It has no effect.',
    gate: 'RestartAllContainersOnContainerExits',
    source: 'kuberuntime/kuberuntime_manager.go',
  },
  relistsAfterSync: {
    since: '1.36',
    now: 'A sync that changed something is followed by a relist of the pod at once.',
    before: 'Changes show at the next relist of the node, up to 1 s later.',
    gate: 'PLEGOnDemandRelist',
    source: 'pleg/generic.go',
  },
  readyToStartBeforePull: {
    since: '1.36',
    now: 'PodReadyToStartContainers is True as soon as there is a sandbox.',
    before: 'It is True after the sync in which images are pulled and containers are started.',
    source: 'kubelet.go',
  },
  keepsLastState: {
    since: '1.36',
    now: 'The last state of a container stays when the runtime has removed the container that it is of.',
    before: 'It goes with that container.',
    gate: 'RestartAllContainersOnContainerExits',
    source: 'kubelet_pods.go',
  },
  completesLostInit: {
    since: '1.36',
    now: 'An init container that the runtime has lost counts as completed once the pod has been initialized.',
    before: 'It waits with the reason PodInitializing.',
    source: 'kubelet_pods.go',
  },
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

/** Returns the behavior of a version's release, or of the nearest one. */
export function behaviorOf(version: string): ReleaseBehavior {
  const release = KUBERNETES_RELEASES.indexOf(nearestRelease(version));
  const rows = Object.entries<Difference>(DIFFERENCES).map(([name, { since }]) => [
    name,
    KUBERNETES_RELEASES.indexOf(since) <= release,
  ]);
  return Object.fromEntries(rows) as ReleaseBehavior;
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
};
