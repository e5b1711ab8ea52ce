import type { Container } from '../../api/types/container.js';
import type { Pod } from '../../api/types/pod.js';
import type { PodStatus } from '../../api/types/status.js';
import type { ProbeType, Result, WorkerState } from '../../kubelet/event.js';
import type { AttemptDetail, ProbeResult } from '../../kubelet/ports.js';

/*
 * What has happened so far, as every renderer, the end of a run and its exit code read it. All times are seconds since
 * the trace began. Histories are bounded: the trace itself has the rest.
 */

export interface Summary {
  /** The time of the last event. */
  readonly t: number;
  /** In the order in which they were added. */
  readonly pods: readonly PodSummary[];
  /** Why the runtime cannot be reached, while it cannot. */
  readonly runtimeError?: string;
  /** What kprobe has said of this run, oldest first. */
  readonly notes: readonly NoteView[];
}

export interface NoteView {
  readonly t: number;
  readonly level: 'info' | 'warning';
  readonly text: string;
}

export interface PodSummary {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: Pod;
  readonly addedAt: number;
  /** Empty until the first status. */
  readonly phase: string;
  readonly reason: string;
  /** By type: `False ContainersNotReady: containers with unready status: [app]`. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly status: PodStatus | undefined;
  /** Init containers, then the regular ones, in the spec's order. */
  readonly containers: readonly ContainerView[];
  /** Oldest first; the same again counts up. */
  readonly events: readonly EventView[];
  /** When it was Ready for the first time. */
  readonly firstReadyAt?: number;
  /** It was taken away. */
  readonly deletedAt?: number;
}

export type ContainerRole = 'container' | 'init' | 'sidecar';

export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly spec: Container;
  /** `running`, `waiting CrashLoopBackOff`, `terminated Error 1`; empty until the first status. */
  readonly state: string;
  readonly lastState: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  /** Oldest first. */
  readonly runs: readonly RunView[];
  /** While a restart is put off. */
  readonly backOff?: { readonly until: number; readonly delay: number };
  /** While it is being stopped. */
  readonly stopping?: { readonly since: number; readonly gracePeriod: number };
  /** While a hook runs. */
  readonly hook?: { readonly name: string; readonly since: number };
  readonly probes: readonly ProbeView[];
  /** The latest lines that it wrote. */
  readonly output: readonly OutputLine[];
}

/** One life of a container. */
export interface RunView {
  readonly run: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** Why the kubelet ended it: `Container app failed liveness probe, will be restarted`. */
  readonly killed?: string;
  readonly startError?: string;
  /** When the kubelet found that another run is to follow. */
  readonly restartDecidedAt?: number;
}

export interface OutputLine {
  readonly t: number;
  readonly run: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface ProbeView {
  readonly type: ProbeType;
  readonly state?: WorkerState;
  /** When the worker looks again. */
  readonly nextTick?: number;
  /** An attempt is under way since then. */
  readonly attemptingSince?: number;
  /** The result that stands for the current run, as far as an attempt has set one. */
  readonly set?: Result;
  readonly lastResult?: Result;
  readonly resultRun: number;
  readonly threshold: number;
  readonly successes: number;
  readonly failures: number;
  /** Attempts whose result was thrown away. */
  readonly errors: number;
  /** The latest ones, oldest first. */
  readonly attempts: readonly AttemptView[];
}

export interface AttemptView {
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly run: number;
  readonly result: ProbeResult;
  readonly output: string;
  readonly error?: string;
  readonly tries: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly lastResult: Result;
  readonly resultRun: number;
  readonly threshold: number;
  readonly set?: Result;
  readonly trigger?: 'kubelet' | 'user';
  readonly detail?: AttemptDetail;
}

export interface EventView {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The container that it is about; empty for the pod. */
  readonly container: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export const EMPTY_SUMMARY: Summary = { t: 0, pods: [], notes: [] };

/** The list with the item at its end, cut to so many at its begin. */
export function appendBounded<T>(list: readonly T[], item: T, limit: number): readonly T[] {
  return list.length < limit ? [...list, item] : [...list.slice(list.length - limit + 1), item];
}

export function findContainer(pod: PodSummary, name: string): ContainerView | undefined {
  return pod.containers.find((container) => container.name === name);
}
