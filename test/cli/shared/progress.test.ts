import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createProgress, simulationProgress } from '../../../src/cli/shared/progress.js';

/** What is written when so many of 300 files are done at these milliseconds. */
function written(
  isTTY: boolean,
  times: readonly number[],
  total?: number,
  minDone?: number,
): string {
  let text = '';
  let now = 0;
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    text += chunk.toString();
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY });
  const progress = createProgress(stream, 'of 300 files', {
    now: () => now,
    ...(total === undefined ? {} : { total }),
    ...(minDone === undefined ? {} : { minDone }),
  });
  for (const [index, time] of times.entries()) {
    now = time;
    progress.show(index, `\u001b[31m${index}.yaml`);
  }
  progress.clear();
  return text.replaceAll('\r\u001b[2K', '|');
}

it.each([
  ['a command of less than a second prints nothing', true, [0, 500, 999], ''],
  [
    'a longer one prints five times a second',
    true,
    [0, 1000, 1100, 1200],
    '|1 of 300 files: \\x1b[31m1.yaml|3 of 300 files: \\x1b[31m3.yaml|',
  ],
  ['no terminal gets a line', false, [0, 1000, 2000], ''],
])('%s', (_, isTTY, times, expected) => {
  expect(written(isTTY, times)).toBe(expected);
});

/** Milliseconds at which the first twenty files are done. */
const EARLY = Array.from({ length: 20 }, (_, at) => at);

it.each([
  [
    'a terminal shows what is left, from what is done after the first second',
    true,
    [...EARLY, 1000, 2000],
    '|20 of 300 files: \\x1b[31m20.yaml|21 of 300 files, about 5m0s left: \\x1b[31m21.yaml|',
  ],
  [
    'elsewhere it is said once',
    false,
    [...EARLY, 1999, 2000, 9000],
    'kprobe: 20 of 300 files, about 9m0s left\n',
  ],
  ['nothing is said of a few files, of which the first took long', false, [0, 9000, 9001], ''],
  ['nothing is said of a short rest', false, Array.from({ length: 299 }, (_, at) => at * 7), ''],
])('with the number to reach, %s', (_, isTTY, times, expected) => {
  expect(written(isTTY, times, 300)).toBe(expected);
});

it('two runs are enough for an estimate, and the start of the first is no part of it', () => {
  expect(written(false, [9000, 11_000, 13_000], 300, 2)).toBe(
    'kprobe: 2 of 300 files, about 10m0s left\n',
  );
});

it('a simulation counts its seconds, and clears the line at its end', async () => {
  let text = '';
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    text += chunk.toString();
    done();
  };
  const notes = Object.assign(new Writable({ write }), { isTTY: true });
  const result = await simulationProgress(
    { notes, signal: new AbortController().signal },
    async (show) => {
      show(0, 7200);
      await setTimeout(1010);
      show(300.4, 7200);
      return 'done';
    },
  );
  expect(result).toBe('done');
  // A busy machine may need so long that the rest is estimated.
  const shown = text.replaceAll('\r\u001b[2K', '|');
  expect(shown).toMatch(/^\|300 of 7200 s simulated(?:, about .* left)?\|$/);
});
