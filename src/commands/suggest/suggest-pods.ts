import { podKind } from '../../api/admission/index.js';
import type { Pod } from '../../api/index.js';
import { podKey } from '../../kubelet/pod-name.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { withEstimates } from '../../sim/recorded/estimate.js';
import { observe, runsOfProcesses } from '../../sim/recorded/observe.js';
import { type WhatIf, whatIf } from '../../sim/recorded/what-if.js';
import type { OnSimulated } from '../../sim/simulate-scenarios.js';
import {
  applyChanges,
  type Patched,
  patchOf,
  type PodSuggestions,
  suggestPod,
  unansweredOf,
} from '../../suggest/suggest.js';
import { linesOfRun, type Trace } from '../../trace/read-trace.js';
import type { TraceSource } from '../../trace/trace-record.js';
import { UsageError } from '../../usage-error.js';

export type { PodSuggestions };

export interface Suggestions {
  readonly pods: readonly PodSuggestions[];
  /** The recording compared with a simulation of the proposal. */
  readonly simulated: WhatIf;
}

/**
 * Proposes settings from a recording, and simulates it with them. With a loaded object, the proposals change its
 * settings in place of the recorded ones.
 */
export async function suggestFor(
  trace: Trace,
  loaded?: LoadedPod,
  onSimulated?: OnSimulated,
): Promise<Suggestions> {
  const observed = observe(linesOfRun(trace));
  const { sources = [] } = trace.header;
  if (loaded !== undefined && observed.length > 1) {
    throw new UsageError(`the recording has ${observed.length} pods: with --kube, it needs one`);
  }
  const current = (pod: Pod): Pod => (loaded ? { ...pod, spec: loaded.pod.spec } : pod);
  const pods = observed.map(({ key, object, containers: recorded }): PodSuggestions => {
    const containers = new Map(
      [...recorded].map(([name, runs]) => [name, withEstimates(runsOfProcesses(runs))] as const),
    );
    const suggestions = suggestPod(current(object), containers);
    const unanswered = unansweredOf(current(object), containers);
    const recordedSource = sources.find(({ pod, name }) => pod === key && name !== '');
    const source = loaded?.source ?? recordedSource;
    const patched = patchedOf(key, source);
    const patch = patchOf(suggestions, patched);
    const { kind, name } = source ?? patched;
    const pod = loaded ? podKey(loaded.pod) : key;
    const common = { pod, source: { kind, name }, suggestions, unanswered };
    return patch === undefined ? common : { ...common, patch };
  });
  const change = (pod: Pod): Pod => {
    const key = podKey(pod);
    const match = loaded ? pods[0] : pods.find((candidate) => candidate.pod === key);
    return match === undefined ? pod : applyChanges(current(pod), match.suggestions);
  };
  return { pods, simulated: await whatIf(trace, change, onSimulated) };
}

/** Returns the workload that a pod comes from; the pod itself when no workload of a known kind is named. */
function patchedOf(pod: string, source?: Pick<TraceSource, 'kind' | 'name'>): Patched {
  const known = source && podKind(source.kind);
  if (source === undefined || known === undefined) {
    const name = pod.slice(pod.indexOf('/') + 1);
    return { apiVersion: 'v1', kind: 'Pod', name, templatePath: '' };
  }
  const { apiVersion, kind, templatePath } = known;
  return { apiVersion, kind, name: source.name, templatePath };
}
