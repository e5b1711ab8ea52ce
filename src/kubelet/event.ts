import type { Pod, PodStatus } from '../api/index.js';
import type { AttemptDetail, ProbeResult } from './ports.js';

export type ProbeType = 'startup' | 'readiness' | 'liveness';

/** results.Result (pkg/kubelet/prober/results): what a worker has established. */
export type Result = 'success' | 'failure' | 'unknown';

export type HookName = 'postStart' | 'preStop';

/** Why a worker let a tick pass, or that it did not. */
export type WorkerState =
  /** The status manager does not know the pod yet. */
  | 'noStatus'
  /** The container has not been created yet. */
  | 'noContainer'
  /** It has ended and may be restarted. */
  | 'notRunning'
  | 'initialDelay'
  /** The startup probe has not succeeded yet. */
  | 'awaitingStartup'
  /** A startup probe whose container has started. */
  | 'started'
  /** The result is set; a new container is waited for. */
  | 'onHold'
  | 'probing'
  /** The worker has ended. */
  | 'stopped';

interface InPod {
  /** `namespace/name`. */
  readonly pod: string;
}

interface InContainer extends InPod {
  readonly container: string;
}

interface InRun extends InContainer {
  /** The n-th life of the container, from 0. */
  readonly run: number;
}

interface OfProbe extends InContainer {
  readonly probe: ProbeType;
}

/** A container's state in a word or three: `running`, `waiting CrashLoopBackOff`, `terminated Error 1`. */
export interface ContainerSummary {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state: string;
  readonly lastState: string;
}

export interface ContainerToStart {
  readonly name: string;
}

export interface ContainerToKill {
  readonly name: string;
  readonly message: string;
  readonly reason: string;
}

/** What happens in one invocation. Times are added by who records it. */
export type Event =
  | (InPod & { readonly kind: 'runPodSandbox'; readonly attempt: number })
  | (InPod & { readonly kind: 'stopPodSandbox' })
  | (InRun & { readonly kind: 'started' })
  | (InRun & { readonly kind: 'startFailed'; readonly error: string })
  /** The runtime is asked to stop a container; the grace period is in seconds. */
  | (InRun & { readonly kind: 'stop'; readonly gracePeriod: number })
  | (InRun & { readonly kind: 'exited'; readonly exitCode: number; readonly reason?: string })
  /** A line that a container wrote, without its line break. */
  | (InRun & {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    })
  /** A command begins in a container: a probe's or a hook's. */
  | (InRun & { readonly kind: 'exec'; readonly command: string })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly exit: number })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly timedOut: true })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly error: string })
  /** What `kubectl describe` would list. */
  | (InPod & {
      readonly kind: 'event';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
      /** `spec.containers{app}`, or absent for the pod itself. */
      readonly fieldPath?: string;
    })
  /** The status manager has a new version. */
  | (InPod & {
      readonly kind: 'status';
      readonly phase: string;
      readonly reason: string;
      /** By type: `False ContainersNotReady: containers with unready status: [app]`. */
      readonly conditions: Readonly<Record<string, string>>;
      readonly containers: readonly ContainerSummary[];
      readonly initContainers: readonly ContainerSummary[];
      readonly podStatus: PodStatus;
    })
  /** The pod as the kubelet gets it, when it is added and when it changes. */
  | (InPod & { readonly kind: 'pod'; readonly object: Pod })
  /** Something done to the pod from outside. */
  | (InPod & { readonly kind: 'action'; readonly do: 'delete' | 'update' })
  /** The user has a container's current run stopped, as if it had been killed. */
  | (InRun & { readonly kind: 'restartAsked' })
  /** A worker begins an attempt; with up to three tries. */
  | (OfProbe & {
      readonly kind: 'attempt';
      /** Counted over the worker's life, from 1. */
      readonly attempt: number;
      readonly containerID: string;
      /** Asked for by the kubelet or the user, not by the ticker. */
      readonly trigger?: 'kubelet' | 'user';
    })
  | (OfProbe & {
      readonly kind: 'attemptDone';
      readonly attempt: number;
      readonly containerID: string;
      readonly result: ProbeResult;
      readonly output: string;
      readonly error?: string;
      readonly tries: number;
      /** Milliseconds, all tries together. */
      readonly latency: number;
      /** The last result and how often in a row, after this attempt; an errored one leaves them. */
      readonly lastResult: Result;
      readonly resultRun: number;
      readonly threshold: number;
      /** The result that the worker set because of this attempt. */
      readonly set?: Result;
      /** When the worker looks again, in the clock's milliseconds. */
      readonly nextTick: number;
      readonly detail?: AttemptDetail;
    })
  /** A worker's state changed, or its period began anew; times are in the clock's milliseconds. */
  | (OfProbe & {
      readonly kind: 'worker';
      readonly state: WorkerState;
      /** When it looks again. */
      readonly nextTick?: number;
      /** In `initialDelay`: before this no look comes to an attempt. */
      readonly until?: number;
    })
  /** computePodActions found something to do. */
  | (InPod & {
      readonly kind: 'actions';
      readonly killPod: boolean;
      readonly createSandbox: boolean;
      readonly containersToStart: readonly ContainerToStart[];
      readonly containersToKill: readonly ContainerToKill[];
    })
  /** A start is put off; both times are in the clock's milliseconds. */
  | (InContainer & {
      readonly kind: 'backOff';
      readonly delay: number;
      readonly until: number;
    })
  | (InContainer & { readonly kind: 'hook'; readonly hook: HookName })
  | (InContainer & { readonly kind: 'hookDone'; readonly hook: HookName; readonly error?: string })
  /** Something that kprobe has to say of this run. */
  | { readonly kind: 'note'; readonly level: 'info' | 'warning'; readonly text: string }
  /** The runtime cannot be reached, or can again. */
  | { readonly kind: 'runtime'; readonly up: boolean; readonly error?: string };

export type EmitEvent = (event: Event) => void;
