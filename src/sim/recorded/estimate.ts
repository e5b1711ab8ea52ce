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
const LEAST_ANSWERS = 5;
/** Timeouts are slow answers where the slowest other one took at least this share of the timeout. */
const NEAR = 0.5;
/** Failures in a row are an outage where fewer such rows than this were to be expected by chance. */
const RARE = 0.05;

/** Fits a logistic distribution to the slower half of the answers; undefined where the timeouts do not continue it. */
function fitTail(latencies: readonly number[], timeouts: readonly number[]): Tail | undefined {
  const sorted = latencies.toSorted((a, b) => a - b);
  if (timeouts.length === 0 || sorted.length < LEAST_ANSWERS) return undefined;
  if ((sorted.at(-1) ?? 0) < NEAR * Math.min(...timeouts)) return undefined;
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
  const steady = lists.map(steadyPart);
  const all = steady.flat();
  const share = all.filter(isTimeout).length / all.length;
  const slow = steady
    .flatMap((list) => rowsOf(list, isTimeout))
    .filter(({ row }) => isChance(row.length, share, all.length))
    .flatMap(({ row }) => row.map(({ timedOutAfter = 0 }) => timedOutAfter));
  return fitTail(
    all.filter(isSuccess).map(({ latency }) => latency),
    slow,
  );
}

/** Returns the answers from the first success on. */
function steadyPart(list: readonly Observation[]): readonly Observation[] {
  const first = list.findIndex(isSuccess);
  return first === -1 ? [] : list.slice(first);
}

function isTimeout({ timedOutAfter }: Observation): boolean {
  return timedOutAfter !== undefined;
}

/** Returns the longest parts in which all match. */
function rowsOf(
  list: readonly Observation[],
  matches: (one: Observation) => boolean,
): readonly { readonly from: number; readonly row: readonly Observation[] }[] {
  const rows: { from: number; row: Observation[] }[] = [];
  for (const [index, one] of list.entries()) {
    if (!matches(one)) continue;
    const last = rows.at(-1);
    if (last !== undefined && last.from + last.row.length === index) last.row.push(one);
    else rows.push({ from: index, row: [one] });
  }
  return rows;
}

/** Reports whether so many in a row may be chance, among `all` attempts of which a share does the same. */
function isChance(count: number, share: number, all: number): boolean {
  return all * share ** count >= RARE;
}

/** Adds to each attempt that timed out when its answer would have come, where the recording allows an estimate. */
export function withEstimates(runs: readonly ObservedRun[]): readonly ObservedRun[] {
  const random = seeded(1);
  return changeAnswers(runs, (lists) => {
    const tail = tailOf(lists);
    const all = lists.flatMap(steadyPart);
    const share = all.filter(isTimeout).length / all.length;
    const success = all.find(isSuccess)?.outcome;
    return lists.map((list) => {
      const begin = list.findIndex(isSuccess);
      const estimated = [...list];
      for (const { from, row } of rowsOf(list, isTimeout)) {
        const isSlow = from > begin && begin !== -1 && isChance(row.length, share, all.length);
        const next = list[from + row.length];
        for (const [index, one] of row.entries()) {
          const { timedOutAfter: timeout = 0 } = one;
          if (tail !== undefined && success !== undefined && isSlow) {
            const takes = Math.max(timeout + 1, drawnFrom(tail, random));
            estimated[from + index] = {
              ...one,
              estimate: { basis: 'tail', takes, outcome: success },
            };
          } else if (next !== undefined) {
            const { age } = row.at(-1) ?? one;
            const takes = (age + timeout + next.age + next.latency) / 2 - one.age;
            const estimate = { basis: 'outage', takes, outcome: next.outcome } as const;
            if (takes > timeout) estimated[from + index] = { ...one, estimate };
          }
        }
      }
      return estimated;
    });
  });
}

function drawnFrom({ answered, quantile }: Tail, random: Random): number {
  return quantile(answered + (1 - answered) * random());
}

/** All continued runs together get about so many more answers. */
const MOST_CONTINUED = 100_000;

/**
 * Continues each run that was stopped, up to the age `length`, with what the container answered later or in other runs.
 * A run that was stopped in an outage goes on as it was: whether it would have recovered is unknown.
 */
export function continuedRuns(
  runs: readonly ObservedRun[],
  length: number,
): readonly ObservedRun[] {
  const stuck = stuckRuns(runs);
  return changeAnswers(runs, (lists, asked) => {
    const parts = lists.map((list, index) =>
      stuck.has(asked[index]?.run) ? [] : relative(steadyPart(list)),
    );
    return lists.map((list, index) => {
      const { run, end } = asked[index] ?? {};
      const last = list.at(-1);
      if (last === undefined || end?.kind === 'itself' || stuck.has(run)) return list;
      const later = [...parts.slice(index + 1), ...parts.slice(0, index + 1)].flat();
      return [...list, ...repeated(later, last.age, length, MOST_CONTINUED / lists.length)];
    });
  });
}

/** Returns the numbers of the runs in which an endpoint failed at the end, more often than by chance. */
function stuckRuns(runs: readonly ObservedRun[]): ReadonlySet<number | undefined> {
  const stuck = new Set<number | undefined>();
  changeAnswers(runs, (lists, asked) => {
    const steady = lists.map(steadyPart);
    const ended = steady.flatMap((list) => list.slice(0, list.findLastIndex(isSuccess) + 1));
    // No failure among so many is no proof that there are none.
    const share = (ended.filter((one) => !isSuccess(one)).length + 0.5) / (ended.length + 1);
    for (const [index, list] of steady.entries()) {
      const failures = list.length - 1 - list.findLastIndex(isSuccess);
      if (list.length > 0 && !isChance(failures, share, ended.length)) stuck.add(asked[index]?.run);
    }
    return lists;
  });
  return stuck;
}

/** Replaces the age of each answer by the time since the one before it. */
function relative(list: readonly Observation[]): readonly Observation[] {
  const mean = ((list.at(-1)?.age ?? 0) - (list[0]?.age ?? 0)) / Math.max(1, list.length - 1);
  return list.map((one, index) => ({
    ...one,
    age: index === 0 ? Math.max(1000, mean) : one.age - (list[index - 1]?.age ?? 0),
  }));
}

function repeated(
  list: readonly Observation[],
  from: number,
  to: number,
  most: number,
): readonly Observation[] {
  const added: Observation[] = [];
  let age = from;
  while (list.length > 0 && age < to && added.length < most) {
    for (const one of list) {
      age += one.age;
      added.push({ ...one, age, continued: true });
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
  const endpoints = new Set(runs.flatMap(({ answers }) => [...answers.keys()]));
  const changed = runs.map(({ answers }) => new Map(answers));
  for (const endpoint of endpoints) {
    const asked = runs.filter(({ answers }) => answers.has(endpoint));
    const lists = change(
      asked.map(({ answers }) => answers.get(endpoint) ?? []),
      asked,
    );
    for (const [index, run] of asked.entries()) {
      changed[runs.indexOf(run)]?.set(endpoint, lists[index] ?? []);
    }
  }
  return runs.map((run, index) => ({ ...run, answers: changed[index] ?? run.answers }));
}
