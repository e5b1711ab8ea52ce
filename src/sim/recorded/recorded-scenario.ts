import { containerNamed, omitUndefined, type Pod, type PodSpec } from '../../api/index.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import type { LineOf, TraceLine } from '../../trace/trace-line.js';
import { endpointOf } from '../endpoint.js';
import {
  type Action,
  DEFAULT_RUN,
  KUBELET_UP,
  type NetworkAnswer,
  type Scenario,
  type ScriptedAnswer,
  type ScriptedRun,
} from '../scenario.js';
import { isSuccess, type Observation, type ObservedPod, type ObservedRun } from './observe.js';

/** Milliseconds of an answer that never comes. */
const NEVER = 24 * 3600 * 1000;
/** Milliseconds after which a kubelet's age makes no difference. */
const SETTLED_AGE = 600_000;

interface RecordedScenarioOptions {
  /** Length of the recording in milliseconds. */
  readonly length: number;
  /** The kubelet's age in milliseconds when the recording began; absent for a simulation. */
  readonly kubeletAge?: number;
  /** Plays in place of the recorded kubelet. */
  readonly kubelet?: KubeletConfig;
  /** Returns the pod with other settings. */
  readonly change: (pod: Pod) => Pod;
}

/**
 * Returns a scenario that repeats a recording: each run starts, answers and ends like the recorded run of its number, or
 * the last one; an attempt at another time gets the nearest answer.
 */
export function recordedScenario(
  { key, object, addedAt, kubelet: recorded, actions, containers }: ObservedPod,
  { length, kubeletAge, kubelet = recorded, change }: RecordedScenarioOptions,
): Scenario {
  const runs = [...containers].map(([name, observed]) => [name, observed.map(scriptOf)] as const);
  return {
    name: key,
    until: length - addedAt,
    ...ageOf(kubeletAge, addedAt),
    ...omitUndefined({ kubelet }),
    pod: change(object),
    containers: Object.fromEntries(runs),
    actions: actions.map((action): Action =>
      action.do === 'delete' ? action : { at: action.at, do: 'update', pod: change(action.object) },
    ),
  };
}

/** A live kubelet starts with the trace, relists every second from then on, and right after its own actions. */
function ageOf(
  kubeletAge: number | undefined,
  addedAt: number,
): Pick<Scenario, 'kubeletUp' | 'kubeletAge' | 'relistLatency'> {
  if (kubeletAge === undefined) return { kubeletUp: KUBELET_UP };
  const seconds = Math.floor(Math.min(kubeletAge, SETTLED_AGE) / 1000);
  const kubeletUp = seconds * 1000 + (addedAt % 1000);
  return { kubeletUp, kubeletAge: Math.max(0, kubeletAge - kubeletUp), relistLatency: 1 };
}

function scriptOf(observed: ObservedRun): ScriptedRun {
  const { answers, end, startTakes, startError } = observed;
  const exec = [...answers]
    .filter(([endpoint]) => endpoint.startsWith(EXEC))
    .map(
      ([endpoint, list]) => [endpoint.slice(EXEC.length), extendAnswers(list, execAnswer)] as const,
    );
  const network = [...answers]
    .filter(([endpoint]) => !endpoint.startsWith(EXEC))
    .map(([endpoint, list]) => [endpoint, extendAnswers(list, networkAnswer)] as const);
  return {
    ...DEFAULT_RUN,
    startTakes,
    exec: Object.fromEntries(exec),
    network: Object.fromEntries(network),
    ...(startError !== undefined && { startError }),
    ...(end?.kind === 'itself' && { exitAfter: end.age, exitCode: end.exitCode }),
    ...(end?.kind === 'stopped' && { stopTakes: end.took, stopExitCode: end.exitCode }),
  };
}

const EXEC = 'exec ';

/** Extends each answer to the middle of the time to the next one. */
function extendAnswers<Answer>(
  observations: readonly Observation[],
  answerOf: (observation: Observation) => Answer,
): (Answer & { readonly until?: number })[] {
  return observations.map((observation, index) => {
    const next = observations[index + 1];
    return { ...answerOf(observation), ...(next && { until: (observation.age + next.age) / 2 }) };
  });
}

function answerOf({ latency, timedOutAfter, outcome, estimate }: Observation) {
  return estimate ?? { takes: timedOutAfter === undefined ? latency : NEVER, outcome };
}

function networkAnswer(observation: Observation): NetworkAnswer {
  const { takes, outcome } = answerOf(observation);
  return { takes, response: { kind: 'recorded', outcome } };
}

function execAnswer(observation: Observation): ScriptedAnswer {
  const { takes, outcome } = answerOf(observation);
  const { output, error } = outcome;
  const exit = isSuccess({ outcome }) ? 0 : 1;
  return { takes, exit, stdout: output, stderr: '', ...omitUndefined({ error }) };
}

/** Simulated attempts for which the recording has no answer. */
export interface Unobserved {
  readonly pod: string;
  readonly container: string;
  readonly probe: string;
  readonly basis:
    /** The recording has no run of this number, so the last one was used. */
    | 'run'
    | 'endpoint'
    /** The recorded run was first probed later, or had ended. */
    | 'before'
    | 'after'
    /** The recorded run was stopped: the answers are those of a later attempt or of another run. */
    | 'continued'
    /** The recorded attempt had a shorter timeout: its latency was drawn from the tail of the others. */
    | 'tail'
    /** The recorded attempt had a shorter timeout: its latency is that of a trial with a longer one. */
    | 'trial'
    /** The recorded attempt had a shorter timeout: its latency is the time to the next answer. */
    | 'outage'
    /** The recorded attempt had a shorter timeout: the simulated one never gets an answer. */
    | 'timeout';
  /** Time of the first of these attempts, in seconds since the trace began. */
  readonly t: number;
  readonly run: number;
  readonly attempts: number;
  /** Seconds: the run's first or last attempt, or the recorded timeout. */
  readonly limit?: number;
}

/** Finds the attempts whose answers a simulation of a recording had to guess. */
export function findUnobserved(
  observed: readonly ObservedPod[],
  lines: readonly TraceLine[],
): readonly Unobserved[] {
  const found = new Map<string, Unobserved>();
  const pods = new Map<string, Pod>();
  const starts = new Map<string, LineOf<'started'>>();
  for (const line of lines) {
    if (line.kind === 'pod') pods.set(line.pod, line.object);
    else if (line.kind === 'started') starts.set(`${line.pod} ${line.container}`, line);
    if (line.kind !== 'attempt') continue;
    const { pod, container, probe, t } = line;
    const start = starts.get(`${pod} ${container}`);
    const spec = pods.get(pod)?.spec;
    const runs = observed.find(({ key }) => key === pod)?.containers.get(container) ?? [];
    const gap = start && spec && gapOf(spec, runs, line, start);
    if (gap === undefined) continue;
    const key = `${pod} ${container} ${probe} ${gap.basis} ${gap.run}`;
    const first = found.get(key) ?? { pod, container, probe, t, ...gap, attempts: 0 };
    found.set(key, { ...first, attempts: first.attempts + 1 });
  }
  return [...found.values()];
}

function gapOf(
  spec: PodSpec,
  runs: readonly ObservedRun[],
  { container: name, probe: type, t }: LineOf<'attempt'>,
  { run, t: startedAt }: { readonly run: number; readonly t: number },
): Pick<Unobserved, 'run' | 'basis' | 'limit'> | undefined {
  const container = containerNamed(spec, name);
  const probe = container && probeOf(container, type);
  const endpoint = probe && endpointOf(probe, container);
  if (probe === undefined || endpoint === undefined) return undefined;
  const recorded = runs[run];
  if (recorded === undefined) return { run, basis: 'run' };
  const answers = recorded.answers.get(endpoint) ?? [];
  const first = answers[0];
  const last = answers.findLast(({ continued }) => continued !== true);
  if (first === undefined || last === undefined) return { run, basis: 'endpoint' };
  const age = (t - startedAt) * 1000;
  const tolerance = spacing(answers);
  if (age < first.age - tolerance) return { run, basis: 'before', limit: first.age / 1000 };
  if (age > last.age + tolerance) {
    return { run, basis: last === answers.at(-1) ? 'after' : 'continued', limit: last.age / 1000 };
  }
  const { timedOutAfter, estimate } = nearest(answers, age) ?? {};
  return timedOutAfter !== undefined && timedOutAfter < probe.timeoutSeconds * 1000
    ? { run, basis: estimate?.basis ?? 'timeout', limit: timedOutAfter / 1000 }
    : undefined;
}

/** A cache: every attempt looks up the spacing, and recordings are long. */
const SPACINGS = new WeakMap<readonly Observation[], number>();

/** Returns the longest time between two recorded attempts, at least a second: a simulated attempt may be off by it. */
function spacing(answers: readonly Observation[]): number {
  const known = SPACINGS.get(answers);
  if (known !== undefined) return known;
  let max = 1000;
  for (const [index, { age }] of answers.entries()) {
    max = Math.max(max, age - (answers[index - 1]?.age ?? age));
  }
  SPACINGS.set(answers, max);
  return max;
}

/** Returns the nearest answer; `answers` are in the order of age. */
function nearest(answers: readonly Observation[], age: number): Observation | undefined {
  const after = firstFrom(answers, age);
  const before = answers[firstFrom(answers, answers[after - 1]?.age ?? age)];
  const next = answers[after];
  if (before === undefined || next === undefined) return before ?? next ?? answers[0];
  return next.age - age < age - before.age ? next : before;
}

/** Returns the index of the first answer of at least that age. */
function firstFrom(answers: readonly Observation[], age: number): number {
  let [from, to] = [0, answers.length];
  while (from < to) {
    const center = (from + to) >> 1;
    if ((answers[center]?.age ?? Infinity) < age) from = center + 1;
    else to = center;
  }
  return from;
}
