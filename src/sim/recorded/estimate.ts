import { type Random, seeded } from '../../clock/clock.js';
import { isSuccess, type Observation, type ObservedRun } from './observe.js';

/*
 * Estimates of what a recording does not show. An attempt that ran into its timeout is a censored sample: its answer
 * would have come later. All times are in milliseconds.
 */

/** The upper end of a distribution of latencies. */
export interface Tail {
  /** Attempts that ran into the timeout. */
  readonly timeouts: number;
  /** Share of the attempts with an answer. */
  readonly answered: number;
  /** Returns the latency that a share of the answers does not exceed. */
  readonly quantile: (share: number) => number;
}

/** Fewer answers show no distribution. */
const MIN_ANSWERS = 5;
/** Timeouts are slow answers where one in ten of the others takes at least this share of the timeout. */
const MIN_SLOW_SHARE = 0.3;
const SLOW_QUANTILE = 0.9;
/** Failures in a row are an outage if chance alone makes fewer such streaks than this. */
const MIN_EXPECTED_STREAKS = 0.05;

/** Fits a logistic distribution to the slower half of the answers; undefined where the timeouts do not continue it. */
function fitTail(latencies: readonly number[], timeouts: readonly number[]): Tail | undefined {
  const sorted = latencies.toSorted((a, b) => a - b);
  const slow = sorted[Math.ceil(SLOW_QUANTILE * sorted.length) - 1] ?? 0;
  if (timeouts.length === 0 || sorted.length < MIN_ANSWERS) return undefined;
  if (slow < MIN_SLOW_SHARE * Math.min(...timeouts)) return undefined;
  const count = sorted.length + timeouts.length;
  const points = sorted
    .map((latency, index) => ({ at: logit((index + 0.5) / count), latency }))
    .slice(Math.floor(sorted.length / 2));
  const mean = (of: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at, latency] = [mean((point) => point.at), mean((point) => point.latency)];
  const scale =
    mean((point) => (point.at - at) * (point.latency - latency)) /
    mean((point) => (point.at - at) ** 2);
  const quantile = (share: number): number => latency + scale * (logit(share) - at);
  return { timeouts: timeouts.length, answered: sorted.length / count, quantile };
}

function logit(share: number): number {
  return Math.log(share / (1 - share));
}

/** Returns the tail of an endpoint's latencies, from the answers of each run in the order of age. */
export function tailOf(lists: readonly (readonly Observation[])[]): Tail | undefined {
  const isSlow = slowStreaks(lists);
  const steady = lists.map(steadyPart);
  const slow = steady.flatMap((list) => streaksOf(list, isTimeout)).filter(isSlow);
  return fitTail(
    steady.flat().flatMap((observation) => (isSuccess(observation) ? observation.latency : [])),
    slow.flatMap(({ observations }) => observations.map(({ timedOutAfter = 0 }) => timedOutAfter)),
  );
}

/** Returns a function that reports whether a streak of timeouts is no outage, because timeouts are frequent. */
function slowStreaks(lists: readonly (readonly Observation[])[]): (streak: Streak) => boolean {
  const all = lists.flatMap(steadyPart);
  const share = all.filter(isTimeout).length / all.length;
  return ({ observations }) => isChance(observations.length, share, all.length);
}

/** Returns the answers from the first success on. */
function steadyPart(list: readonly Observation[]): readonly Observation[] {
  const first = list.findIndex(isSuccess);
  return first === -1 ? [] : list.slice(first);
}

function isTimeout({ timedOutAfter }: Observation): boolean {
  return timedOutAfter !== undefined;
}

/** Observations in a row that all match. */
interface Streak {
  /** Index of the first observation. */
  readonly from: number;
  readonly observations: readonly Observation[];
}

function streaksOf(
  list: readonly Observation[],
  matches: (observation: Observation) => boolean,
): readonly Streak[] {
  const streaks: { from: number; observations: Observation[] }[] = [];
  for (const [index, observation] of list.entries()) {
    if (!matches(observation)) continue;
    const last = streaks.at(-1);
    if (last !== undefined && last.from + last.observations.length === index)
      last.observations.push(observation);
    else streaks.push({ from: index, observations: [observation] });
  }
  return streaks;
}

/** Reports whether `count` equal results in a row may be chance, when `share` of `all` attempts have that result. */
function isChance(count: number, share: number, all: number): boolean {
  return all * share ** count >= MIN_EXPECTED_STREAKS;
}

/** Adds to each attempt that timed out when its answer would have come, where the recording allows an estimate. */
export function withEstimates(runs: readonly ObservedRun[]): readonly ObservedRun[] {
  const random = seeded(1);
  return changeAnswers(runs, (lists) => {
    const tail = tailOf(lists);
    const isSlow = slowStreaks(lists);
    const success = lists.flat().find(isSuccess);
    return lists.map((list) => {
      const estimates = new Map<Observation, Observation['estimate']>();
      for (const streak of streaksOf(list, isTimeout)) {
        const { from, observations } = streak;
        const next = list[from + observations.length];
        const isTail = tail !== undefined && success !== undefined && isSlow(streak);
        const tried = observations.findLast(({ triedFor }) => triedFor !== undefined)?.triedFor;
        for (const observation of observations) {
          const estimate = isTail
            ? tailEstimate(observation, tail, success, random)
            : tried !== undefined
              ? trialEstimate(observation, tried, success)
              : next && outageEstimate(observation, observations.at(-1) ?? observation, next);
          if (estimate !== undefined) estimates.set(observation, estimate);
        }
      }
      return list.map((observation) => {
        const estimate = estimates.get(observation);
        return estimate === undefined ? observation : { ...observation, estimate };
      });
    });
  });
}

/** Draws from the tail of the latencies. */
function tailEstimate(
  { timedOutAfter: timeout = 0 }: Observation,
  { answered, quantile }: Tail,
  { outcome }: Observation,
  random: Random,
): Observation['estimate'] {
  const share = answered + (1 - answered) * random();
  return { basis: 'tail', takes: Math.max(timeout + 1, quantile(share)), outcome };
}

/** Returns the answer that a trial got while attempts timed out. */
function trialEstimate(
  { timedOutAfter: timeout = 0 }: Observation,
  tried: number,
  { outcome }: Pick<Observation, 'outcome'> = { outcome: { result: 'success', output: '' } },
): Observation['estimate'] {
  return { basis: 'trial', takes: Math.max(timeout + 1, tried), outcome };
}

/** Returns the answer at the end of the outage, midway between its last timeout and the next answer. */
function outageEstimate(
  { age, timedOutAfter: timeout = 0 }: Observation,
  last: Observation,
  next: Observation,
): Observation['estimate'] {
  const takes = (last.age + timeout + next.age + next.latency) / 2 - age;
  return takes > timeout ? { basis: 'outage', takes, outcome: next.outcome } : undefined;
}

/** About how many answers are added to all continued runs together, at most. */
const MAX_CONTINUED = 100_000;

/**
 * Continues each run that was stopped, up to the age `length`, with what the container answered later or in other runs.
 * A run that was stopped in an outage continues as it was: whether it would have recovered is unknown.
 */
export function continuedRuns(
  runs: readonly ObservedRun[],
  length: number,
): readonly ObservedRun[] {
  return changeAnswers(runs, (lists, probed) => {
    const ended = lists
      .map(steadyPart)
      .flatMap((list) => list.slice(0, list.findLastIndex(isSuccess) + 1));
    // A recording without failures does not prove that failures never happen.
    const share = (ended.filter(isFailure).length + 0.5) / (ended.length + 1);
    const isFlap = ({ observations }: Streak): boolean =>
      isChance(observations.length, share, ended.length);
    const filled = lists.map((list) => withoutGaps(list, isFlap));
    const isStuck = filled.map((list) => {
      const last = streaksOf(steadyPart(list), isFailure).at(-1);
      return last?.observations.at(-1) === list.at(-1) && last !== undefined && !isFlap(last);
    });
    const parts = filled.map((list, index) => (isStuck[index] ? [] : steadyPart(list)));
    return filled.map((list, index) => {
      const last = list.at(-1);
      if (last === undefined || probed[index]?.end?.kind === 'itself' || isStuck[index])
        return list;
      const later = [...parts.slice(index + 1), ...parts.slice(0, index + 1)];
      return [...list, ...repeated(later, last.age, length, MAX_CONTINUED / lists.length)];
    });
  });
}

/** Ends a streak of failures that may be chance where attempts pause after it, such as in a back-off. */
function withoutGaps(
  list: readonly Observation[],
  isFlap: (streak: Streak) => boolean,
): readonly Observation[] {
  const steps = list.map(({ age }, index) => age - (list[index - 1]?.age ?? 0));
  const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const begin = list.findIndex(isSuccess);
  const ends = streaksOf(list, isFailure).filter((streak) => streak.from > begin && isFlap(streak));
  const added = ends.flatMap(({ from, observations }): Observation | [] => {
    const end = from + observations.length;
    const [last, next] = [list[end - 1], list[end]];
    if (begin === -1 || last === undefined || next === undefined) return [];
    return next.age - last.age > 3 * step ? { ...next, age: last.age + step, continued: true } : [];
  });
  return added.length === 0 ? list : [...list, ...added].sort((a, b) => a.age - b.age);
}

function isFailure(observation: Observation): boolean {
  return !isSuccess(observation);
}

/** Returns the answers of the lists in turn, from one age to another, as far apart as they were. */
function repeated(
  lists: readonly (readonly Observation[])[],
  from: number,
  to: number,
  most: number,
): readonly Observation[] {
  const added: Observation[] = [];
  const all = lists.filter(({ length }) => length > 0);
  for (let age = from; all.length > 0 && age < to && added.length < most;) {
    for (const list of all) {
      const [first, last] = [list[0]?.age ?? 0, list.at(-1)?.age ?? 0];
      age += Math.max(1000, (last - first) / list.length);
      for (const observation of list)
        added.push({ ...observation, age: age + observation.age - first, continued: true });
      age += last - first;
    }
  }
  return added;
}

/** Changes the answers at each endpoint, given those of all runs. */
function changeAnswers(
  runs: readonly ObservedRun[],
  change: (
    lists: readonly (readonly Observation[])[],
    runs: readonly ObservedRun[],
  ) => readonly (readonly Observation[])[],
): readonly ObservedRun[] {
  const changed = new Map(runs.map((run) => [run, new Map(run.answers)]));
  for (const endpoint of new Set(runs.flatMap(({ answers }) => [...answers.keys()]))) {
    const probed = runs.filter(({ answers }) => answers.has(endpoint));
    const lists = change(
      probed.map(({ answers }) => answers.get(endpoint) ?? []),
      probed,
    );
    for (const [index, run] of probed.entries())
      changed.get(run)?.set(endpoint, lists[index] ?? []);
  }
  return [...changed].map(([run, answers]) => ({ ...run, answers }));
}
