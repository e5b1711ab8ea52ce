import type { Behaviour } from '../../sim/behaviour.js';
import type { EndpointConditions } from '../controllers/endpoint-slice.js';

/** Something that happens to a pod; `at` is in milliseconds since the simulation began. */
export type PodFact = { readonly at: number; readonly pod: string } & (
  | {
      readonly kind: 'endpoint';
      /** Absent when the endpoint leaves its slice. */
      readonly conditions?: EndpointConditions;
    }
  | { readonly kind: 'deleted'; readonly gracePeriodSeconds: number }
  /** The container that serves requests starts. */
  | { readonly kind: 'started'; readonly behaviour?: Behaviour }
  | { readonly kind: 'term' }
  | { readonly kind: 'ended'; readonly killed: boolean }
  /** The container's next start waits this many milliseconds. */
  | { readonly kind: 'backOff'; readonly delay: number }
);

/** One run of the container that serves requests; a time that never comes is Infinity. */
export interface ServerRun {
  readonly startedAt: number;
  readonly behaviour: Behaviour;
  termAt: number;
  endedAt: number;
  killed: boolean;
}

export interface ServedPod {
  readonly name: string;
  deletedAt: number;
  gracePeriodSeconds: number;
  readonly runs: ServerRun[];
}

/** Returns the pods of facts in the order of time, by name. */
export function servedPods(facts: readonly PodFact[]): ReadonlyMap<string, ServedPod> {
  const pods = new Map<string, ServedPod>();
  for (const fact of facts) {
    const known = pods.get(fact.pod);
    const pod = known ?? {
      name: fact.pod,
      deletedAt: Infinity,
      gracePeriodSeconds: Infinity,
      runs: [],
    };
    if (known === undefined) pods.set(fact.pod, pod);
    apply(pod, fact);
  }
  return pods;
}

function apply(pod: ServedPod, fact: PodFact): void {
  const run = pod.runs.at(-1);
  switch (fact.kind) {
    case 'endpoint':
    case 'backOff':
      return;
    case 'deleted':
      pod.deletedAt = fact.at;
      pod.gracePeriodSeconds = fact.gracePeriodSeconds;
      return;
    case 'started':
      pod.runs.push({
        startedAt: fact.at,
        behaviour: fact.behaviour ?? {},
        termAt: Infinity,
        endedAt: Infinity,
        killed: false,
      });
      return;
    case 'term':
      if (run !== undefined) run.termAt = fact.at;
      return;
    case 'ended':
      if (run === undefined) return;
      run.endedAt = fact.at;
      run.killed = fact.killed;
  }
}
