import type { ProbeType } from '../kubelet/event.js';
import type { Observation, ObservedRun } from '../sim/recorded/observe.js';

/** What a recording shows of one thing that a container was asked. Times are in seconds, latencies in milliseconds. */
export interface Measure {
  readonly attempts: number;
  /** Of the runs in which it was answered. */
  readonly starts: readonly MeasuredStart[];
  /** Runs that ended, or were cut off, before it succeeded. */
  readonly neverAnswered: number;
  /** The longest that a success took. */
  readonly slowest: number;
  /** The longest that a success took, stalls left out: those that took many times as long as nearly all others. */
  readonly usual: number;
  /** Attempts that ran into their timeout after the first success, once or twice in a row. */
  readonly timeouts: number;
  /** Attempts after the first success, and those of them that failed once or twice in a row. */
  readonly asked: number;
  readonly flaps: number;
  /** Failures in a row after the first success that ended by themselves. */
  readonly outages: readonly Outage[];
  /** The longest row of failures in which the run ended. */
  readonly unended: number;
}

/** By when a container had started: its age at the last failure, and at the first success. */
export interface MeasuredStart {
  readonly from: number;
  readonly to: number;
  /** Its age when it was first asked this, where it had answered something else before: `to` is of that, then. */
  readonly asked?: number;
}

/** Failures in a row: how many, and the seconds from the first of them to the next success. */
export interface Outage {
  readonly failures: number;
  readonly lasted: number;
  /** Of the failures, those that ran into their timeout. */
  readonly timeouts: number;
}

/** Nine in ten answers take no longer than a share of a stall, and a stall takes more than a second. */
const NEARLY_ALL = 0.9;
const STALL = 5;
const LEAST_STALL = 1000;
/** So many failures in a row may be chance. */
const FLAP = 2;

export interface MeasureOptions {
  /** Milliseconds; what takes longer is a failure. */
  readonly limit?: number;
  /** Of the probes that ask the same, the one whose failures are counted; all when it was never asked. */
  readonly probe?: ProbeType;
}

/** Measures what the runs of a container answered to one question. */
export function measure(
  runs: readonly ObservedRun[],
  endpoint: string,
  { limit = Infinity, probe }: MeasureOptions = {},
): Measure {
  const begun = runs.flatMap((run) => {
    const list = run.answers.get(endpoint)?.filter(wasMade) ?? [];
    return list.length === 0 ? [] : [{ run, list, first: list.findIndex(isSuccess) }];
  });
  const asked = begun.map(({ list }) => list);
  const answered = begun.filter(({ first }) => first !== -1);
  const after = answered.map(({ list, first }) => ownOf(list.slice(first), probe));
  const rows = after.map((list) => outagesOf(list, limit));
  const outages = rows.flatMap((row) => row.outages);
  const flaps = outages.filter(isFlap);
  return {
    attempts: asked.reduce((sum, list) => sum + list.length, 0),
    starts: answered.map(({ run, list, first }) => startOf(run, list, first)),
    neverAnswered: begun.length - answered.length,
    ...latencies(asked.flat().filter(isSuccess)),
    timeouts: flaps.reduce((sum, { timeouts }) => sum + timeouts, 0),
    asked: after.flat().length,
    flaps: flaps.reduce((sum, { failures }) => sum + failures, 0),
    outages,
    unended: Math.max(0, ...rows.map(({ open }) => open)),
  };
}

/** Who succeeds when asked for the first time, may have started long before: at the latest with its first answer at all. */
function startOf(
  { answers }: ObservedRun,
  list: readonly Observation[],
  first: number,
): MeasuredStart {
  const from = seconds(list[first - 1]?.age ?? 0);
  const to = seconds(list[first]?.age ?? 0);
  if (first > 0) return { from, to };
  const ages = [...answers.values()].flatMap((all) => all.find(isSuccess)?.age ?? []);
  const earliest = seconds(Math.min(...ages));
  return earliest < to ? { from, to: earliest, asked: to } : { from, to };
}

/** Whether failures may have come in a row by chance. */
export function isFlap({ failures }: Outage): boolean {
  return failures <= FLAP;
}

function ownOf(list: readonly Observation[], probe: ProbeType | undefined): readonly Observation[] {
  const own = list.filter((one) => one.probe === probe);
  return own.length === 0 ? list : own;
}

function latencies(successes: readonly Observation[]): Pick<Measure, 'slowest' | 'usual'> {
  const sorted = successes.map(({ latency }) => latency).sort((a, b) => a - b);
  const most = sorted[Math.ceil(sorted.length * NEARLY_ALL) - 1] ?? 0;
  const stall = Math.max(LEAST_STALL, STALL * most);
  return {
    slowest: sorted.at(-1) ?? 0,
    usual: sorted.findLast((latency) => latency <= stall) ?? 0,
  };
}

function outagesOf(
  list: readonly Observation[],
  limit: number,
): { readonly outages: readonly Outage[]; readonly open: number } {
  const outages: Outage[] = [];
  let row: Observation[] = [];
  for (const one of list) {
    if (!isSuccess(one) || one.latency > limit) {
      row.push(one);
      continue;
    }
    const [first] = row;
    if (first !== undefined) {
      const timeouts = row.filter(({ timedOutAfter }) => timedOutAfter !== undefined).length;
      outages.push({ failures: row.length, lasted: seconds(one.age - first.age), timeouts });
    }
    row = [];
  }
  return { outages, open: row.length };
}

function wasMade({ outcome }: Observation): boolean {
  return outcome.error === undefined;
}

function isSuccess({ outcome }: Observation): boolean {
  return outcome.result === 'success' || outcome.result === 'warning';
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
