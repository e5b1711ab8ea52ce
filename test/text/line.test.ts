import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';

import {
  chosenLine,
  clipLine,
  elideLine,
  fitLine,
  flowLines,
  line,
  lineText,
  lineWidth,
  span,
  textWidth,
  wrapLine,
  wrapText,
} from '../../src/text/line.js';

const NAMES = [
  'app',
  '漢字のサーバー',
  'e\u0301te\u0301',
  'שלום-שרת',
  'سيرفر',
  '🚀🚀',
  'ｗｉｄｅ',
  '가나다',
];

it('takes no character for narrower or wider than it is', () => {
  const printable = (code: number): boolean => code >= 0x20 && (code < 0x7f || code > 0xa0);
  const codes = Array.from({ length: 0x3000 }, (_, code) => code).filter(printable);
  const wrong = codes.filter((code) => {
    const text = String.fromCodePoint(code);
    return textWidth(text) !== stringWidth(text);
  });
  expect(wrong).toEqual([]);
});

describe('fitLine', () => {
  it.each(NAMES.flatMap((name) => [3, 4, 7, 20].map((width) => ({ name, width }))))(
    'makes $name exactly $width columns wide',
    ({ name, width }) => {
      expect(lineWidth(fitLine(line(name), width))).toBe(width);
      expect(lineWidth(fitLine(line(name), width, 'right'))).toBe(width);
    },
  );
});

it('elideLine leaves out the middle', () => {
  const text = (width: number): string =>
    lineText(elideLine([span('HTTP probe failed with '), span('statuscode: 503', 'bad')], width));
  expect(text(38)).toBe('HTTP probe failed with statuscode: 503');
  expect(text(21)).toBe('HTTP probe…scode: 503');
  expect(text(2)).toBe('H…');
  expect(text(0)).toBe('');
  expect(lineText(elideLine(line('漢字漢字漢字'), 7))).toBe('漢字…字');
});

it.each([
  { width: 44, text: 'Readiness probe failed:…connection refused' },
  { width: 13, text: 'Readines…used' },
])('elideLine cuts no word in $width columns where that costs few of them', ({ width, text }) => {
  const whole = line('Readiness probe failed: Get "http://10.0.0.1/": connection refused');
  expect(lineText(elideLine(whole, width))).toBe(text);
});

it('wrapLine keeps the tone', () => {
  expect(wrapLine(line('one two', 'bad'), 4)).toEqual([line('one', 'bad'), line('two', 'bad')]);
});

it('chosenLine has the whole width', () => {
  expect(chosenLine([span('a', 'bad'), span('b')], 4)).toEqual([
    span('a', 'cursor'),
    span('b', 'cursor'),
    span('  ', 'cursor'),
  ]);
});

describe('clipLine', () => {
  it('marks the cut with an ellipsis', () => {
    expect(lineText(clipLine(line('abcdef'), 4))).toBe('abc…');
  });

  it('cuts no character in half', () => {
    expect(lineText(clipLine(line('漢字漢字'), 4))).toBe('漢…');
    expect(lineText(clipLine(line('e\u0301e\u0301e\u0301'), 2))).toBe('e\u0301…');
  });
});

describe('line', () => {
  it.each([
    ['\x1b[2J', '\\x1b[2J'],
    ['a\nb', 'a\\nb'],
    ['\u202eabc', '\\u202eabc'],
    ['\u009b31m', '\\x9b31m'],
  ])('escapes %j', (text, shown) => {
    expect(lineText(line(text))).toBe(shown);
  });
});

describe('wrapText', () => {
  it('breaks at spaces, and within long words if necessary', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapText('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(wrapText('漢字漢字漢字', 5)).toEqual(['漢字', '漢字', '漢字']);
  });

  it('returns one row for an empty text, and none for a width of 0', () => {
    expect(wrapText('', 5)).toEqual(['']);
    expect(wrapText('abc', 0)).toEqual([]);
  });
});

describe('flowLines', () => {
  it('breaks only between lines', () => {
    const lines = ['✓ good', '✗ bad', '! error'].map((text) => line(text));
    expect(flowLines(lines, 14).map(lineText)).toEqual(['✓ good  ✗ bad', '! error']);
  });
});
