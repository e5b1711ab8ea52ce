import { type Container, type Pod, present } from '../api/index.js';
import type { ProbeType } from '../kubelet/event.js';
import { podKey, withConfigSource } from '../kubelet/pod-name.js';
import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { runBehaviours, type SaidBehaviour, type SaidOfRun, type Spread } from './behaviour.js';
import { exitOf } from './run-reader.js';
import { DEFAULT_RUN, type Scenario, type ScriptedRun } from './scenario.js';

/** A setting for all containers, one container, or one of its probes. */
export interface Targeted<T> {
  readonly container?: string;
  readonly probe?: ProbeType;
  readonly value: T;
}

/** Settings for a pod's containers; the more specific one wins, then the later one. */
export interface SaidOfPod {
  readonly readyAfter: readonly Targeted<Spread>[];
  /** All of the same target apply. */
  readonly hangsAt: readonly Targeted<Spread>[];
  readonly latency: readonly Targeted<Spread>[];
  readonly failRate: readonly Targeted<number>[];
  readonly diesAfter: readonly Targeted<Spread>[];
  readonly exitCode: readonly Targeted<number>[];
  readonly stopTakes: readonly Targeted<number>[];
}

export const NOTHING_SAID: SaidOfPod = {
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

interface PodScenario {
  readonly scenario: Scenario;
  /** Settings that contradict each other. */
  readonly problems: readonly string[];
}

/** Default milliseconds that an init container runs. */
const INIT_TAKES = 1000;
/** The kubelet relists every second: 370 ms before the pod is added. It has run for long. */
const KUBELET_UP = 2370;
const KUBELET_AGE = 24 * 3600 * 1000;

export function podScenario(pod: Pod, said: SaidOfPod, options: PodScenarioOptions): PodScenario {
  const { until, deleteAt } = options;
  const problems: string[] = [];
  const run = (container: Container, isInit: boolean): readonly [string, ScriptedRun[]] => [
    container.name,
    [runOf(container, isInit, said, (problem) => problems.push(problem))],
  ];
  const inits = (pod.spec.initContainers ?? []).map((container) =>
    run(container, !isRestartableInitContainer(container)),
  );
  const runs = [...inits, ...pod.spec.containers.map((container) => run(container, false))];
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
  said: SaidOfPod,
  tell: (problem: string) => void,
): ScriptedRun {
  const find = <T>(list: readonly Targeted<T>[]): T | undefined => mostExact(list, container.name);
  // Settings for all containers do not apply to an init container, which has to end.
  const own = <T>(list: readonly Targeted<T>[]): T | undefined =>
    isInit ? list.findLast((each) => each.container === container.name)?.value : find(list);
  const diesAfter =
    own(said.diesAfter) ?? (isInit ? { from: INIT_TAKES, to: INIT_TAKES } : undefined);
  const { conflicts, ...behaviours } = runBehaviours(container, saidOfRun(said, container.name));
  for (const [one, other] of conflicts) {
    tell(
      `${container.name}'s ${one} and ${other} probes use the same endpoint and get the same answers: set it for one of the two`,
    );
  }
  return {
    ...DEFAULT_RUN,
    exitCode: own(said.exitCode) ?? (isInit ? 0 : 1),
    stopTakes: find(said.stopTakes) ?? DEFAULT_RUN.stopTakes,
    ...behaviours,
    ...(diesAfter && exitOf(diesAfter)),
  };
}

/** Returns the setting of a container, or else that of all containers. */
function mostExact<T>(list: readonly Targeted<T>[], name: string): T | undefined {
  const whole = list.filter(({ probe }) => probe === undefined);
  const own = whole.findLast(({ container }) => container === name);
  return (own ?? whole.findLast(({ container }) => container === undefined))?.value;
}

function saidOfRun(said: SaidOfPod, name: string): SaidOfRun {
  const hangs = said.hangsAt.filter(({ probe }) => probe === undefined);
  const own = hangs.filter(({ container }) => container === name);
  const all = hangs.filter(({ container }) => container === undefined);
  const hangsAt = (own.length > 0 ? own : all).map(({ value }) => value);
  const probes = PROBE_TYPES.flatMap((type) => {
    const of = saidOfProbe(said, name, type);
    return Object.keys(of).length === 0 ? [] : [[type, of] as const];
  });
  return {
    container: present({
      readyAfter: mostExact(said.readyAfter, name),
      latency: mostExact(said.latency, name),
      failRate: mostExact(said.failRate, name),
      hangsAt: hangsAt.length === 0 ? undefined : hangsAt,
    }),
    probes: Object.fromEntries(probes),
  };
}

function saidOfProbe(said: SaidOfPod, name: string, type: ProbeType): SaidBehaviour {
  const is = ({ container, probe }: Targeted<unknown>): boolean =>
    container === name && probe === type;
  const hangsAt = said.hangsAt.filter(is).map(({ value }) => value);
  return present({
    readyAfter: said.readyAfter.findLast(is)?.value,
    latency: said.latency.findLast(is)?.value,
    failRate: said.failRate.findLast(is)?.value,
    hangsAt: hangsAt.length === 0 ? undefined : hangsAt,
  });
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
    return { message: `no container "${container}"`, known: all.map(({ name }) => name) };
  }
  if (probe === undefined || named.some((spec) => spec[`${probe}Probe`] !== undefined)) {
    return undefined;
  }
  const known = PROBE_TYPES.filter((type) => named.some((spec) => spec[`${type}Probe`]));
  return { message: `${container} has no ${probe} probe`, known };
}
