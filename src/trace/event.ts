import type { Pod, PodStatus } from '../api/index.js';
import type { AttemptOutcome } from '../kubelet/ports.js';
import type { KubeletConfig } from '../kubelet/release.js';

export type ProbeType = 'startup' | 'readiness' | 'liveness';

/** Result of a worker. Ports results.Result (pkg/kubelet/prober/results). */
export type Result = 'success' | 'failure' | 'unknown';

export type HookName = 'postStart' | 'preStop';

/** State of a worker: why its tick made no attempt, or `probing`. */
export const WORKER_STATES = [
  /** The status manager does not know the pod yet. */
  'noStatus',
  /** The container has not been created yet. */
  'noContainer',
  /** The container has exited and may be restarted. */
  'notRunning',
  'initialDelay',
  /** The startup probe has not succeeded yet. */
  'awaitingStartup',
  /** The startup probe has succeeded. */
  'started',
  /** The result is set; the worker waits for a new container. */
  'onHold',
  'probing',
  /** The worker has ended. */
  'stopped',
] as const;
export type WorkerState = (typeof WORKER_STATES)[number];

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

/** Basis of a fact about a cluster's pod: reported by the kubelet, counted by its metrics, or concluded from its status. */
export type Evidence = 'seen' | 'counted' | 'inferred';

/** For events of a cluster that are older than their arrival, or inferred. */
interface Observed {
  /** When it happened according to the kubelet, in the clock's milliseconds; may be before the trace. */
  readonly at?: number | undefined;
  readonly evidence?: Evidence | undefined;
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

export type RestartedBy = 'engine' | 'cluster' | 'user';

/** How a process ended, beyond its exit code. */
export interface ProcessEnd {
  /** `SIGKILL` */
  readonly signal?: string;
  /** The kernel killed it for lack of memory. */
  readonly oomKilled?: true;
  /** Command lines of processes that it left behind, shortened. */
  readonly left?: readonly string[];
  /** Ids of the daemons among them that kprobe does not end: nothing tells them from other processes for certain. */
  readonly daemons?: readonly number[];
  /** Something other than the kubelet removed the container. */
  readonly removed?: true;
  /** True when only the restart was simulated: the container's process lives on. */
  readonly simulated?: true;
  /** The one who starts a container again in place of kprobe: its engine, the cluster's kubelet, or the user. */
  readonly restartedBy?: RestartedBy;
}

/** A listening socket; addresses have the form `127.0.0.1`, `::1`, `0.0.0.0`. */
export interface ListeningSocket {
  readonly address: string;
  readonly port: number;
}

export type TrialValue =
  number | string | readonly { readonly name: string; readonly value: string }[];

export interface Trial {
  /** Path in the container, such as `readinessProbe.httpGet.path`. */
  readonly field: string;
  readonly to: TrialValue;
  readonly result: 'success' | 'failure';
  /** The result in a word: `200`, `refused`. */
  readonly word: string;
  /** Milliseconds. */
  readonly latency: number;
}

/** A container's run in numbers; times are in seconds. */
export interface RunFigures {
  /** From the first start; absent when it never got ready. */
  readonly readyAfter?: number;
  readonly readyFor: number;
  readonly restarts: number;
  /** Failures of the probe that the change is of. */
  readonly failures: number;
}

/** A setting with which the engine has played what was recorded so far. */
export interface ReplayedChange {
  /** Path in the container, such as `startupProbe.failureThreshold`. */
  readonly field: string;
  readonly to: number;
  readonly result: 'success' | 'failure';
  /** Seconds that were played. */
  readonly length: number;
  readonly before: RunFigures;
  readonly after: RunFigures;
}

/** Replicas of a workload, as the columns of `kubectl get` count them. */
export interface ReplicaCounts {
  readonly desired: number;
  readonly current: number;
  /** Absent for a ReplicaSet. */
  readonly updated?: number;
  readonly ready: number;
  readonly available: number;
}

/** Event of a run. The recorder adds its time. */
export type Event =
  | (InPod & { readonly kind: 'runPodSandbox'; readonly attempt: number })
  | (InPod & { readonly kind: 'stopPodSandbox' })
  | (InRun & Observed & { readonly kind: 'started' })
  | (InRun & Pick<Observed, 'at'> & { readonly kind: 'startFailed'; readonly error: string })
  /** The runtime is asked to stop a container; the grace period is in seconds. */
  | (InRun & Observed & { readonly kind: 'stop'; readonly gracePeriod: number })
  | (InRun &
      Observed & {
        readonly kind: 'exited';
        readonly exitCode: number;
        readonly reason?: string;
        /** Set when kprobe has stopped it at the end of the run: the kubelet has not seen this. */
        readonly ending?: true;
      } & ProcessEnd)
  /** What the processes of a run listen on, as found after an attempt. */
  | (InRun & {
      readonly kind: 'listening';
      /** False where kprobe has not started the server. */
      readonly started: boolean;
      readonly sockets: readonly ListeningSocket[];
      /** Command lines of the processes, shortened. */
      readonly processes: readonly string[];
      /** Set where a process is stopped, or its main thread is busy. */
      readonly state?: 'stopped' | 'busy';
      /** UDP ports on which it receives, and paths of UNIX sockets on which it listens, where it listens on no TCP port. */
      readonly udp?: readonly number[];
      readonly unix?: readonly string[];
    })
  /** An attempt with another value of one field, which does not count. */
  | (OfProbe &
      Trial & {
        readonly kind: 'trial';
      })
  | (InContainer & ReplayedChange & { readonly kind: 'replayed' })
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
      /** First and last time in the clock's milliseconds, and the count, as a cluster reports them. */
      readonly firstAt?: number | undefined;
      readonly at?: number | undefined;
      readonly count?: number | undefined;
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
      /** `spec.containers{app}`, or absent for the pod itself. */
      readonly fieldPath?: string;
    })
  /** The status manager has a new version. */
  | (InPod & {
      readonly kind: 'status';
      /** When the Ready condition of a cluster's pod changed, in the clock's milliseconds, if that is older. */
      readonly at?: number | undefined;
      readonly phase: string;
      readonly reason: string;
      /** Conditions by their type: `False ContainersNotReady: containers with unready status: [app]`. */
      readonly conditions: Readonly<Record<string, string>>;
      readonly containers: readonly ContainerSummary[];
      readonly initContainers: readonly ContainerSummary[];
      readonly podStatus: PodStatus;
    })
  /** The pod as the kubelet gets it, new or changed. */
  | (InPod & {
      readonly kind: 'pod';
      readonly object: Pod;
      /** When a cluster's pod was created, in the clock's milliseconds. */
      readonly at?: number | undefined;
    })
  /** The user or a file watcher changes the pod. */
  | (InPod & { readonly kind: 'action'; readonly do: 'delete' | 'update'; readonly at?: number })
  /** A cluster's pod is no longer there. */
  | (InPod & { readonly kind: 'gone' })
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
      /** Milliseconds by which kprobe's own tick was late, from 100 on. */
      readonly late?: number | undefined;
      /** Ticks that kprobe has skipped before this attempt because it was more than a period late. */
      readonly skipped?: number | undefined;
    })
  | (OfProbe &
      Observed &
      AttemptOutcome & {
        readonly kind: 'attemptDone';
        readonly attempt: number;
        readonly containerID: string;
        readonly tries: number;
        /** Milliseconds of all tries. */
        readonly latency: number;
        /** Milliseconds of them by which kprobe itself was late, from 100 on. */
        readonly late?: number | undefined;
        /** Last result and its count in a row after this attempt; errors don't count. */
        readonly lastResult: Result;
        readonly resultRun: number;
        readonly threshold: number;
        /** Result that the worker set after this attempt. */
        readonly set?: Result | undefined;
        /** Time of the next tick, in the clock's milliseconds. */
        readonly nextTick: number;
        /** The latest time of the next tick, where it is not known exactly. */
        readonly latestTick?: number | undefined;
      })
  /** Attempts that a cluster's kubelet has counted since the last such event. */
  | (OfProbe & {
      readonly kind: 'counted';
      readonly successful: number;
      readonly failed: number;
      readonly unknown: number;
    })
  /** A worker's state changed or its period restarted; times are in the clock's milliseconds. */
  | (OfProbe & {
      readonly kind: 'worker';
      readonly state: WorkerState;
      /** Time of the next tick. */
      readonly nextTick?: number | undefined;
      readonly latestTick?: number | undefined;
      /** End of the initial delay, in state `initialDelay`. */
      readonly until?: number | undefined;
    })
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
  | (InContainer & {
      readonly kind: 'hookDone';
      readonly hook: HookName;
      readonly error?: string;
      /** kprobe ended the run, and the hook with it. */
      readonly ending?: true;
    })
  /** The kubelet that has the pod. Its absence means the one that kprobe plays by default. */
  | (InPod & KubeletConfig & { readonly kind: 'kubelet' })
  /** A cluster's kubelet did what a kubelet of its version would not do. */
  | (InPod & {
      readonly kind: 'divergence';
      readonly container?: string | undefined;
      readonly expected: string;
      readonly happened: string;
      /** A known cause that fits. */
      readonly cause?: string | undefined;
    })
  /** State of a workload's rollout in a cluster. */
  | {
      readonly kind: 'workload';
      /** `deployment/web` */
      readonly workload: string;
      readonly namespace: string;
      /** `web: 2 of 3 updated, waiting for …` */
      readonly sentence: string;
      readonly done: boolean;
      /** True where it will not complete without a change. */
      readonly failed: boolean;
      /** Absent for a Job. */
      readonly replicas?: ReplicaCounts;
      /** Set where only times have changed. */
      readonly onlyTimes?: true;
    }
  /** A message of kprobe about this run. */
  | { readonly kind: 'note'; readonly level: 'info' | 'warning'; readonly text: string }
  /** The runtime, or the API server of a cluster, has become unreachable or reachable. */
  | {
      readonly kind: 'runtime';
      readonly up: boolean;
      readonly error?: string;
      /** Address of the API server. */
      readonly server?: string;
    };

export type EmitEvent = (event: Event) => void;

export type EventType = 'Normal' | 'Warning';
