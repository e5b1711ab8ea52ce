import type { Pod, PodStatus } from '../api/index.js';
import type { AttemptOutcome } from './ports.js';

export type ProbeType = 'startup' | 'readiness' | 'liveness';

/** Result of a worker. Ports results.Result (pkg/kubelet/prober/results). */
export type Result = 'success' | 'failure' | 'unknown';

export type HookName = 'postStart' | 'preStop';

/** State of a worker: the reason why its tick made no attempt, or `probing`. */
export type WorkerState =
  /** The status manager does not know the pod yet. */
  | 'noStatus'
  /** The container has not been created yet. */
  | 'noContainer'
  /** The container has exited and may be restarted. */
  | 'notRunning'
  | 'initialDelay'
  /** The startup probe has not succeeded yet. */
  | 'awaitingStartup'
  /** The startup probe has succeeded. */
  | 'started'
  /** The result is set; the worker waits for a new container. */
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
  /** Number of the container's run, from 0. */
  readonly run: number;
}

interface OfProbe extends InContainer {
  readonly probe: ProbeType;
}

/** Summary of a container status. States are `running`, `waiting CrashLoopBackOff`, `terminated Error 1`. */
export interface ContainerSummary {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly state: string;
  readonly lastState: string;
}

/** Event of a run. The recorder adds its time. */
export type Event =
  | (InPod & { readonly kind: 'runPodSandbox'; readonly attempt: number })
  | (InPod & { readonly kind: 'stopPodSandbox' })
  | (InRun & { readonly kind: 'started' })
  | (InRun & { readonly kind: 'startFailed'; readonly error: string })
  /** The runtime is asked to stop a container; the grace period is in seconds. */
  | (InRun & { readonly kind: 'stop'; readonly gracePeriod: number })
  | (InRun & {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly reason?: string;
      /** It ended with the run, which stops what it started: the kubelet has not seen this. */
      readonly ending?: true;
    })
  /** A line that a container wrote, without its line break. */
  | (InRun & {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    })
  /** A probe or hook starts a command in a container. */
  | (InRun & { readonly kind: 'exec'; readonly command: string })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly exit: number })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly timedOut: true })
  | (InRun & { readonly kind: 'execDone'; readonly command: string; readonly error: string })
  /** An event as `kubectl describe` lists it. */
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
  /** The pod as the kubelet gets it, when it is added or changed. */
  | (InPod & { readonly kind: 'pod'; readonly object: Pod })
  /** The user or a file watcher changes the pod. */
  | (InPod & { readonly kind: 'action'; readonly do: 'delete' | 'update' })
  /** The user stops a container's current run, as if it had been killed. */
  | (InRun & { readonly kind: 'restartAsked' })
  /** A worker starts an attempt of up to three tries. */
  | (OfProbe & {
      readonly kind: 'attempt';
      /** Counted over the worker's life, from 1. */
      readonly attempt: number;
      readonly containerID: string;
      /** Set when the kubelet or the user requested the attempt. */
      readonly trigger?: 'kubelet' | 'user' | undefined;
      /** Milliseconds by which kprobe itself made its tick late, from 100 on. */
      readonly late?: number | undefined;
      /** Ticks that kprobe has skipped since the attempt before, because it was late by more than a period. */
      readonly skipped?: number | undefined;
    })
  | (OfProbe &
      AttemptOutcome & {
        readonly kind: 'attemptDone';
        readonly attempt: number;
        readonly containerID: string;
        readonly tries: number;
        /** Milliseconds of all tries. */
        readonly latency: number;
        /** Last result and its count in a row after this attempt; errors don't count. */
        readonly lastResult: Result;
        readonly resultRun: number;
        readonly threshold: number;
        /** Result that the worker set after this attempt. */
        readonly set?: Result | undefined;
        /** Time of the next tick, in the clock's milliseconds. */
        readonly nextTick: number;
      })
  /** A worker's state changed or its period restarted; times are in the clock's milliseconds. */
  | (OfProbe & {
      readonly kind: 'worker';
      readonly state: WorkerState;
      /** Time of the next tick. */
      readonly nextTick?: number | undefined;
      /** End of the initial delay, in state `initialDelay`. */
      readonly until?: number | undefined;
    })
  /** Actions that computePodActions has planned. */
  | (InPod & {
      readonly kind: 'actions';
      readonly killPod: boolean;
      readonly createSandbox: boolean;
      readonly containersToStart: readonly { readonly name: string }[];
      readonly containersToKill: readonly {
        readonly name: string;
        readonly message: string;
        readonly reason: string;
      }[];
    })
  /** A start is delayed; both times are in the clock's milliseconds. */
  | (InContainer & {
      readonly kind: 'backOff';
      readonly delay: number;
      readonly until: number;
    })
  | (InContainer & { readonly kind: 'hook'; readonly hook: HookName })
  | (InContainer & { readonly kind: 'hookDone'; readonly hook: HookName; readonly error?: string })
  /** A message of kprobe about this run. */
  | { readonly kind: 'note'; readonly level: 'info' | 'warning'; readonly text: string }
  /** The runtime has become unreachable or reachable. */
  | { readonly kind: 'runtime'; readonly up: boolean; readonly error?: string };

export type EmitEvent = (event: Event) => void;
