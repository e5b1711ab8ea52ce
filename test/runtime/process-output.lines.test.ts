import { expect, test } from 'vitest';

import { BoundedLineSplitter } from '../../src/runtime/process-output.js';

const LONG = 16 * 1024;

function linesOf(...chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new BoundedLineSplitter({
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
  ['no input', [], []],
  ['no line after the last line break', ['one\n', ''], ['one']],
  ['a line in several chunks', ['o', 'n', 'e\ntw', 'o\n'], ['one', 'two']],
  ['a CRLF line break', ['one\r\ntwo\r', '\n'], ['one', 'two']],
  ['a carriage return within a line', ['10%\r20%\n'], ['10%\r20%']],
  ['a character in two chunks', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ['é']],
  ['a byte that is not UTF-8', [Buffer.from([0x61, 0xff, 0x62, 0x0a])], ['a\ufffdb']],
  [
    'a line above the maximum length',
    [`${'x'.repeat(LONG)}yz\nnext\n`],
    ['x'.repeat(LONG), 'next'],
  ],
  [
    'a line above the maximum length in several chunks',
    ['x'.repeat(LONG - 1), 'xyz', 'z\nnext'],
    ['x'.repeat(LONG), 'next'],
  ],
])('BoundedLineSplitter handles %s', (_, chunks, expected) => {
  expect(linesOf(...chunks)).toEqual(expected);
});

test('BoundedLineSplitter keeps no more than the maximum length of an endless line', () => {
  let kept = 0;
  const splitter = new BoundedLineSplitter({
    onLine: (line) => (kept = line.length) > 0,
    onSkipped: () => undefined,
  });
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let i = 0; i < 1000; i++) splitter.push(chunk);
  splitter.end();
  expect(kept).toBe(LONG);
});

test('BoundedLineSplitter counts unwanted lines and keeps the unfinished line after them', () => {
  const lines: string[] = [];
  const skipped: number[] = [];
  const splitter = new BoundedLineSplitter({
    onLine: (line) => lines.push(line.toString()) > 1,
    onSkipped: (count) => skipped.push(count),
  });
  splitter.push(Buffer.from('a\nb\nc\nd\ne'));
  splitter.push(Buffer.from('f\ng\n'));
  expect(lines).toEqual(['a', 'ef', 'g']);
  expect(skipped).toEqual([3]);
});
