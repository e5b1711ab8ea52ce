import { podKind } from '../api/index.js';
import { podKey } from '../kubelet/pod-name.js';
import { observe } from '../sim/recorded/observe.js';
import { applyChanges, type Patched, patchOf } from '../suggest/patch.js';
import { type PodSuggestions, suggestPod } from '../suggest/suggest.js';
import { linesOfRun, type Trace } from '../trace/read-trace.js';
import type { TraceSource } from '../trace/trace-record.js';
import { type WhatIf, whatIf } from './what-if.js';

export type { PodSuggestions };

export interface Suggestions {
  readonly pods: readonly PodSuggestions[];
  /** The recording compared with a simulation of the proposal. */
  readonly simulated: WhatIf;
}

/** Proposes settings from a recording, and simulates it with them. */
export async function suggestFor(trace: Trace): Promise<Suggestions> {
  const pods = observe(linesOfRun(trace)).map(({ key, object, containers }): PodSuggestions => {
    const suggestions = suggestPod(object, containers);
    const patched = patchedOf(trace, key);
    const patch = patchOf(suggestions, patched);
    const { kind, name } = sourceOf(trace, key) ?? patched;
    const about = { pod: key, source: { kind, name }, suggestions };
    return patch === undefined ? about : { ...about, patch };
  });
  const simulated = await whatIf(trace, (pod) => {
    const key = podKey(pod);
    const own = pods.find((one) => one.pod === key);
    return own === undefined ? pod : applyChanges(pod, own.suggestions);
  });
  return { pods, simulated };
}

function sourceOf({ header }: Trace, pod: string): TraceSource | undefined {
  return header.sources?.find((one) => one.pod === pod && one.name !== '');
}

/** Returns the workload that a pod comes from; the pod itself when the trace names none whose kind is known. */
function patchedOf(trace: Trace, pod: string): Patched {
  const source = trace.header.sources?.find((one) => one.pod === pod);
  const kind = source && podKind(source.kind);
  const own = pod.slice(pod.indexOf('/') + 1);
  if (source === undefined || kind === undefined) {
    return { apiVersion: 'v1', kind: 'Pod', name: own, templatePath: '' };
  }
  const { apiVersion, templatePath } = kind;
  return {
    apiVersion,
    kind: kind.kind,
    name: source.name === '' ? own : source.name,
    templatePath,
  };
}
