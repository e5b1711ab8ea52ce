import { expect, it } from 'vitest';

import { replayEnding } from '../../../src/commands/replay/replay-command.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { verdictOf } from '../../../src/trace/summary/verdict.js';

const end = {
  t: 75,
  at: 75,
  how: 'goal',
  verdict: 'doesNotHold',
  sentence: 'it was restarted',
  exitCode: 1,
} as const;
const byThen = verdictOf(EMPTY_SUMMARY);

it.each([
  ['complete has the end of the run', 75, {}, 'it was restarted', 1],
  ['quit early has the verdict up to then', 35, {}, byThen.sentence, 3],
  ['interrupted has the exit code of the signal', 75, { reason: 130 }, byThen.sentence, 130],
])('a replay that is %s', (_, now, { reason }: { reason?: number }, sentence, exitCode) => {
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(reason);
  const shown = { summary: EMPTY_SUMMARY, now };
  const ending = replayEnding({ end } as never, shown, 75, controller.signal);
  expect(ending.verdict.sentence).toBe(sentence);
  expect(ending.exitCode).toBe(exitCode);
});
