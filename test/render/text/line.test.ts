import { describe, expect, it } from 'vitest';

import {
  clipLine,
  fitLine,
  flowLines,
  line,
  lineText,
  lineWidth,
  spread,
  spreadParts,
  wrapText,
} from '../../../src/render/text/line.js';

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

describe('fitLine', () => {
  it.each(NAMES.flatMap((name) => [3, 4, 7, 20].map((width) => ({ name, width }))))(
    'gives $name exactly $width columns',
    ({ name, width }) => {
      expect(lineWidth(fitLine(line(name), width))).toBe(width);
      expect(lineWidth(fitLine(line(name), width, 'right'))).toBe(width);
    },
  );
});

describe('clipLine', () => {
  it('tells what is cut off by an ellipsis', () => {
    expect(lineText(clipLine(line('abcdef'), 4))).toBe('abc…');
  });

  it('cuts no character in two', () => {
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
  ])('makes %j harmless', (text, shown) => {
    expect(lineText(line(text))).toBe(shown);
  });
});

describe('spread', () => {
  it('puts one part at each end, and cuts the left one when there is no room', () => {
    expect(lineText(spread(line('left'), line('right'), 12))).toBe('left   right');
    expect(lineText(spread(line('left'), line('right'), 8))).toBe('le…right');
  });
});

describe('wrapText', () => {
  it('breaks at spaces, and long words where they have to be', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapText('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(wrapText('漢字漢字漢字', 5)).toEqual(['漢字', '漢字', '漢字']);
  });

  it('gives one row for an empty text, and none where there is no room', () => {
    expect(wrapText('', 5)).toEqual(['']);
    expect(wrapText('abc', 0)).toEqual([]);
  });
});

describe('flowLines', () => {
  it('breaks between lines alone', () => {
    const lines = ['✓ good', '✗ bad', '! error'].map((text) => line(text));
    expect(flowLines(lines, '  ', 14).map(lineText)).toEqual(['✓ good  ✗ bad', '! error']);
  });
});

describe('spreadParts', () => {
  it.each([
    [16, 'left     a     b'],
    [10, 'left     a'],
    [6, 'left  '],
    [3, 'le…'],
  ])('in %i columns has the parts that fit beside the left', (width, text) => {
    expect(lineText(spreadParts(line('left'), [line('a'), line('  b')], width))).toBe(text);
  });
});
