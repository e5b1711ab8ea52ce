import type { Random } from '../../clock/clock.js';
import { draw, type Range } from '../../sim/behavior.js';
import type { EndpointConditions } from '../controllers/endpoint-slice.js';
import type { PodFact } from './pod-fact.js';

/**
 * Milliseconds from a change of an EndpointSlice to a node's new rules: the watch, then at most the second that
 * kube-proxy waits from one sync to the next (minSyncPeriod in pkg/proxy/apis/config/v1alpha1/defaults.go).
 */
export const PROPAGATION: Range = { from: 50, to: 1050 };

interface Change {
  readonly visibleAt: number;
  readonly pod: string;
  readonly conditions: EndpointConditions | undefined;
}

/** One node's kube-proxy: it applies each change of an endpoint after a delay. */
export class Proxy {
  readonly #changes: readonly Change[];
  readonly #endpoints = new Map<string, EndpointConditions>();
  #applied = 0;
  #usable: ReadonlySet<string> = new Set();
  #list: readonly string[] = [];

  constructor(facts: readonly PodFact[], propagation: Range, random: Random) {
    let visibleAt = 0;
    this.#changes = facts.flatMap((fact) => {
      if (fact.kind !== 'endpoint') return [];
      // Changes before the simulation are visible from its start. A sync applies all earlier changes: none overtakes another.
      if (fact.at >= 0) visibleAt = Math.max(visibleAt, fact.at + draw(propagation, random));
      return { visibleAt, pod: fact.pod, conditions: fact.conditions };
    });
  }

  get usable(): readonly string[] {
    return this.#list;
  }

  chooses(pod: string): boolean {
    return this.#usable.has(pod);
  }

  /** Applies the changes that are visible at a time; times must not decrease. */
  advanceTo(at: number): void {
    const before = this.#applied;
    for (let change = this.#changes[before]; change !== undefined && change.visibleAt <= at;) {
      if (change.conditions === undefined) this.#endpoints.delete(change.pod);
      else this.#endpoints.set(change.pod, change.conditions);
      change = this.#changes[++this.#applied];
    }
    if (this.#applied === before) return;
    this.#list = usableEndpoints(this.#endpoints);
    this.#usable = new Set(this.#list);
  }
}

/** Ports CategorizeEndpoints (pkg/proxy/topology.go) for the traffic policy Cluster without topology hints. */
export function usableEndpoints(
  endpoints: Iterable<readonly [string, EndpointConditions]>,
): readonly string[] {
  const all = [...endpoints];
  const ready = all.filter(([, conditions]) => conditions.ready);
  const usable =
    ready.length > 0 ? ready : all.filter(([, { serving, terminating }]) => serving && terminating);
  return usable.map(([pod]) => pod);
}
