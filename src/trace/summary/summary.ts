import type { Pod, PodStatus } from '../../api/index.js';
import type { ContainerView } from './container-view.js';

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
  readonly correlation: EventCorrelation;
  /** How its Ready condition has changed, oldest first. */
  readonly readiness: readonly ReadinessView[];
  /** When it was Ready for the first time. */
  readonly firstReadyAt?: number;
  /** It was taken away. */
  readonly deletedAt?: number;
}

export interface ReadinessView {
  readonly t: number;
  readonly ready: boolean;
}

export const EMPTY_SUMMARY: Summary = { t: 0, pods: [], notes: [] };

/** The list with the item at its end, cut to so many at its begin. */
export function appendBounded<T>(list: readonly T[], item: T, limit: number): readonly T[] {
  return list.length < limit ? [...list, item] : [...list.slice(list.length - limit + 1), item];
}

export function findContainer(pod: PodSummary, name: string): ContainerView | undefined {
  return pod.containers.find((container) => container.name === name);
}

/** An event as the API server would have it, were all of them sent. Times are seconds since the trace began. */
export interface EventView {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The container that it is about; empty for the pod. */
  readonly container: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** What `kubectl` would show of it: the kubelet's rate limit has held the others back. */
  readonly sent?: { readonly count: number; readonly lastAt: number };
}

/** What the kubelet's event recorder remembers of a pod's events. */
export interface EventCorrelation {
  /** Tokens left, by type. */
  readonly budgets: Readonly<Record<string, { readonly tokens: number; readonly at: number }>>;
  /** Different messages lately, by type and reason. */
  readonly groups: Readonly<
    Record<string, { readonly messages: readonly string[]; readonly at: number }>
  >;
}

export const NO_CORRELATION: EventCorrelation = { budgets: {}, groups: {} };
