import type { Pod } from '../../api/index.js';
import type { ProbeType } from '../../kubelet/event.js';
import type { ProbeOutcome } from '../../kubelet/ports.js';

/*
 * What a trace shows of containers, apart from what the kubelet made of it: when they were asked, and what they answered.
 * All times are in milliseconds; ages count from a run's start.
 */

export interface ObservedPod {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: Pod;
  /** Since the trace began. */
  readonly addedAt: number;
  readonly actions: readonly ObservedAction[];
  readonly containers: ReadonlyMap<string, readonly ObservedRun[]>;
}

export type ObservedAction =
  | { readonly at: number; readonly do: 'delete' }
  | { readonly at: number; readonly do: 'update'; readonly object: Pod };

/** One life of a container. */
export interface ObservedRun {
  readonly run: number;
  /** Since the trace began. */
  readonly startedAt: number;
  /** From the decision to start it. */
  readonly startTakes: number;
  readonly startError?: string;
  readonly end?: ObservedEnd;
  /** By what was asked, each in the order of its age. */
  readonly answers: ReadonlyMap<string, readonly Observation[]>;
}

export type ObservedEnd =
  | { readonly kind: 'itself'; readonly age: number; readonly exitCode: number }
  /** It was stopped: how it would have gone on is not known. */
  | {
      readonly kind: 'stopped';
      readonly age: number;
      readonly exitCode: number;
      readonly took: number;
    };

/** An attempt, and what came of it. */
export interface Observation {
  readonly probe: ProbeType;
  readonly age: number;
  readonly latency: number;
  readonly outcome: ProbeOutcome;
  /** The attempt ran into this timeout: when it would have been answered, if ever, is not known. */
  readonly timedOutAfter?: number;
}
