import { observe } from '../sim/recorded/observe.js';
import { applyChanges, patchOf } from '../suggest/patch.js';
import { suggest, type Suggestion } from '../suggest/suggest.js';
import type { Trace } from '../trace/read-trace.js';
import { type WhatIf, whatIf } from './what-if.js';

/** Proposed settings for the probes of a recorded pod, and what they would have changed. */
export interface PodSuggestions {
  /** `namespace/name`. */
  readonly pod: string;
  readonly suggestions: readonly Suggestion[];
  /** A strategic merge patch of the pod. */
  readonly patch: object;
}

export interface Suggestions {
  readonly pods: readonly PodSuggestions[];
  /** The recording beside a simulation with what is proposed. */
  readonly simulated: WhatIf;
}

/** Proposes settings from a recording, and simulates it with them. */
export async function suggestFor(trace: Trace): Promise<Suggestions> {
  const pods = observe(trace.lines).map(({ key, object, containers }) => {
    const suggestions = object.spec.containers.flatMap((container) =>
      suggest(container, containers.get(container.name) ?? []),
    );
    return { pod: key, suggestions, patch: patchOf(suggestions) };
  });
  const simulated = await whatIf(trace, (pod) => {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const own = pods.find((one) => one.pod === key);
    return own === undefined ? pod : applyChanges(pod, own.suggestions);
  });
  return { pods, simulated };
}
