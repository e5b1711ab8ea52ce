import { omitUndefined, type Probe } from '../../api/index.js';
import type { AttemptOutcome } from '../../kubelet/ports.js';
import { nextResultRun, thresholdOf } from '../../kubelet/prober/result-run.js';
import type { Event, Evidence, ProbeType, Result, WorkerState } from '../../trace/event.js';
import { PROBE_RESULTS, type ProbeTotals } from '../types.js';

interface ProbePlace {
  readonly pod: string;
  readonly container: { readonly name: string; readonly containerID: string };
  readonly emit: (event: Event) => void;
}

/** An attempt that is known in part. Times are milliseconds since the epoch. */
interface KnownAttempt {
  readonly outcome: AttemptOutcome;
  readonly evidence: Evidence;
  readonly now: number;
  /** When the kubelet says that it ended, in whole seconds; absent when it was just reported. */
  readonly at?: number | undefined;
  /** The least result run, where the kubelet's count is known. */
  readonly resultRun?: number;
}

/** Facts of a container's status that its workers depend on. */
export interface WorkerFacts {
  readonly isOver: boolean;
  readonly isDeleted: boolean;
  readonly hasRun: boolean;
  readonly isRunning: boolean;
  readonly startedAt: number | undefined;
  readonly started: boolean;
  /** True while the startup probe has not succeeded. */
  readonly gated: boolean;
}

interface WorkerView {
  readonly state: WorkerState;
  readonly until?: number;
}

/** Milliseconds by which a report may come late. */
const REPORT_DELAY = 3_000;
/** Milliseconds by which a busy kprobe may read a report late. */
const LATE_REPORT_DELAY = 15_000;
/** Longest pause between attempts in a row, in periods. */
const IN_A_ROW = 1.6;

export class ProbeObserver {
  set: Result | undefined;
  /** The least number of equal results in a row. */
  resultRun = 0;
  lastResult: Result | undefined;
  lastOutcome: AttemptOutcome | undefined;
  failedAt: number | undefined;
  /** True where failures of an earlier run may count in this one. */
  hasCarried = false;
  /** When the attempts of this run began, until one of them is known. */
  #begunAt: number | undefined;
  #attempts = 0;
  /** A tick of the worker, and the milliseconds by which it may have been later. */
  #tick: { readonly at: number; readonly upTo: number } | undefined;
  #worker: WorkerView | undefined;
  #counts: ProbeTotals | undefined;
  #failures = 0;
  #failuresAtCount = 0;
  /** Failures of this run that were reported one period after the other. */
  #row: { readonly count: number; readonly at: number; readonly reachedAt?: number } | undefined;

  constructor(
    private readonly place: ProbePlace,
    readonly type: ProbeType,
    public spec: Probe,
  ) {}

  newRun(): void {
    const rested = this.type === 'startup' || (this.type === 'liveness' && this.set === 'failure');
    if (this.set !== undefined && rested) this.resultRun = 0;
    this.hasCarried = this.lastResult === 'failure' && this.resultRun > 0;
    this.set = undefined;
    this.failedAt = undefined;
    this.#begunAt = undefined;
    this.#row = undefined;
  }

  /** Takes the time from which the worker makes attempts. A command may go on after its timeout. */
  begin(at: number): void {
    if (this.spec.exec === undefined) this.#begunAt = at + this.spec.timeoutSeconds * 1000;
  }

  /** When the last failure of this run was reported; without one, when its attempts began. */
  get quietSince(): number | undefined {
    return this.failedAt ?? this.#begunAt;
  }

  /** Counts a reported failure in the row, unless a success may lie between it and the previous one. */
  watchRow(now: number): { readonly inRow: number; readonly reachedAt: number | undefined } {
    const { periodSeconds, timeoutSeconds, failureThreshold } = this.spec;
    const pause = Math.max(periodSeconds, timeoutSeconds) * 1000 * IN_A_ROW;
    const { count, at, reachedAt } = this.#row ?? { count: 0, at: now };
    const inRow = now - at > pause ? 1 : count + 1;
    // A slow failure may hide one success in the row.
    const isEnough = inRow >= 2 * failureThreshold;
    const since = isEnough ? (reachedAt ?? now) : undefined;
    this.#row = { count: inRow, at: now, ...omitUndefined({ reachedAt: since }) };
    return { inRow, reachedAt: since };
  }

  record(attempt: KnownAttempt): void {
    const { outcome, evidence, now, at } = attempt;
    const { containerID } = this.place.container;
    const ended = at ?? now;
    this.#begunAt = undefined;
    if (outcome.error === undefined) this.#count(attempt, ended);
    const lastResult = this.lastResult ?? 'success';
    const threshold = thresholdOf(this.spec, lastResult);
    const isSet = outcome.error === undefined && this.resultRun >= threshold;
    if (isSet) this.set = lastResult;
    if (evidence === 'seen') this.#keepPhase(outcome, ended, at === undefined ? 0 : 1_000);
    this.place.emit({
      kind: 'attemptDone',
      ...this.#in,
      attempt: ++this.#attempts,
      containerID,
      ...outcome,
      tries: outcome.error === undefined ? 1 : 3,
      latency: 0,
      lastResult,
      resultRun: this.resultRun,
      threshold,
      ...omitUndefined({ set: isSet ? lastResult : undefined }),
      ...this.#nextTick(ended),
      ...omitUndefined({ at }),
      evidence,
    });
  }

  /** Records attempts with one outcome: the latest one by one, the others by their result run alone. */
  recordRow(count: number, attempt: (left: number) => KnownAttempt): void {
    const before = nextResultRun(this, resultOf(attempt(0))) - 1;
    for (let left = Math.min(count, MAX_SHOWN) - 1; left >= 0; left--) {
      this.record({ ...attempt(left), resultRun: before + count - left });
    }
  }

  #count({ outcome, resultRun = 0 }: KnownAttempt, ended: number): void {
    const result = resultOf({ outcome });
    this.resultRun = Math.max(resultRun, nextResultRun(this, result));
    this.lastResult = result;
    if (result === 'success') {
      this.failedAt = undefined;
      return;
    }
    this.#failures++;
    this.lastOutcome = outcome;
    this.failedAt = ended;
  }

  /** Records unreported failures that the kubelet's decision implies. */
  complete(now: number, at: number | undefined): void {
    const { failureThreshold: threshold, periodSeconds } = this.spec;
    const outcome = this.lastOutcome ?? { result: 'failure', output: '' };
    const known = this.lastResult === 'failure' ? this.resultRun : 0;
    for (let n = known + 1; n <= threshold; n++) {
      const ended = (at ?? now) - (threshold - n) * periodSeconds * 1000;
      const { failedAt } = this;
      this.record({ outcome, evidence: 'inferred', now, at: ended, resultRun: n });
      this.failedAt = Math.max(ended, failedAt ?? ended);
    }
  }

  succeed(now: number, at: number | undefined, evidence: Evidence): void {
    const outcome = { result: 'success', output: '' } as const;
    const { set, spec } = this;
    const resultRun = set === 'success' || this.type === 'liveness' ? 1 : spec.successThreshold;
    this.record({ outcome, evidence, now, at, resultRun });
  }

  /** Starts a new count where a success must lie between earlier failures and this one. */
  breakRow(ended: number, mayBeSilent: boolean): boolean {
    const { quietSince, spec } = this;
    if (quietSince === undefined || mayBeSilent || this.#showsSuccess) return false;
    const pause = Math.max(spec.periodSeconds, spec.timeoutSeconds) * 1000 * IN_A_ROW;
    return ended - quietSince > pause + 1_000;
  }

  /** True where the next success changes the container's status. */
  get #showsSuccess(): boolean {
    if (this.type === 'readiness')
      return this.set !== 'success' && this.spec.successThreshold === 1;
    return this.type === 'startup';
  }

  /** Returns when the next attempt must have succeeded because no failure was reported; undefined while it may still fail. */
  silentSuccess(now: number, mayBeSilent: boolean, isLate: boolean): number | undefined {
    const { quietSince, spec, type, set, resultRun } = this;
    if (quietSince === undefined || type === 'startup' || set === 'failure') return undefined;
    if (type === 'readiness' && set !== 'success') return undefined;
    // Where events of failures may be missing, only a decision that did not follow shows a success.
    const attempts = mayBeSilent ? Math.max(1, spec.failureThreshold - resultRun) + 1 : 1;
    const slow = Math.max(spec.periodSeconds, spec.timeoutSeconds) * 1000;
    const silent = now - quietSince - attempts * slow - spec.timeoutSeconds * 1000;
    return silent > (isLate ? LATE_REPORT_DELAY : REPORT_DELAY)
      ? quietSince + spec.periodSeconds * 1000
      : undefined;
  }

  work(facts: WorkerFacts, now: number): void {
    const view = this.#view(facts, now);
    const before = this.#worker;
    if (before?.state === view.state && before.until === view.until) return;
    this.#worker = view;
    const from = Math.max(now, view.until ?? 0);
    const ticks = view.state === 'stopped' ? {} : this.#nextTick(from - 1);
    this.place.emit({ kind: 'worker', ...this.#in, ...view, ...ticks });
  }

  #view(facts: WorkerFacts, now: number): WorkerView {
    const { type, set, spec } = this;
    if (facts.isOver || (facts.isDeleted && type !== 'readiness')) return { state: 'stopped' };
    if (!facts.hasRun) return { state: 'noContainer' };
    if (!facts.isRunning) return { state: 'notRunning' };
    if (type !== 'readiness' && set === 'failure') return { state: 'onHold' };
    const until = (facts.startedAt ?? 0) + spec.initialDelaySeconds * 1000;
    if (now < until) return { state: 'initialDelay', until };
    if (type === 'startup') return { state: facts.started ? 'started' : 'probing' };
    return { state: facts.gated ? 'awaitingStartup' : 'probing' };
  }

  count(totals: ProbeTotals, now: number): void {
    const before = this.#counts;
    this.#counts = totals;
    // The totals start at 0 when the kubelet is restarted.
    const isNew = before === undefined || PROBE_RESULTS.some((name) => totals[name] < before[name]);
    const since = isNew ? NO_ATTEMPTS : before;
    const delta: ProbeTotals = {
      successful: totals.successful - since.successful,
      failed: totals.failed - since.failed,
      unknown: totals.unknown - since.unknown,
    };
    if (PROBE_RESULTS.every((name) => delta[name] === 0)) return;
    this.place.emit({ kind: 'counted', ...this.#in, ...delta });
    const seen = this.#failures - this.#failuresAtCount;
    this.#failuresAtCount = this.#failures;
    if (isNew) return;
    if (delta.successful > 0 && delta.failed === 0 && this.failedAt !== undefined && seen === 0) {
      this.succeed(now, undefined, 'counted');
    } else if (delta.successful === 0 && delta.failed > seen) {
      const outcome = this.lastOutcome ?? { result: 'failure', output: '' };
      this.recordRow(delta.failed - seen, () => ({ outcome, evidence: 'counted', now }));
      this.#failuresAtCount = this.#failures;
    }
  }

  get #in() {
    const { pod, container } = this.place;
    return { pod, container: container.name, probe: this.type };
  }

  #keepPhase({ reason }: AttemptOutcome, ended: number, upTo: number): void {
    const took = reason === 'timeout' ? this.spec.timeoutSeconds * 1000 : 0;
    this.#tick = { at: ended - took, upTo };
  }

  /** Returns the first tick after `from`, earliest and latest. */
  #nextTick(from: number): { nextTick: number; latestTick: number } {
    const period = this.spec.periodSeconds * 1000;
    if (this.#tick === undefined) return { nextTick: from + 1, latestTick: from + 1 + period };
    const { at, upTo } = this.#tick;
    const nextTick = at + Math.max(1, Math.floor((from - at) / period) + 1) * period;
    return { nextTick, latestTick: nextTick + upTo };
  }
}

function resultOf({ outcome }: Pick<KnownAttempt, 'outcome'>): 'success' | 'failure' {
  return outcome.result === 'failure' ? 'failure' : 'success';
}

const NO_ATTEMPTS: ProbeTotals = { successful: 0, failed: 0, unknown: 0 };

/** Attempts of one report, or between two counts, that are shown one by one. */
const MAX_SHOWN = 50;
