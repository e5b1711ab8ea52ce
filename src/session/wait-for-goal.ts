import type { Clock, Timer } from '../clock/clock.js';
import type { Summary } from '../trace/summary/summary.js';
import {
  type Condition,
  reached,
  settled,
  tooManyRestarts,
  type Verdict,
  verdictOf,
} from '../trace/summary/verdict.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { Session } from './session.js';

/** The condition that ends a run. Times are in milliseconds. */
export type Goal =
  /** Ready, or a restart decided, or failed. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'until'; readonly condition: Condition }
  | { readonly kind: 'for'; readonly time: number }
  /** Only the user. */
  | { readonly kind: 'open' };

/** Returns the goal of `--until` or `--for`, given as milliseconds; `otherwise` without them. */
export function goalOf(
  flags: { readonly until?: Condition | undefined; readonly for?: number | undefined },
  otherwise: 'settled' | 'open',
): Goal {
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
  /** Aborted when the user or the system ends the run; the reason is the exit code. */
  readonly signal: AbortSignal;
  /** Settles when the user has seen enough. */
  readonly quit?: Promise<void>;
  /** Settles with a sentence when the goal can no longer be reached or missed. */
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
  const { session } = options;
  try {
    return await afterRefresh(options, await firstEnd(options));
  } finally {
    await session.end();
  }
}

/** Returns an end with the verdict on what has ended since the kubelet's last relist. */
async function afterRefresh({ session, goal }: RunOptions, end: RunEnd): Promise<RunEnd> {
  if (goal.kind === 'until' || end.kind !== 'goal' || end.verdict.kind !== 'holds') return end;
  await session.refresh();
  const sentence = unseenEnd(session.summary);
  if (sentence !== undefined) return { ...end, verdict: { kind: 'doesNotHold', sentence } };
  // A relist may have been under way: what it has found when the time is up counts, too.
  return goal.kind === 'for' ? { ...end, verdict: verdictOf(session.summary) } : end;
}

function unseenEnd({ pods }: Summary): string | undefined {
  for (const { key, containers } of pods) {
    for (const { name, role, runs, state } of containers) {
      const { endedAt, exitCode, restartAskedAt } = runs.at(-1) ?? {};
      if (role === 'init' || state.kind !== 'running' || restartAskedAt !== undefined) continue;
      if (endedAt !== undefined) return `${key}: ${name} ended with exit code ${exitCode ?? '?'}`;
    }
  }
  return undefined;
}

function firstEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, session, goal, timeout, signal, quit, gone } = options;
  return new Promise((resolve) => {
    const timers: Timer[] = [];
    const end = (kind: RunEnd['kind'], verdict = verdictOf(session.summary)): void => {
      stopListening();
      for (const timer of timers) timer.cancel();
      resolve({ t: session.now, kind, verdict });
    };
    const check = (summary: Summary): void => {
      const verdict = goalVerdict(options, summary);
      if (verdict !== undefined) end('goal', verdict);
    };
    const stopListening = session.onLine((line, summary) => {
      if (mayChangeVerdict(line)) check(summary);
    });
    if (goal.kind === 'for') timers.push(clock.setTimeout(() => end('goal'), goal.time));
    if (timeout !== undefined) timers.push(clock.setTimeout(() => end('timeout'), timeout));
    void quit?.then(() => end('quit'));
    void gone?.then((sentence) => end('goal', { kind: 'unknown', sentence }));
    signal.addEventListener('abort', () => end('interrupted'), { once: true });
    if (signal.aborted) end('interrupted');
    else check(session.summary);
  });
}

/** Reports false for what comes by the thousand each second: a result that counts shows in another line. */
function mayChangeVerdict(line: TraceLine): boolean {
  if (line.kind === 'attemptDone') return line.error !== undefined;
  return line.kind !== 'attempt' && line.kind !== 'worker' && line.kind !== 'output';
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
    case 'for':
    case 'open':
      return undefined;
  }
}
