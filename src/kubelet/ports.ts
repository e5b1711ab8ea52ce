import type { Container, Pod, PodStatus, Time } from '../api/index.js';
import type { HttpRequest } from '../go/http/request.js';

/** probe.Result (pkg/probe/probe.go). A warning counts as a success. */
export type ProbeResult = 'success' | 'warning' | 'failure' | 'unknown';

/** Milliseconds from the attempt's begin to each step that was reached. */
export interface AttemptTimings {
  readonly lookup?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly firstByte?: number;
  readonly total: number;
}

/** What an attempt did on the wire; shown to people, read by no decision. */
export interface AttemptDetail {
  /** Where it went: `127.0.0.1:8080`, or the command line. */
  readonly address: string;
  /** The request as sent, or what stands for it. */
  readonly request?: string;
  /** Status line and headers, the gRPC status, or the exit code. */
  readonly response?: string;
  /** The body or output as far as the kubelet reads it, also where the event withholds it. */
  readonly body?: Uint8Array;
  readonly timings: AttemptTimings;
}

/** One attempt's end. With `error` the attempt is made again, up to three times. */
export interface ProbeOutcome {
  readonly result: ProbeResult;
  readonly output: string;
  /** The output as it came, when it is not UTF-8. */
  readonly outputBytes?: Uint8Array;
  readonly error?: string;
  readonly detail?: AttemptDetail;
}

/** For whom an attempt is made. A transport may need it to find the way to the container. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerID: string;
}

/** The network attempts. They resolve with an outcome, always, at the timeout at the latest. */
export interface ProbeTransports {
  http(target: ProbeTarget, request: HttpRequest, timeoutSeconds: number): Promise<ProbeOutcome>;
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
  ): Promise<ProbeOutcome>;
  /** Sends an httpGet lifecycle hook's request once: the error's text, or undefined when it went through. */
  httpHook(target: ProbeTarget, request: HttpRequest): Promise<string | undefined>;
}

interface ExecEnd {
  /** Milliseconds that it took, where it was timed; only shown. */
  readonly elapsed?: number;
}

/** How ExecSync ended. Output is cut by who runs the command, at no less than 16 KiB. */
export type ExecResult =
  | (ExecEnd & {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
    })
  /** `message`: what the runtime said, in place of the CRI client's text. */
  | (ExecEnd & { readonly kind: 'timedOut'; readonly message?: string })
  /** The command could not be run, or its end could not be told. */
  | (ExecEnd & { readonly kind: 'error'; readonly message: string });

/** kubecontainer.State (pkg/kubelet/container/runtime.go). */
export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';
export type RuntimeSandboxState = 'ready' | 'notReady';

/** A container as a listing shows it. */
export interface RuntimeContainer {
  readonly id: string;
  readonly name: string;
  readonly state: RuntimeContainerState;
  readonly sandboxID: string;
}

export interface RuntimeSandbox {
  readonly id: string;
  readonly state: RuntimeSandboxState;
}

/** kubecontainer.Pod: what a listing shows of one pod. Both lists are newest first. */
export interface RuntimePod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeSandbox[];
}

/** kubecontainer.Status: a container looked at closely. */
export interface RuntimeContainerStatus {
  readonly id: string;
  readonly name: string;
  readonly state: RuntimeContainerState;
  readonly sandboxID: string;
  readonly image: string;
  readonly imageRef: string;
  /** The container hash it was created with. */
  readonly hash: string;
  readonly restartCount: number;
  readonly createdAt: Time;
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
}

export interface RuntimeSandboxStatus {
  readonly id: string;
  readonly state: RuntimeSandboxState;
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

/** What a container is created with. */
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

/** A runtime call that failed; `message` is what the runtime said. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';

  constructor(
    message: string,
    /** `notFound`: what was asked for is gone. `configuration`: CreateContainerConfigError. */
    readonly code: 'failed' | 'notFound' | 'configuration' = 'failed',
  ) {
    super(message);
  }
}

/** The runtime's images. A target that stands for containers without images has none. */
export interface ImageService {
  /** The image's reference, or undefined when it is not on the machine. */
  getImageRef(image: string): Promise<string | undefined>;
  pullImage(image: string): Promise<PulledImage>;
}

/** The container runtime, at the granularity of the CRI. Every call may reject with a RuntimeError. */
export interface Runtime {
  /** The scheme of container ids: `docker` in `docker://…`. */
  readonly name: string;
  readonly images?: ImageService;
  /** Rejects while the runtime cannot be reached. */
  status(): Promise<void>;
  /** Lists every pod that has a sandbox or a container, exited ones too. */
  getPods(): Promise<readonly RuntimePod[]>;
  getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus>;
  /** Makes a sandbox; resolves with its id and the pod's addresses. */
  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }>;
  stopPodSandbox(id: string): Promise<void>;
  removePodSandbox(id: string): Promise<void>;
  createContainer(config: ContainerConfig): Promise<string>;
  startContainer(id: string): Promise<void>;
  /** Resolves when the container has ended: by itself after TERM, or killed past the grace period. */
  stopContainer(id: string, gracePeriodSeconds: number): Promise<void>;
  removeContainer(id: string): Promise<void>;
  /** Runs a command in the container. A timeout of 0 is none. */
  execSync(id: string, command: readonly string[], timeoutSeconds: number): Promise<ExecResult>;
}

/** The way to the API server. Rejects when the status could not be handed on. */
export interface StatusSink {
  patchPodStatus(pod: Pod, status: PodStatus): Promise<void>;
  /** The pod is gone from the node: nothing more will come of it. */
  deletePod(pod: Pod): Promise<void>;
}
