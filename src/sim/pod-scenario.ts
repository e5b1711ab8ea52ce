import { type Container, omitUndefined, type Pod } from '../api/index.js';
import { podKey, withConfigSource } from '../kubelet/pod-name.js';
import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import type { ProbeType } from '../trace/event.js';
import { type BehaviorSpec, type Range, runBehaviors, type RunBehaviorSpec } from './behavior.js';
import { exitOf } from './run-reader.js';
import { DEFAULT_RUN, KUBELET_AGE, type Scenario, type ScriptedRun } from './scenario.js';

/** A setting for all containers, one container, or one of its probes. */
export interface Targeted<T> {
  readonly container?: string;
  readonly probe?: ProbeType;
  readonly value: T;
}

/** Settings for a pod's containers; the more specific one wins, then the later one. */
export interface PodBehaviorSpec {
  readonly readyAfter: readonly Targeted<Range>[];
  /** All settings of the same target apply. */
  readonly hangsAt: readonly Targeted<Range>[];
  readonly latency: readonly Targeted<Range>[];
  readonly failRate: readonly Targeted<number>[];
  readonly diesAfter: readonly Targeted<Range>[];
  readonly exitCode: readonly Targeted<number>[];
  readonly stopTakes: readonly Targeted<number>[];
}

export const EMPTY_BEHAVIOR: PodBehaviorSpec = {
  readyAfter: [],
  hangsAt: [],
  latency: [],
  failRate: [],
  diesAfter: [],
  exitCode: [],
  stopTakes: [],
};

export interface PodScenarioOptions {
  /** Milliseconds. */
  readonly until: number;
  /** Milliseconds. */
  readonly deleteAt?: number;
}

/** Default milliseconds that an init container runs. */
const INIT_TAKES = 1000;
/** Simulated milliseconds before the pod is added, 370 ms after a relist. */
const KUBELET_UP = 2370;

/** Returns a pod's scenario, and problems: settings that contradict each other. */
export function podScenario(
  pod: Pod,
  spec: PodBehaviorSpec,
  { until, deleteAt }: PodScenarioOptions,
): { readonly scenario: Scenario; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const { containers, initContainers = [] } = pod.spec;
  const runs = [...initContainers, ...containers].map((container) => {
    const isInit = initContainers.includes(container) && !isRestartableInitContainer(container);
    return [container.name, [runOf(container, isInit, spec, problems)]] as const;
  });
  const scenario = {
    name: podKey(pod).replace('/', '_'),
    until,
    kubeletUp: KUBELET_UP,
    kubeletAge: KUBELET_AGE,
    pod: withConfigSource(pod, 'file'),
    containers: Object.fromEntries(runs),
    actions: deleteAt === undefined ? [] : [{ at: deleteAt, do: 'delete' } as const],
  };
  return { scenario, problems };
}

function runOf(
  container: Container,
  isInit: boolean,
  spec: PodBehaviorSpec,
  problems: string[],
): ScriptedRun {
  const { name } = container;
  // Settings for all containers do not apply to an init container, which has to end.
  const settingOf = <T>(list: readonly Targeted<T>[]): T | undefined =>
    settingsOf(isInit ? list.filter((each) => each.container === name) : list, name).at(-1);
  const diesAfter =
    settingOf(spec.diesAfter) ?? (isInit ? { from: INIT_TAKES, to: INIT_TAKES } : undefined);
  const { conflicts, ...behaviors } = runBehaviors(container, runSpecOf(spec, name));
  for (const [first, second] of conflicts) {
    const same = 'use the same endpoint and get the same answers: set it for one of the two';
    problems.push(`${name}'s ${first} and ${second} probes ${same}`);
  }
  return {
    ...DEFAULT_RUN,
    exitCode: settingOf(spec.exitCode) ?? (isInit ? 0 : 1),
    stopTakes: settingsOf(spec.stopTakes, name).at(-1) ?? DEFAULT_RUN.stopTakes,
    ...behaviors,
    ...(diesAfter && exitOf(diesAfter)),
  };
}

/** Returns the settings of a container or one of its probes; a container without its own gets those of all containers. */
function settingsOf<T>(all: readonly Targeted<T>[], name: string, type?: ProbeType): readonly T[] {
  const list = all.filter(({ probe }) => probe === type);
  const specific = list.filter(({ container }) => container === name);
  const used =
    specific.length > 0 ? specific : list.filter(({ container }) => container === undefined);
  return used.map(({ value }) => value);
}

function specOf(spec: PodBehaviorSpec, name: string, type?: ProbeType): BehaviorSpec {
  const hangsAt = settingsOf(spec.hangsAt, name, type);
  return omitUndefined({
    readyAfter: settingsOf(spec.readyAfter, name, type).at(-1),
    latency: settingsOf(spec.latency, name, type).at(-1),
    failRate: settingsOf(spec.failRate, name, type).at(-1),
    hangsAt: hangsAt.length === 0 ? undefined : hangsAt,
  });
}

function runSpecOf(spec: PodBehaviorSpec, name: string): RunBehaviorSpec {
  const probes = PROBE_TYPES.map((type) => [type, specOf(spec, name, type)] as const);
  const given = probes.filter(([, behavior]) => Object.keys(behavior).length > 0);
  return { container: specOf(spec, name), probes: Object.fromEntries(given) };
}

/** Returns the error of a target that does not exist in these pods. */
export function missingTarget(
  { container, probe }: Omit<Targeted<unknown>, 'value'>,
  pods: readonly Pod[],
): { readonly message: string; readonly known: readonly string[] } | undefined {
  if (container === undefined) return undefined;
  const all = pods.flatMap(({ spec }) => [...spec.containers, ...(spec.initContainers ?? [])]);
  const named = all.filter(({ name }) => name === container);
  if (named.length === 0) {
    const names = new Set(all.map(({ name }) => name));
    return { message: `no container "${container}"`, known: [...names] };
  }
  if (probe === undefined || named.some((spec) => spec[`${probe}Probe`] !== undefined)) {
    return undefined;
  }
  const known = PROBE_TYPES.filter((type) => named.some((spec) => spec[`${type}Probe`]));
  return { message: `${container} has no ${probe} probe`, known };
}
