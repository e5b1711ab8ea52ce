import { env } from 'node:process';

import { expect } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import type { Session } from '../../../src/session/session.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import type { Case } from './cases.js';

/**
 * Seconds for which a test observes that nothing happens. Kubernetes' tests do so for 240 s, and one of them waits for five restarts;
 * with KPROBE_TEST_OBSERVATION=240 these do so too, in place of the first two restarts of a container.
 */
const OBSERVATION = Number(env['KPROBE_TEST_OBSERVATION'] ?? 60);
const MAX_RESTARTS = OBSERVATION >= 240 ? Infinity : 2;
/** Reports whether the length was asked for: then all cases are played, also those that take it. */
export const IS_OBSERVED = env['KPROBE_TEST_OBSERVATION'] !== undefined;

/** The lines that may bring about what a test expects. */
const DECIDING: ReadonlySet<TraceLine['kind']> = new Set([
  'status',
  'hookDone',
  'exited',
  'output',
]);

/** Milliseconds that a case may take, with the end of its pod. */
export const CASE_LIMIT = 1_200_000;

/** Runs the pod of a case in real time until what the test expects has come about, and ends it. */
export async function playCase(each: Case, session: Session, pod: Pod): Promise<void> {
  const lines: TraceLine[] = [];
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(
      resolve,
      each.isNever ? Math.min(each.length, OBSERVATION) * 1000 : each.length * 1000,
    );
    session.onLine((line) => {
      lines.push(line);
      if (each.isDeleted && isPaused(line)) session.update([]);
      // A failed check takes milliseconds, and most lines are of attempts.
      if (each.isNever || !DECIDING.has(line.kind) || !holds(each, lines)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  session.start([pod]);
  try {
    await over;
    check(each, lines);
  } finally {
    await session.end();
  }
}

/** Reports whether the program of the container runs: before it does, SIGTERM has no effect on it. */
function isPaused(line: TraceLine): boolean {
  return line.kind === 'output' && line.container === 'app' && line.text === 'Paused';
}

function holds(each: Case, lines: readonly TraceLine[]): boolean {
  try {
    check(each, lines);
    return true;
  } catch {
    return false;
  }
}

function check({ expect: expectCase, request }: Case, lines: readonly TraceLine[]): void {
  expectCase(lines, MAX_RESTARTS);
  if (request === undefined) return;
  const output = lines.flatMap((line) => (line.kind === 'output' ? [line.text] : []));
  expect(output).toContain(request);
}
