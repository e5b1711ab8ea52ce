import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createProgress, simulationProgress } from '../../../src/cli/shared/progress.js';

/** What is written when so many of 300 files are done at these milliseconds. */
function written(isTTY: boolean, times: readonly number[]): string {
  let text = '';
  let now = 0;
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    text += chunk.toString();
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY });
  const progress = createProgress(stream, 'of 300 files', () => now);
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

it('a simulation counts its seconds, and clears the line at its end', async () => {
  let text = '';
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    text += chunk.toString();
    done();
  };
  const notes = Object.assign(new Writable({ write }), { isTTY: true });
  const later = performance.now() + 1001;
  const result = await simulationProgress(
    { notes, signal: new AbortController().signal },
    async (show) => {
      show(0, 7200);
      await setTimeout(later - performance.now());
      show(300.4, 7200);
      return 'done';
    },
  );
  expect(result).toBe('done');
  expect(text.replaceAll('\r\u001b[2K', '|')).toBe('|300 of 7200 s simulated|');
});
