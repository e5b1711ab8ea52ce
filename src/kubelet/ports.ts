import type { Container, ContainerStateWaiting, Pod, PodStatus, Time } from '../api/index.js';
import type { HttpRequest } from '../go/http/request.js';
import type { IoReason } from '../go/io-error.js';

/** probe.Result (pkg/probe/probe.go). A warning counts as a success. */
type ProbeResult = 'success' | 'warning' | 'failure' | 'unknown';

/** Milliseconds from the start of the attempt to each step that was reached. */
export interface AttemptTimings {
  readonly lookup?: number | undefined;
  readonly connect?: number | undefined;
  readonly tls?: number | undefined;
  readonly firstByte?: number | undefined;
  readonly total: number;
}

/** Route of an attempt at a pod of a cluster, through the API server. */
export type AttemptRoute = 'port-forward' | 'exec' | 'proxy';

/** Details of an attempt for display; no decision depends on them. */
export interface AttemptDetail {
  /** Destination such as `127.0.0.1:8080`, or the command line. */
  readonly address: string;
  /** Absent for an attempt that is made directly. */
  readonly via?: AttemptRoute;
  /** The request as sent, or a summary of it. */
  readonly request?: string;
  /** Status line and headers, the gRPC status, or the exit code. */
  readonly response?: string;
  /** The body or output as far as the kubelet reads it (10 KiB), also when the kubelet's event omits it. */
  readonly body?: Uint8Array;
  readonly timings: AttemptTimings;
}

export type FailureReason =
  | IoReason
  /** No gRPC server has been connected to within the timeout: none listens, or what does ends the connection. */
  | 'notConnected'
  | 'notServing'
  | 'unknownService'
  /** The server has no gRPC health service. */
  | 'unimplemented'
  /** The kubelet has canceled the attempt, because the pod is being deleted. */
  | 'canceled';

export interface AttemptOutcome {
  readonly result: ProbeResult;
  readonly output: string;
  readonly error?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly exitCode?: number | undefined;
  /** Reason of a failure or an error, as far as the transport knows it. */
  readonly reason?: FailureReason | undefined;
  readonly detail?: AttemptDetail | undefined;
}

/** Returns the fields of an outcome that the trace has. */
export function attemptOutcome(outcome: AttemptOutcome): AttemptOutcome {
  const { result, output, error, statusCode, exitCode, reason, detail } = outcome;
  return { result, output, error, statusCode, exitCode, reason, detail };
}

/** Outcome of one try. With `error` the attempt is tried again, up to three times. */
export interface ProbeOutcome extends AttemptOutcome {
  /** The raw output when it is not UTF-8. */
  readonly outputBytes?: Uint8Array;
  /** Milliseconds by which a thread of kprobe made it late. */
  readonly late?: number;
}

/** Container of an attempt; a transport may need it to reach the container. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerID: string;
}

/** Network attempts. They always resolve with an outcome, at the latest at the timeout. */
export interface ProbeTransports {
  /** `isH2C` means HTTP/2 without TLS, by prior knowledge. */
  http(
    target: ProbeTarget,
    request: HttpRequest,
    timeoutSeconds: number,
    isH2C?: boolean,
  ): Promise<ProbeOutcome>;
  tcp(
    target: ProbeTarget,
    host: string,
    port: number,
    timeoutSeconds: number,
  ): Promise<ProbeOutcome>;
  grpc(
    target: ProbeTarget,
    host: string,
    port: number,
    service: string,
    timeoutSeconds: number,
    useTLS?: boolean,
  ): Promise<ProbeOutcome>;
  /** Sends an httpGet lifecycle hook's request once; resolves with the error's text, or undefined. */
  httpHook(target: ProbeTarget, request: HttpRequest): Promise<string | undefined>;
}

interface ExecMeasurement {
  /** Milliseconds that the command took, if it was timed; for display only. */
  readonly elapsed?: number;
  /** Absent for a command that is run directly. */
  readonly via?: AttemptRoute;
}

/** Result of ExecSync. The runtime may truncate output to 16 KiB or more. */
export type ExecResult =
  | (ExecMeasurement & {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
    })
  /** `message` replaces the CRI client's text. */
  | (ExecMeasurement & { readonly kind: 'timedOut'; readonly message?: string })
  /** The command could not be run, or its end is unknown. */
  | (ExecMeasurement & {
      readonly kind: 'error';
      readonly message: string;
      readonly reason?: FailureReason | undefined;
    });

/** kubecontainer.State (pkg/kubelet/container/runtime.go). */
export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';
export type RuntimeSandboxState = 'ready' | 'notReady';

export interface RuntimeContainer {
  readonly id: string;
  readonly name: string;
  readonly state: RuntimeContainerState;
  readonly sandboxID: string;
}

/** The end of a command whose container has ended. */
export const KILLED: ExecResult = {
  kind: 'exited',
  exitCode: 137,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
};

interface RuntimeSandbox {
  readonly id: string;
  readonly state: RuntimeSandboxState;
}

/** Pod in a listing (kubecontainer.Pod). Both lists are newest first. */
export interface RuntimePod {
  readonly uid: string;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeSandbox[];
}

export interface RuntimeContainerStatus extends RuntimeContainer {
  readonly image: string;
  readonly imageRef: string;
  /** The container hash at its creation. */
  readonly hash: string;
  readonly restartCount: number;
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  /** Present where another kubelet runs the container: whether that counts it as started. */
  readonly started?: boolean;
}

export interface RuntimeSandboxStatus extends RuntimeSandbox {
  readonly attempt: number;
  readonly hostNetwork: boolean;
  readonly ips: readonly string[];
}

/** kubecontainer.PodStatus. The lists are newest first. */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly ips: readonly string[];
  readonly sandboxStatuses: readonly RuntimeSandboxStatus[];
  readonly containerStatuses: readonly RuntimeContainerStatus[];
}

export interface ContainerConfig {
  readonly pod: Pod;
  readonly container: Container;
  readonly sandboxID: string;
  readonly restartCount: number;
  readonly hash: string;
  readonly imageRef: string;
  readonly podIPs: readonly string[];
}

export interface PulledImage {
  readonly ref: string;
  /** Bytes. */
  readonly size: number;
}

/** Failed runtime call; `message` is the runtime's. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';

  constructor(
    message: string,
    /** `notFound`: there is no such container or image. `configuration`: it becomes a CreateContainerConfigError. `timeout`: the user's time ran out. */
    readonly code: 'failed' | 'notFound' | 'configuration' | 'timeout' = 'failed',
  ) {
    super(message);
  }
}

/** Milliseconds by which something is late from which kprobe counts as held up. */
export const MIN_LATENESS = 100;

/** The error of a command that may or may not have ended before its timeout: the prober runs it again. */
export const HELD_UP =
  'kprobe itself was held up, and cannot tell whether the command took too long';

export interface ImageService {
  /** Returns the image's reference, or undefined when it is not present. */
  getImageRef(image: string): Promise<string | undefined>;
  pullImage(image: string): Promise<PulledImage>;
}

/** Facts about the processes of a container as of now; no decision depends on them. */
export interface ProcessFacts {
  /** False where kprobe has not started them. */
  readonly started: boolean;
  readonly sockets: readonly Socket[];
  readonly processes: readonly string[];
  /** `busy`: one of its processes runs at this moment. */
  readonly state?: 'stopped' | 'paused' | 'busy';
  /** Seconds in which its processes have used a CPU or waited for one. */
  readonly busyTime?: number;
  /** Processes of the container that the system has killed for lack of memory. */
  readonly oomKills?: number;
  /** Seconds of CPU time after which the system kills one of its processes (ulimit -t). */
  readonly cpuSeconds?: number;
  /** Counts of its cgroup: CPU periods under a limit, and those in which the limit stopped it. */
  readonly cpu?: { readonly periods: number; readonly throttled: number };
  /** Where it listens on no TCP port: UDP ports, and paths of UNIX sockets. */
  readonly udp?: readonly number[];
  readonly unix?: readonly string[];
  readonly peers?: readonly Peer[];
}

/** A TCP socket, with its address as in `127.0.0.1`, `::1`, `0.0.0.0`. */
export interface Socket {
  readonly address: string;
  readonly port: number;
}

/** A server to which processes have a TCP connection; `isAsked`: they wait for it to accept one. */
export interface Peer extends Socket {
  readonly isAsked?: true | undefined;
}

/** Facts that are there at once, or that a command has to find. */
export type Inspection = ProcessFacts | undefined | Promise<ProcessFacts | undefined>;

/** Container runtime with the calls of the CRI, each of which may reject with a RuntimeError. */
export interface Runtime {
  /** Scheme of container ids: `docker` in `docker://…`. */
  readonly name: string;
  /** Absent when containers have no images, such as processes. */
  readonly images?: ImageService;
  /** Rejects while the runtime cannot be reached. */
  status(): Promise<void>;
  /** Lists every pod that has a sandbox or a container, even an exited one; with a `uid`, at least that pod. */
  getPods(uid?: string): Promise<readonly RuntimePod[]>;
  getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus>;
  /** Creates a sandbox; resolves with its id and the pod's addresses. */
  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }>;
  stopPodSandbox(id: string): Promise<void>;
  removePodSandbox(id: string): Promise<void>;
  /** Returns why a container that another kubelet starts still waits; undefined where this kubelet may start it. */
  waitingState?(pod: Pod, container: Container): ContainerStateWaiting | undefined;
  createContainer(config: ContainerConfig): Promise<string>;
  startContainer(id: string): Promise<void>;
  /** Returns when a container began that others have started; undefined where it began with `startContainer`. */
  startedAt?(id: string): Time | undefined;
  /** Resolves when the container has exited after TERM or was killed after the grace period. */
  stopContainer(id: string, gracePeriodSeconds: number): Promise<void>;
  removeContainer(id: string): Promise<void>;
  /** Reads what a container's processes do, for display; undefined where that cannot be seen. */
  inspect?(id: string): Inspection;
  /** Runs a command in the container; with a timeout of 0 it may run for any time. `canceled` ends the wait for it. */
  execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    canceled?: AbortSignal,
  ): Promise<ExecResult>;
}

/** Connection to the API server. Calls reject when the server could not be reached. */
export interface StatusSink {
  patchPodStatus(pod: Pod, status: PodStatus): Promise<void>;
  /** Deletes a pod that has ended on the node. */
  deletePod(pod: Pod): Promise<void>;
}
