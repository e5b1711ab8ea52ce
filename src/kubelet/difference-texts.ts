import type { DIFFERENCES } from './release.js';

export interface DifferenceText {
  /** Sentences: what the kubelet does from that release on, and what it did before. */
  readonly now: string;
  readonly before: string;
  /** File of the kubelet. */
  readonly source: string;
}

/**
 * Describes each difference. docs/versions.md shows them, and `kprobe diff` and `lint` those that concern a pod, in either
 * order: where they do, each text names what it is about.
 */
export const DIFFERENCE_TEXTS: Readonly<Record<keyof typeof DIFFERENCES, DifferenceText>> = {
  failsExecTimeouts: {
    now: 'A probe whose command takes longer than timeoutSeconds fails.',
    before: 'The attempt errors, and its result is dropped: timeouts of commands have no effect.',
    source: '../probe/exec/exec.go',
  },
  errorNamesState: {
    now: 'The event of an attempt that errored says `Readiness probe errored and resulted in unknown state: …`.',
    before: '`Readiness probe errored: …`',
    source: 'prober/prober.go',
  },
  phaseByActiveContainers: {
    now: 'A pod whose regular containers run no more, and whose sandbox is new, is Pending until its sidecars have started.',
    before: 'It stays Running once a regular container has ever started.',
    source: 'kubelet_pods.go',
  },
  keepsSidecarWorkers: {
    now: 'Under `restartPolicy: Never` the probes of a sidecar go on after it has ended.',
    before:
      'Under `restartPolicy: Never` the probes of a sidecar stop when it first ends (kubernetes/kubernetes#133072).',
    source: 'prober/worker.go',
  },
  ignoresPartialMessage: {
    now: 'Up to four bytes after a gRPC message are ignored, an unknown compression is the error Internal, and the size that gzip data claim is not read.',
    before:
      'They are an `unexpected EOF`, it is the error Unimplemented, and a size of more than 4 MiB is an error.',
    source: '../../vendor/google.golang.org/grpc/rpc_util.go',
  },
  backOffByResources: {
    now: 'New resources of a container end its back-off.',
    before: 'Only a new image does.',
    source: 'kuberuntime/helpers.go',
  },
  namesDecompressionStep: {
    now: 'The error of a gRPC response that cannot be decompressed says which step failed.',
    before: '`grpc: failed to decompress the received message: …`',
    source: '../../vendor/google.golang.org/grpc/rpc_util.go',
  },
  observesGeneration: {
    now: 'The pod’s status and its conditions have `observedGeneration`.',
    before: 'They have none.',
    source: 'status/status_manager.go',
  },
  shortContainerEvents: {
    now: 'Events say `Container created` and `Container started`.',
    before: '`Created container: NAME` and `Started container NAME`',
    source: 'kuberuntime/kuberuntime_container.go',
  },
  verifiesImageAccess: {
    now: 'The event of an image that is there ends with `and can be accessed by the pod`.',
    before: 'It ends with `already present on machine`.',
    source: 'images/image_manager.go',
  },
  requeuesAtBackOffEnd: {
    now: 'A pod in CrashLoopBackOff is synced again when the back-off ends, or up to half of it (30 s at most) later; every 60 – 90 s while it lasts longer.',
    before:
      'A pod in CrashLoopBackOff is synced every 10 – 15 s, with a BackOff event each time, so a restart comes up to 15 s late.',
    source: 'pod_workers.go',
  },
  keepsResultsOnRestart: {
    now: 'A restart of the kubelet keeps the probe results of containers that had started more than 10 s before it.',
    before:
      'A restart of the kubelet resets the probe results: pods become not ready, and startup probes run again.',
    source: 'prober/worker.go',
  },
  restartRules: {
    now: '`restartPolicyRules` of a container, and `restartPolicy` of a regular one, decide about its restarts.',
    before:
      'The API server drops the fields (1.34) or refuses them; the pod’s restartPolicy decides.',
    source: 'container/helpers.go',
  },
  sidecarsWait: {
    now: 'The state of a sidecar in its back-off is `waiting`, with the reason CrashLoopBackOff.',
    before:
      'The state of a sidecar in its back-off is `terminated` where the pod’s restartPolicy does not restart it.',
    source: 'container/helpers.go',
  },
  workersEndByExitCode: {
    now: 'The probes of a container stop when its exit code means that it is not started again.',
    before:
      'The probes of a container stop when it ends under `restartPolicy: Never`, and go on under OnFailure. With the gate on in 1.34, they always go on.',
    source: 'prober/worker.go',
  },
  cancelsProbesOfEndingPod: {
    now: 'Once a pod is being deleted, the commands of its readiness probes are canceled: Ready stays as it is (kubernetes/kubernetes#140881).',
    before:
      'The commands of readiness probes of a pod that is being deleted run until its containers have ended, and Ready follows them.',
    source: 'prober/prober_manager.go',
  },
  limitsBackOff: {
    now: '`crashLoopBackOff.maxContainerRestartPeriod` limits the back-off of a container.',
    before: 'The limit is 300 s, and cannot be configured.',
    source: 'kubelet.go',
  },
  reducesBackOff: {
    now: 'The first back-off is 1 s, and the longest one 60 s unless it is configured (from 1.35 on it is, by default: 300 s).',
    before: 'The first back-off is 10 s, and the longest one 300 s.',
    source: 'kubelet.go',
  },
  restartsAllContainers: {
    now: 'The action RestartAllContainers of a restart rule restarts the whole pod in place.',
    before: 'The API server refuses the action RestartAllContainers, or drops its rule.',
    source: 'kuberuntime/kuberuntime_manager.go',
  },
  relistsAfterSync: {
    now: 'A sync that changed something is followed by a relist of the pod at once.',
    before: 'Changes show at the next relist of the node, up to 1 s later.',
    source: 'pleg/generic.go',
  },
  readyToStartBeforePull: {
    now: 'PodReadyToStartContainers is True as soon as there is a sandbox.',
    before: 'It is True after the sync in which images are pulled and containers are started.',
    source: 'kubelet.go',
  },
  startsAllAtOnce: {
    now: 'RestartAllContainers starts the containers as soon as it has removed them.',
    before:
      'RestartAllContainers starts the containers at the next periodic sync, 60 – 90 s later.',
    source: 'kubelet.go',
  },
  keepsLastState: {
    now: 'The last state of a container stays when the runtime has removed the container that it is of.',
    before: 'It goes with that container.',
    source: 'kubelet_pods.go',
  },
  keepsRestartCount: {
    now: 'The restart count of a container never decreases.',
    before: 'The restart count of init containers and sidecars begins at 0 again in a new sandbox.',
    source: 'kubelet_pods.go',
  },
  completesLostInit: {
    now: 'An init container that the runtime has lost counts as completed once the pod has been initialized.',
    before: 'An init container that the runtime has lost waits with the reason PodInitializing.',
    source: 'kubelet_pods.go',
  },
  readsGRPCWithAnyStatus: {
    now: 'A response with the content type of gRPC is read whatever its HTTP status.',
    before: 'With an HTTP status other than 200 it is an error.',
    source: '../../vendor/google.golang.org/grpc/internal/transport/http2_client.go',
  },
  namesCardinality: {
    now: 'A gRPC response without a message, or with two, is a `cardinality violation`.',
    before: 'It is the error `EOF`, or a `client streaming protocol violation`.',
    source: '../../vendor/google.golang.org/grpc/stream.go',
  },
  startsMissingWorkers: {
    now: 'Each sync starts the missing probe workers of each container, up to its first one that runs.',
    before: 'It starts the missing ones of the pod, up to the first one that runs.',
    source: 'prober/prober_manager.go',
  },
  portsByNameOnly: {
    now: 'An unknown name of a port is `port "web" not found`.',
    before:
      'An unknown name of a port is read as a number: `strconv.Atoi: parsing "web": invalid syntax`.',
    source: '../probe/util.go',
  },
  namesSandboxReason: {
    now: 'PodReadyToStartContainers that is False has a reason and a message.',
    before: 'It has neither.',
    source: 'status/generate.go',
  },
  initializesEachSandbox: {
    now: 'Init containers run again in each new sandbox, until a regular container has been created in it.',
    before: 'Init containers that ended well in an earlier sandbox are not run again.',
    source: 'kuberuntime/kuberuntime_container.go',
  },
  quotesForeignResponse: {
    now: 'The error of a gRPC probe that gets a response of another protocol quotes up to 1 KiB of it.',
    before: 'The error names only its HTTP status and its content type.',
    source: '../../vendor/google.golang.org/grpc/internal/transport/client_stream.go',
  },
  namesOnlyReadError: {
    now: 'The error of a gRPC connection that breaks is `error reading from server: connection reset by peer`.',
    before: 'It names both addresses: `error reading from server: read tcp …`.',
    source: '../../vendor/google.golang.org/grpc/internal/transport/readyreader/ready_reader.go',
  },
  countsUnavailableReplicas: {
    now: 'A rolling update of a StatefulSet deletes old pods while fewer replicas than `maxUnavailable` (1 by default) are unavailable. With `podManagementPolicy: Parallel` it deletes old pods that are unavailable at once.',
    before: 'It deletes one pod at a time, and the API server drops `maxUnavailable`.',
    source: '../controller/statefulset/stateful_set_control.go',
  },
  probesHTTP2: {
    now: 'From 1.37 on, `httpGet.protocol: HTTP2` in a probe means HTTP/2 without TLS, by prior knowledge (h2c). Hooks use HTTP/1.1 all the same.',
    before: 'The API server drops `httpGet.protocol`; plain HTTP is HTTP/1.1.',
    source: 'prober/prober.go',
  },
  probesGRPCOverTLS: {
    now: 'From 1.37 on, `grpc.mode: TLS` in a probe means TLS; any certificate is accepted.',
    before: 'The API server drops `grpc.mode`; gRPC probes have no TLS.',
    source: 'prober/prober.go',
  },
  updatesProbes: {
    now: 'Preview of 1.38, from KEP-6318: the probes of a running pod may change, and no container restarts for it.',
    before: 'The API server refuses the change, and the kubelet keeps the probes of a running pod.',
    source: 'prober/prober_manager.go',
  },
};
