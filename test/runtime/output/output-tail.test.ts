import { expect, test } from 'vitest';

import { OutputTail } from '../../../src/runtime/output/output-tail.js';

function tailOf(...chunks: readonly (string | Buffer)[]): string {
  const tail = new OutputTail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
}

const numbers = Array.from({ length: 100 }, (_, i) => `${i}\n`);

test.each<[string, readonly (string | Buffer)[], string]>([
  ['nothing', [], ''],
  ['a little', ['one\n', 'two'], 'one\ntwo'],
  ['the last 80 lines', numbers, numbers.slice(-80).join('')],
  [
    'the last 80 lines, one unfinished',
    [...numbers, 'end'],
    [...numbers.slice(-79), 'end'].join(''),
  ],
  ['the last 2048 bytes of a chunk', [`${'a'.repeat(100)}${'b'.repeat(2048)}`], 'b'.repeat(2048)],
  [
    'the last 2048 bytes of many chunks',
    ['a'.repeat(1500), 'b'.repeat(1500), 'c'.repeat(10)],
    `${'a'.repeat(538)}${'b'.repeat(1500)}${'c'.repeat(10)}`,
  ],
  ['bytes that are not UTF-8', [Buffer.from([0x61, 0xff, 0x0a])], 'a\ufffd\n'],
])('%s', (_, chunks, expected) => {
  expect(tailOf(...chunks)).toBe(expected);
});
