import type { Pod, PodStatus } from '../../api/index.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import type { ReplicaCounts } from '../event.js';
import type { LineOf } from '../trace-line.js';
import { type ConditionView } from './condition-view.js';
import type { ContainerView } from './container-view.js';

/**
 * The state after some lines, which renderers, verdict and exit code read. Times are seconds since the trace began.
 * Histories are bounded; the trace itself is complete.
 */
export interface Summary {
  readonly t: number;
  /** In the order in which they were added. */
  readonly pods: readonly PodSummary[];
  /** Indices in `pods` by key; later summaries share them. */
  readonly positions: ReadonlyMap<string, number>;
  readonly probes: number;
  /** Present while the runtime or the cluster cannot be reached. */
  readonly runtimeError?: string;
  /** Set once kprobe was too slow for its ticks. */
  readonly behind?: Behind;
  readonly notes: readonly Omit<LineOf<'note'>, 'kind'>[];
  readonly workloads: readonly WorkloadView[];
}

/** `t` is the time of the last change. */
export type WorkloadView = Omit<LineOf<'workload'>, 'kind'> & {
  /** The replicas at each change of the latest rollout, oldest first. */
  readonly history: readonly ReplicaPoint[];
};
export type ReplicaPoint = ReplicaCounts & { readonly t: number };
export type DivergenceView = Omit<LineOf<'divergence'>, 'kind'>;

export interface Behind {
  /** The last late tick: when its attempt began, and by how many seconds it was late. */
  readonly t: number;
  readonly late: number;
  readonly skipped: number;
}

export interface PodSummary {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: Pod;
  readonly addedAt: number;
  /** Empty until the first status. */
  readonly phase: string;
  readonly reason: string;
  /** Conditions by their type. */
  readonly conditions: Readonly<Record<string, ConditionView>>;
  readonly status: PodStatus | undefined;
  /** Init containers, then the regular ones, in the spec's order. */
  readonly containers: readonly ContainerView[];
  /** Oldest first; a repeated event counts up. */
  readonly events: readonly EventView[];
  readonly correlation: EventCorrelation;
  /** Changes of the Ready condition, oldest first. */
  readonly readiness: readonly { readonly t: number; readonly ready: boolean }[];
  readonly firstReadyAt?: number;
  readonly deletedAt?: number;
  /** True for a pod of a Job that is complete: none of its ends needs a repair. */
  readonly isSettled?: true;
  /** True where the summary also has this pod as its cluster's kubelet reports it. */
  readonly hasClusterSide?: true;
  /** Behavior of the kubelet that has the pod, where it is not the default one. */
  readonly behavior?: ReleaseBehavior;
  /** The first action of a cluster's kubelet that one of its version would not have done. */
  readonly divergence?: DivergenceView;
}

export const EMPTY_SUMMARY: Summary = {
  t: 0,
  pods: [],
  positions: new Map(),
  probes: 0,
  notes: [],
  workloads: [],
};

export function findPod({ pods, positions }: Summary, key: string): PodSummary | undefined {
  const pod = pods[positions.get(key) ?? -1];
  return pod?.key === key ? pod : undefined;
}

/** Appends an item and drops the oldest items beyond the limit. */
export function appendBounded<T>(list: readonly T[], item: T, limit: number): readonly T[] {
  return list.length < limit ? [...list, item] : [...list.slice(list.length - limit + 1), item];
}

/** Returns the container that an event is about. */
export function findContainerOf(
  summary: Summary,
  { pod: key, container }: { readonly pod: string; readonly container: string },
): ContainerView | undefined {
  const pod = findPod(summary, key);
  return pod && findContainer(pod, container);
}

export function findContainer(pod: PodSummary, name: string): ContainerView | undefined {
  return pod.containers.find((container) => container.name === name);
}

/** An event of the pod, with the repetitions counted as the API server would. */
export interface EventView {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** True where it combines several messages of one reason. */
  readonly combined: boolean;
  /** Empty where the event is about the pod. */
  readonly container: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The part that `kubectl` shows: the kubelet's rate limit drops the rest. */
  readonly sent?: { readonly count: number; readonly lastAt: number };
}

/** The memory of the kubelet's event recorder for one pod. */
export interface EventCorrelation {
  /** Remaining tokens, by type. */
  readonly budgets: Readonly<Record<string, { readonly tokens: number; readonly at: number }>>;
  /** Recent distinct messages, by type and reason. */
  readonly groups: Readonly<
    Record<string, { readonly messages: readonly string[]; readonly at: number }>
  >;
}

export const NO_CORRELATION: EventCorrelation = { budgets: {}, groups: {} };
