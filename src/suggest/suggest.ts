import type { Container, Pod, Probe } from '../api/index.js';
import type { ProbeType } from '../kubelet/event.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { endpointOf } from '../sim/endpoint.js';
import type { ObservedRun } from '../sim/recorded/observe.js';
import { type Measure, measure } from './measure.js';
import type { ProbedRole, ProposedSettings, Trade } from './proposed-settings.js';
import { suggestLiveness, suggestReadiness, suggestStartup } from './suggest-probe.js';

/** Proposed settings for the probes of a recorded pod, and their effect. */
export interface PodSuggestions {
  /** `namespace/name`. */
  readonly pod: string;
  /** The object that the pod comes from, which the patch is for. */
  readonly source: { readonly kind: string; readonly name: string };
  readonly suggestions: readonly Suggestion[];
  /** A strategic merge patch; absent when nothing is to change. */
  readonly patch?: object;
}

export interface Suggestion {
  readonly container: string;
  readonly role: ProbedRole;
  readonly probe: ProbeType;
  /** Undefined for a new startup probe. */
  readonly before: Probe | undefined;
  readonly after: Probe;
  readonly reasons: readonly string[];
  readonly trades: readonly Trade[];
  /** The size of the recording. */
  readonly runs: number;
  readonly attempts: number;
}

/** Proposes settings for the probes of a pod's sidecars and containers, in the order of their start. */
export function suggestPod(
  { spec }: Pod,
  runs: ReadonlyMap<string, readonly ObservedRun[]>,
): Suggestion[] {
  const of = (role: ProbedRole) => (container: Container) =>
    suggest(container, role, runs.get(container.name) ?? []);
  const sidecars = (spec.initContainers ?? []).filter(isRestartableInitContainer);
  return [...sidecars.flatMap(of('sidecar')), ...spec.containers.flatMap(of('container'))];
}

/** Proposes settings for the probes of a container from its recorded runs. */
function suggest(
  container: Container,
  role: ProbedRole,
  runs: readonly ObservedRun[],
): Suggestion[] {
  const of = (type: ProbeType): Probe | undefined => probeOf(container, type);
  const propose = (
    probe: ProbeType,
    asked: Probe | undefined,
    settings: (asked: Probe, all: Measure, again: (seconds: number) => Measure) => ProposedSettings,
  ): Suggestion[] => {
    const endpoint = asked && endpointOf(asked, container);
    if (asked === undefined || endpoint === undefined) return [];
    const all = measure(runs, endpoint, { probe });
    if (all.starts.length === 0) return [];
    const again = (seconds: number): Measure =>
      measure(runs, endpoint, { limit: seconds * 1000, probe });
    const about = { container: container.name, role, probe, before: of(probe) };
    return [{ ...about, trades: [], ...settings(asked, all, again), ...sizeOf(all) }];
  };
  const startup = of('startup');
  return [
    // Without a liveness probe there is no need for a startup probe.
    ...propose('startup', startup ?? of('liveness'), (asked, all) =>
      suggestStartup(startup, asked, role, all),
    ),
    ...propose('readiness', of('readiness'), suggestReadiness),
    ...propose('liveness', of('liveness'), suggestLiveness),
  ];
}

function sizeOf({
  starts,
  neverAnswered,
  attempts,
}: Measure): Pick<Suggestion, 'runs' | 'attempts'> {
  return { runs: starts.length + neverAnswered, attempts };
}
