import type { Observation, ObservedRun } from '../sim/recorded/observation.js';

/** What a recording shows of one thing that a container was asked. Times are in seconds, latencies in milliseconds. */
export interface Measure {
  readonly attempts: number;
  /** Of the runs in which it was answered: the age at the first success, and at the last failure before it. */
  readonly starts: readonly { readonly from: number; readonly to: number }[];
  /** Runs that ended, or were cut off, before it succeeded. */
  readonly neverAnswered: number;
  /** The longest that a success took. */
  readonly slowest: number;
  /** Attempts that ran into their timeout after the first success. */
  readonly timeouts: number;
  /** Failures in a row after the first success that ended by themselves. */
  readonly outages: readonly Outage[];
  /** The longest row of failures in which the run ended. */
  readonly unended: number;
}

/** Failures in a row: how many, and the seconds from the first of them to the next success. */
export interface Outage {
  readonly failures: number;
  readonly lasted: number;
}

/** Measures what the runs of a container answered to one question. */
export function measure(runs: readonly ObservedRun[], endpoint: string): Measure {
  const asked = runs.flatMap(({ answers }) => {
    const list = answers.get(endpoint)?.filter(({ outcome }) => outcome.error === undefined) ?? [];
    return list.length === 0 ? [] : [list];
  });
  const begun = asked.map((list) => ({ list, first: list.findIndex(isSuccess) }));
  const answered = begun.filter(({ first }) => first !== -1);
  const after = answered.map(({ list, first }) => list.slice(first));
  const rows = after.map(outagesOf);
  return {
    attempts: asked.reduce((sum, list) => sum + list.length, 0),
    starts: answered.map(({ list, first }) => ({
      from: seconds(list[first - 1]?.age ?? 0),
      to: seconds(list[first]?.age ?? 0),
    })),
    neverAnswered: begun.length - answered.length,
    slowest: Math.max(
      0,
      ...asked
        .flat()
        .filter(isSuccess)
        .map(({ latency }) => latency),
    ),
    timeouts: after.flat().filter(({ timedOutAfter }) => timedOutAfter !== undefined).length,
    outages: rows.flatMap(({ outages }) => outages),
    unended: Math.max(0, ...rows.map(({ open }) => open)),
  };
}

function outagesOf(list: readonly Observation[]): {
  readonly outages: readonly Outage[];
  readonly open: number;
} {
  const outages: Outage[] = [];
  let row: Observation[] = [];
  for (const one of list) {
    if (!isSuccess(one)) {
      row.push(one);
      continue;
    }
    const [first] = row;
    if (first !== undefined) {
      outages.push({ failures: row.length, lasted: seconds(one.age - first.age) });
    }
    row = [];
  }
  return { outages, open: row.length };
}

function isSuccess({ outcome }: Observation): boolean {
  return outcome.result === 'success' || outcome.result === 'warning';
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
