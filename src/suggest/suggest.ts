import { type Container, mapContainers, type Pod, type Probe } from '../api/index.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { endpointOf, probeEndpoints } from '../sim/endpoint.js';
import type { ObservedRun } from '../sim/recorded/observe.js';
import type { ProbeType } from '../trace/event.js';
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
  /** Probes whose attempts all failed: there is nothing to propose from. */
  readonly unanswered: readonly Unanswered[];
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

export interface Unanswered {
  readonly container: string;
  readonly probe: ProbeType;
  /** The longest time in seconds that a run was probed: a start takes longer, unless the probe itself is wrong. */
  readonly seconds: number;
  /** All attempts of the longest run ran into the timeout. */
  readonly timedOut: boolean;
  /** The kubelet stopped the container, and with it its process. */
  readonly killed: boolean;
}

/** Finds the probes of a pod's sidecars and containers that never succeeded. */
export function unansweredOf(
  { spec }: Pod,
  runs: ReadonlyMap<string, readonly ObservedRun[]>,
): Unanswered[] {
  const sidecars = (spec.initContainers ?? []).filter(isRestartableInitContainer);
  return [...sidecars, ...spec.containers].flatMap((container) =>
    [...probeEndpoints(container)].flatMap(([probe, endpoint]): Unanswered | [] => {
      const all = runs.get(container.name) ?? [];
      const { starts, longestUnanswered: seconds } = measure(all, endpoint);
      if (starts.length > 0 || seconds === 0) return [];
      const answers = all.flatMap((run) => run.answers.get(endpoint) ?? []);
      const timedOut = answers.every(({ timedOutAfter }) => timedOutAfter !== undefined);
      const killed = all.some(({ stoppedAt, end }) =>
        end?.kind === 'stopped' ? end.simulated !== true : stoppedAt !== undefined,
      );
      return { container: container.name, probe, seconds, timedOut, killed };
    }),
  );
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

function suggest(container: Container, role: ProbedRole, runs: readonly ObservedRun[]) {
  const of = (type: ProbeType): Probe | undefined => probeOf(container, type);
  const propose = (
    probe: ProbeType,
    asked: Probe | undefined,
    settings: (
      asked: Probe,
      all: Measure,
      remeasure: (seconds: number) => Measure,
    ) => ProposedSettings,
  ): Suggestion[] => {
    const endpoint = asked && endpointOf(asked, container);
    if (asked === undefined || endpoint === undefined) return [];
    const all = measure(runs, endpoint, { probe });
    const { starts, neverAnswered, attempts } = all;
    if (starts.length === 0) return [];
    const size = { runs: starts.length + neverAnswered, attempts };
    const remeasure = (seconds: number): Measure =>
      measure(runs, endpoint, { limit: seconds * 1000, probe });
    const subject = { container: container.name, role, probe, before: of(probe) };
    return [{ ...subject, trades: [], ...settings(asked, all, remeasure), ...size }];
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

type Change = Pick<Suggestion, 'container' | 'role' | 'probe' | 'before' | 'after'>;

export interface Patched {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Path of the pod template: `spec.template`; empty for a Pod. */
  readonly templatePath: string;
}

/** Returns a strategic merge patch with the changed fields; undefined when nothing changes. */
export function patchOf(
  changes: readonly Change[],
  { apiVersion, kind, name, templatePath }: Patched,
): object | undefined {
  const lists = (['sidecar', 'container'] as const).flatMap((role) => {
    const containers = containersOf(changes.filter((change) => change.role === role));
    return containers.length === 0 ? [] : [[LISTS[role], containers] as const];
  });
  if (lists.length === 0) return undefined;
  const steps = templatePath === '' ? [] : templatePath.split('.');
  const inner = steps.reduceRight<object>((value, step) => ({ [step]: value }), {
    spec: Object.fromEntries(lists),
  });
  return { apiVersion, kind, metadata: { name }, ...inner };
}

/** The lists of a pod's spec that have containers; a patch merges their items by name. */
const LISTS = { sidecar: 'initContainers', container: 'containers' } as const;

/** Returns the changed items of such a list. */
function containersOf(changes: readonly Change[]): object[] {
  const names = [...new Set(changes.map(({ container }) => container))];
  return names.flatMap((container) => {
    const probes = changes
      .filter((change) => change.container === container)
      .map(({ probe, before, after }) => [`${probe}Probe`, changed(before, after)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0);
    return probes.length === 0 ? [] : [{ name: container, ...Object.fromEntries(probes) }];
  });
}

export function changed(before: Probe | undefined, after: Probe): object {
  if (before === undefined) return after;
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => old[key] !== value));
}

export function applyChanges(pod: Pod, changes: readonly Change[]): Pod {
  const change = (container: Container): Container => {
    const ofContainer = changes.filter((change) => change.container === container.name);
    return ofContainer.reduce<Container>(
      (changedOne, { probe, after }) => ({ ...changedOne, [`${probe}Probe`]: after }),
      container,
    );
  };
  return { ...pod, spec: mapContainers(pod.spec, change) };
}
