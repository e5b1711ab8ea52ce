import { containerNamed, type Pod } from '../../api/index.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { endpointOf } from '../endpoint.js';
import type { Observation, ObservedPod, ObservedRun } from './observe.js';

/** Simulated attempts without a recorded answer of their own; each got the nearest one. */
export interface Unobserved {
  readonly pod: string;
  readonly container: string;
  readonly probe: string;
  readonly why:
    /** The recording has no run of this number: the last one was used. */
    | 'run'
    /** The endpoint was never probed. */
    | 'endpoint'
    /** The recorded run was first probed later, or had ended. */
    | 'before'
    | 'after'
    /** The recorded attempt had a shorter timeout: the simulation assumes no answer. */
    | 'timeout';
  /** The first of them: seconds since the trace began. */
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
  const finder = new Finder(observed);
  for (const line of lines) finder.add(line);
  return [...finder.found.values()];
}

class Finder {
  readonly found = new Map<string, Unobserved>();
  readonly #pods = new Map<string, Pod>();
  readonly #runs = new Map<string, { readonly run: number; readonly at: number }>();

  constructor(private readonly observed: readonly ObservedPod[]) {}

  add(line: TraceLine): void {
    if (line.kind === 'pod') this.#pods.set(line.pod, line.object);
    else if (line.kind === 'started') {
      this.#runs.set(`${line.pod} ${line.container}`, { run: line.run, at: line.t });
    } else if (line.kind === 'attempt') this.#attempt(line);
  }

  #attempt(line: Extract<TraceLine, { kind: 'attempt' }>): void {
    const spec = this.#pods.get(line.pod)?.spec;
    const container = spec && containerNamed(spec, line.container);
    const probe = container && probeOf(container, line.probe);
    const endpoint = probe && endpointOf(probe, container);
    const run = this.#runs.get(`${line.pod} ${line.container}`);
    if (probe === undefined || endpoint === undefined || run === undefined) return;
    const runs = this.observed.find(({ key }) => key === line.pod)?.containers.get(line.container);
    const gap = gapOf(runs ?? [], endpoint, run.run, {
      age: (line.t - run.at) * 1000,
      timeout: probe.timeoutSeconds * 1000,
    });
    if (gap === undefined) return;
    const { pod, container: name, probe: type, t } = line;
    const key = `${pod} ${name} ${type} ${gap.why} ${run.run}`;
    const before = this.found.get(key);
    const attempts = (before?.attempts ?? 0) + 1;
    const first = before ?? { pod, container: name, probe: type, t, run: run.run, ...gap };
    this.found.set(key, { ...first, attempts });
  }
}

type Gap = Pick<Unobserved, 'why' | 'limit'>;

function gapOf(
  runs: readonly ObservedRun[],
  endpoint: string,
  run: number,
  attempt: { readonly age: number; readonly timeout: number },
): Gap | undefined {
  const own = runs[run];
  if (own === undefined) return { why: 'run' };
  const answers = own.answers.get(endpoint);
  const [first, last] = [answers?.[0], answers?.at(-1)];
  if (answers === undefined || first === undefined || last === undefined) {
    return { why: 'endpoint' };
  }
  const slack = spacing(answers);
  if (attempt.age < first.age - slack) return { why: 'before', limit: first.age / 1000 };
  if (attempt.age > last.age + slack) return { why: 'after', limit: last.age / 1000 };
  const timedOutAfter = nearest(answers, attempt.age)?.timedOutAfter;
  return timedOutAfter !== undefined && timedOutAfter < attempt.timeout
    ? { why: 'timeout', limit: timedOutAfter / 1000 }
    : undefined;
}

/** Cached: every attempt looks it up, and recordings are long. */
const SPACINGS = new WeakMap<readonly Observation[], number>();

/** Returns the longest time between two recorded attempts, at least a second: a simulated attempt may be off by it. */
function spacing(answers: readonly Observation[]): number {
  const known = SPACINGS.get(answers);
  if (known !== undefined) return known;
  let longest = 1000;
  for (const [index, { age }] of answers.entries()) {
    longest = Math.max(longest, age - (answers[index - 1]?.age ?? age));
  }
  SPACINGS.set(answers, longest);
  return longest;
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
    const middle = (from + to) >> 1;
    if ((answers[middle]?.age ?? Infinity) < age) from = middle + 1;
    else to = middle;
  }
  return from;
}
