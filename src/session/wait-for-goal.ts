import type { Clock, Timer } from '../clock/clock.js';
import { RELIST } from '../schedule/probe-times.js';
import { currentRun } from '../trace/summary/container-view.js';
import type { Summary } from '../trace/summary/summary.js';
import {
  type Condition,
  hasFailed,
  reached,
  settled,
  tooManyRestarts,
  type Verdict,
  verdictOf,
} from '../trace/summary/verdict.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Session } from './session.js';
import { lostStability, restartsText, StableCountdown, stableVerdict } from './stable-countdown.js';

/** The condition that ends a run. Times are in milliseconds. */
export type Goal =
  /** The pods are ready, a restart has been decided, or a pod has failed. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'until'; readonly condition: Condition }
  /** The pods are ready, and enough time has passed for each consequence of a fault. */
  | { readonly kind: 'stable' }
  | { readonly kind: 'for'; readonly time: number }
  | { readonly kind: 'open' };

/** Returns the goal of `--until` or `--for`, given as milliseconds; `otherwise` without them. */
export function goalOf(
  flags: { readonly until?: Condition | 'stable' | undefined; readonly for?: number | undefined },
  otherwise: 'settled' | 'open',
): Goal {
  if (flags.until === 'stable') return { kind: 'stable' };
  if (flags.until !== undefined) return { kind: 'until', condition: flags.until };
  return flags.for === undefined ? { kind: otherwise } : { kind: 'for', time: flags.for };
}

/** The parts of a session that a run and a watch share. */
export type RunSession = Pick<
  Session,
  'summary' | 'now' | 'origin' | 'onLine' | 'note' | 'refresh' | 'end'
>;

export interface RunOptions {
  readonly clock: Clock;
  readonly session: RunSession;
  readonly goal: Goal;
  /** Milliseconds after which the run ends without its goal. */
  readonly timeout?: number;
  /** Restarts of a container after which the run ends without its goal; one ends a settled run when absent. */
  readonly maxRestarts?: number;
  /** Returns a sentence about what works here and will not in a pod, which fails the run; absent where that is no failure. */
  readonly warningIn?: (summary: Summary) => string | undefined;
  /** Aborted when the user or the system ends the run; the reason is the exit code. */
  readonly signal: AbortSignal;
  /** Settles when the user quits. */
  readonly quit?: Promise<void>;
  /** Resolves with a sentence when the goal can no longer be reached or missed; rejects when the run cannot be made. */
  readonly gone?: Promise<string>;
}

export interface RunEnd {
  /** Seconds since the run began. */
  readonly t: number;
  readonly kind: 'goal' | 'quit' | 'timeout' | 'interrupted';
  readonly verdict: Verdict;
}

/** Waits for a started session's goal, and always ends the session. */
export async function waitForGoal(options: RunOptions): Promise<RunEnd> {
  const { clock, session, goal, timeout } = options;
  const begin = clock.now();
  try {
    for (;;) {
      const left = timeout === undefined ? {} : { timeout: begin + timeout - clock.now() };
      const end = await firstEnd({ ...options, ...left });
      const holds = end.verdict.kind === 'holds';
      const isUncertain = needsRunningContainers(goal) && (holds || !hasFailed(session.summary));
      if (end.kind !== 'goal' || !isUncertain) return end;
      if (holds && goal.kind !== 'for') await waitForFirstRelist(options);
      const unanswered = await session.refresh();
      if (unanswered !== undefined) {
        return { ...end, t: session.now, verdict: { kind: 'unknown', sentence: unanswered } };
      }
      if (!holds) return end;
      await waitForSeenEnds(options);
      // An engine that restarts a container itself hides its end from the kubelet.
      const sentence = unseenEnd(session.summary);
      if (sentence !== undefined) return { ...end, verdict: { kind: 'doesNotHold', sentence } };
      const verdict = goal.kind === 'for' ? verdictOf(session.summary) : verdictNow(options);
      const warning = options.warningIn?.(session.summary);
      if (verdict?.kind === 'holds' && warning !== undefined) {
        return { ...end, t: session.now, verdict: { kind: 'doesNotHold', sentence: warning } };
      }
      if (verdict !== undefined) {
        const isReady = goal.kind === 'until' && verdict.kind === 'holds';
        const restarts = isReady ? restartsText(session) : '';
        const sentence = `${verdict.sentence}${restarts}`;
        return { ...end, t: session.now, verdict: { ...verdict, sentence } };
      }
    }
  } finally {
    await session.end();
  }
}

/** Returns true for a goal that the end of a container puts in doubt. */
function needsRunningContainers(goal: Goal): boolean {
  return goal.kind !== 'until' || goal.condition === 'ready';
}

/** Milliseconds within which the kubelet sees the end of a container: two relists and a sync. */
const END_SEEN_LIMIT = 3000;

/** Waits until the kubelet has seen the end of every ended container, so that no verdict depends on the times of relists. */
function waitForSeenEnds(options: RunOptions): Promise<unknown> {
  const isSeen = (summary: Summary) => (unseenEnd(summary) === undefined ? true : undefined);
  return waitUntil(isSeen, END_SEEN_LIMIT, options);
}

/**
 * Waits until each container that is ready without a probe has run for as long as a relist may take to see its end: a
 * command that ends at once is not ready.
 */
function waitForFirstRelist(options: RunOptions): Promise<unknown> {
  const { summary, now } = options.session;
  const unprobed = summary.pods
    .flatMap(({ containers }) => containers)
    .filter(({ spec }) => spec.readinessProbe === undefined && spec.startupProbe === undefined)
    .filter(({ state }) => state.kind === 'running');
  const starts = unprobed.map((container) => currentRun(container)?.startedAt ?? -RELIST);
  const limit = (Math.max(-RELIST, ...starts) + RELIST - now) * 1000;
  return waitUntil(unseenEnd, Math.max(0, limit), options);
}

/** Resolves with what `reached` returns, or with undefined after a number of milliseconds or at the run's signal. */
export function waitUntil<T>(
  reached: (summary: Summary) => T | undefined,
  limit: number,
  { clock, session, signal }: Pick<RunOptions, 'clock' | 'session' | 'signal'>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const finish = (result?: T): void => {
      stop();
      timer.cancel();
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = (): void => finish();
    const stop = session.onLine((_, summary) => {
      const result = reached(summary);
      if (result !== undefined) finish(result);
    });
    const timer = clock.setTimeout(abort, limit);
    signal.addEventListener('abort', abort);
    const now = signal.aborted ? undefined : reached(session.summary);
    if (signal.aborted || now !== undefined) finish(now);
  });
}

/** Returns a sentence about a container that has ended, and whose end the kubelet has not seen. */
function unseenEnd({ pods }: Summary): string | undefined {
  for (const { key, containers } of pods) {
    for (const { name, role, runs, state } of containers) {
      const { endedAt, exitCode } = runs.at(-1) ?? {};
      if (role === 'init' || state.kind !== 'running' || endedAt === undefined) continue;
      return `${key}: ${name} ended with exit code ${exitCode ?? '?'}`;
    }
  }
  return undefined;
}

function firstEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, session, goal, timeout, signal, quit, gone } = options;
  return new Promise((resolve, reject) => {
    const timers: Timer[] = [];
    const interrupt = (): void => end('interrupted');
    const end = (kind: RunEnd['kind'], verdict = currentVerdict(options)): void => {
      stopListening();
      signal.removeEventListener('abort', interrupt);
      countdown?.stop();
      for (const timer of timers) timer.cancel();
      resolve({ t: session.now, kind, verdict });
    };
    const check = (summary: Summary): void => {
      const verdict = goalVerdict(options, summary);
      if (verdict !== undefined) end('goal', verdict);
      else countdown?.check();
    };
    const countdown =
      goal.kind === 'stable' ? new StableCountdown(clock, session, () => end('goal')) : undefined;
    const stopListening = session.onLine((line, summary) => {
      if (mayChangeVerdict(line)) check(summary);
    });
    if (goal.kind === 'for') timers.push(clock.setTimeout(() => end('goal'), goal.time));
    if (timeout !== undefined) timers.push(clock.setTimeout(() => end('timeout'), timeout));
    void quit?.then(() => end('quit'));
    void gone?.then((sentence) => end('goal', { kind: 'unknown', sentence })).catch(reject);
    signal.addEventListener('abort', interrupt);
    if (signal.aborted) interrupt();
    else check(session.summary);
  });
}

/** Returns false for lines that may come by the thousand each second: a result that counts shows in another line. */
function mayChangeVerdict(line: TraceLine): boolean {
  if (line.kind === 'attemptDone') return line.error !== undefined;
  return line.kind !== 'attempt' && line.kind !== 'worker' && line.kind !== 'output';
}

/** Returns the verdict on a run that ends now, whatever its goal. */
function currentVerdict({ goal, session }: RunOptions): Verdict {
  return goal.kind === 'stable' ? stableVerdict(session) : verdictOf(session.summary);
}

/** Returns the verdict on the goal as of now; undefined while it may still be reached. */
function verdictNow(options: RunOptions): Verdict | undefined {
  const { goal, session } = options;
  const verdict = goalVerdict(options, session.summary);
  if (verdict !== undefined || goal.kind !== 'stable') return verdict;
  const stable = stableVerdict(session);
  return stable.kind === 'holds' ? stable : undefined;
}

function goalVerdict({ goal, maxRestarts }: RunOptions, summary: Summary): Verdict | undefined {
  const excess = maxRestarts === undefined ? undefined : tooManyRestarts(summary, maxRestarts);
  return verdictOn(goal, summary, maxRestarts !== undefined) ?? excess;
}

function verdictOn(goal: Goal, summary: Summary, restartsAllowed: boolean): Verdict | undefined {
  switch (goal.kind) {
    case 'settled':
      return settled(summary, restartsAllowed);
    case 'until':
      return reached(summary, goal.condition);
    case 'stable':
      return lostStability(summary);
    case 'for':
    case 'open':
      return undefined;
  }
}
