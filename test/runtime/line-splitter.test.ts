import { expect, test } from 'vitest';

import { LineSplitter } from '../../src/runtime/line-splitter.js';

const LONG = 16 * 1024;

function linesOf(...chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter({
    onLine: (line) => lines.push(line.toString('utf8')) > 0,
    onSkipped: () => undefined,
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

test.each<[string, readonly (string | Buffer)[], readonly string[]]>([
  ['whole lines', ['one\ntwo\n'], ['one', 'two']],
  ['empty lines', ['\n\na\n'], ['', '', 'a']],
  ['no line break at the end', ['one\ntwo'], ['one', 'two']],
  ['nothing', [], []],
  ['nothing after the last line break', ['one\n', ''], ['one']],
  ['a line in pieces', ['o', 'n', 'e\ntw', 'o\n'], ['one', 'two']],
  ['a line break of two characters', ['one\r\ntwo\r', '\n'], ['one', 'two']],
  ['a carriage return inside', ['10%\r20%\n'], ['10%\r20%']],
  ['a character in pieces', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ['é']],
  ['bytes that are no character', [Buffer.from([0x61, 0xff, 0x62, 0x0a])], ['a\ufffdb']],
  ['a long line', [`${'x'.repeat(LONG)}yz\nnext\n`], ['x'.repeat(LONG), 'next']],
  ['a long line in pieces', ['x'.repeat(LONG - 1), 'xyz', 'z\nnext'], ['x'.repeat(LONG), 'next']],
])('%s', (_, chunks, expected) => {
  expect(linesOf(...chunks)).toEqual(expected);
});

test('a line without an end takes no more memory than a long one', () => {
  let kept = 0;
  const splitter = new LineSplitter({
    onLine: (line) => (kept = line.length) > 0,
    onSkipped: () => undefined,
  });
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let i = 0; i < 1000; i++) splitter.push(chunk);
  splitter.end();
  expect(kept).toBe(LONG);
});

test('lines that are not wanted are counted, and half a line after them is kept', () => {
  const lines: string[] = [];
  const skipped: number[] = [];
  const splitter = new LineSplitter({
    onLine: (line) => lines.push(line.toString()) > 1,
    onSkipped: (count) => skipped.push(count),
  });
  splitter.push(Buffer.from('a\nb\nc\nd\ne'));
  splitter.push(Buffer.from('f\ng\n'));
  expect(lines).toEqual(['a', 'ef', 'g']);
  expect(skipped).toEqual([3]);
});
