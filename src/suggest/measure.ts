import { omitUndefined } from '../api/index.js';
import { type Tail, tailOf } from '../sim/recorded/estimate.js';
import { isSuccess, type Observation, type ObservedRun } from '../sim/recorded/observe.js';
import type { ProbeType } from '../trace/event.js';

/** The recorded answers at one endpoint of a container. Times are in seconds, latencies in milliseconds. */
export interface Measure {
  readonly attempts: number;
  /** The starts of the runs that had a success. */
  readonly starts: readonly MeasuredStart[];
  /** Runs without a success. */
  readonly neverAnswered: number;
  /** The longest time that a run without a success was probed before it was stopped. */
  readonly longestUnanswered: number;
  /** Latency of the slowest success. */
  readonly slowest: number;
  /** Latency of the slowest success that is not a stall. */
  readonly usual: number;
  /** Timeouts among the flaps. */
  readonly timeouts: number;
  /** The tail that continues the latencies beyond the timeout. */
  readonly tail?: Tail;
  /** Attempts from the first success on, those of them that failed, and those that failed once or twice in a row. */
  readonly asked: number;
  readonly failed: number;
  readonly flaps: number;
  /** Failures in a row after the first success that a success ended. */
  readonly outages: readonly Outage[];
  /** The most failures in a row at the end of a run. */
  readonly unended: number;
}

/** A container's ages at the last failure and at the first success: it started in between. */
interface MeasuredStart {
  readonly from: number;
  readonly to: number;
  /** The run's age at this probe's first attempt, if another probe had succeeded before; `to` is the age at that success. */
  readonly asked?: number;
}

/** Failures in a row. */
export interface Outage {
  readonly failures: number;
  /** Seconds from the first failure to the next success. */
  readonly lasted: number;
  /** Failures that were timeouts. */
  readonly timeouts: number;
}

/** A stall takes more than five times as long as nine in ten answers, and more than a second. */
const STALL_QUANTILE = 0.9;
const STALL_FACTOR = 5;
const MIN_STALL = 1000;
/** At most this many failures in a row may be chance. */
const FLAP = 2;

interface MeasureOptions {
  /** Milliseconds; slower answers count as failures, and faster ones of attempts that timed out as successes. */
  readonly limit?: number;
  /** The probe whose attempts are counted, of those at the same endpoint; all when it made none. */
  readonly probe?: ProbeType;
}

export function measure(
  runs: readonly ObservedRun[],
  endpoint: string,
  { limit, probe }: MeasureOptions = {},
): Measure {
  const begun = runs.flatMap((run) => {
    const list =
      run.answers.get(endpoint)?.filter(({ outcome }) => outcome.error === undefined) ?? [];
    return list.length === 0 ? [] : [{ run, list, first: list.findIndex(isKnown) }];
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
    longestUnanswered: Math.max(0, ...begun.filter(({ first }) => first === -1).map(unansweredFor)),
    ...latencies(asked.flat().filter(isKnown)),
    timeouts: flaps.reduce((sum, { timeouts }) => sum + timeouts, 0),
    ...omitUndefined({ tail: tailOf(asked) }),
    asked: after.flat().length,
    failed: after.flat().filter((observation) => !isAnswered(observation, limit)).length,
    flaps: flaps.reduce((sum, { failures }) => sum + failures, 0),
    outages,
    unended: Math.max(0, ...rows.map(({ open }) => open)),
  };
}

/** Returns how long a run was probed in vain; 0 when it ended by itself, which shows nothing about its start. */
function unansweredFor({ run, list }: { run: ObservedRun; list: readonly Observation[] }): number {
  const last = list.at(-1);
  return last === undefined || run.end?.kind === 'itself' ? 0 : seconds(last.age + last.latency);
}

/** A first attempt that succeeds says little about the start: any probe's earlier success bounds it better. */
function startOf({ answers }: ObservedRun, list: readonly Observation[], first: number) {
  const from = seconds(list[first - 1]?.age ?? 0);
  const to = seconds(list[first]?.age ?? 0);
  if (first > 0) return { from, to };
  const ages = [...answers.values()].flatMap((all) => all.find(isSuccess)?.age ?? []);
  const earliest = seconds(Math.min(...ages));
  return earliest < to ? { from, to: earliest, asked: to } : { from, to };
}

export function isFlap({ failures }: Outage): boolean {
  return failures <= FLAP;
}

function ownOf(list: readonly Observation[], probe: ProbeType | undefined): readonly Observation[] {
  const ofProbe = list.filter((observation) => observation.probe === probe);
  return ofProbe.length === 0 ? list : ofProbe;
}

/** Reports whether an attempt was answered, or would have been with a longer timeout, as a trial has shown. */
function isKnown(observation: Observation): boolean {
  return isSuccess(observation) || observation.estimate?.basis === 'trial';
}

function latencies(known: readonly Observation[]): Pick<Measure, 'slowest' | 'usual'> {
  const sorted = known
    .map(({ latency, estimate }) => estimate?.takes ?? latency)
    .sort((a, b) => a - b);
  const quantile = sorted[Math.ceil(sorted.length * STALL_QUANTILE) - 1] ?? 0;
  const stall = Math.max(MIN_STALL, STALL_FACTOR * quantile);
  return {
    slowest: sorted.at(-1) ?? 0,
    usual: sorted.findLast((latency) => latency <= stall) ?? 0,
  };
}

function outagesOf(list: readonly Observation[], limit: number | undefined) {
  const outages: Outage[] = [];
  let row: Observation[] = [];
  for (const observation of list) {
    if (!isAnswered(observation, limit)) {
      row.push(observation);
      continue;
    }
    const [first] = row;
    if (first !== undefined) {
      const timeouts = row.filter(
        (each) => each.timedOutAfter !== undefined && !isKnown(each),
      ).length;
      outages.push({
        failures: row.length,
        lasted: seconds(observation.age - first.age),
        timeouts,
      });
    }
    row = [];
  }
  return { outages, open: row.length };
}

function isAnswered(observation: Observation, limit: number | undefined): boolean {
  if (limit === undefined) return isSuccess(observation);
  const { estimate = { outcome: observation.outcome, takes: observation.latency } } = observation;
  return isSuccess(estimate) && estimate.takes <= limit;
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
