import { describe, expect, it } from 'vitest';

import { line, lineText, span } from '../../../src/text/line.js';
import { coloredLine, markMatches } from '../../../src/tui/components/ansi.js';

describe('coloredLine', () => {
  it.each([
    {
      name: 'a color and its end',
      text: 'a \x1b[32mok\x1b[0m b',
      spans: [span('a '), span('ok', 'good'), span(' b')],
    },
    {
      name: 'several codes in one sequence',
      text: '\x1b[1;31mbad\x1b[39m',
      spans: [span('bad', 'bad')],
    },
    {
      name: 'a color of 256, which has no tone',
      text: '\x1b[38;5;31mtext',
      spans: [span('text')],
    },
    {
      name: 'tabs, as in a stack trace',
      text: '\tat Main.main',
      spans: [span('    at Main.main')],
    },
    {
      name: 'other control sequences, which are escaped',
      text: '\x1b[2J\x1b]0;title\x07',
      spans: [span('\x1b[2J\x1b]0;title\x07')],
    },
  ])('shows $name', ({ text, spans }) => {
    const parts = coloredLine(text, 'plain');
    expect(parts).toEqual(spans);
    expect(lineText(parts)).not.toContain('\x1b');
  });
});

describe('markMatches', () => {
  it('marks all that contains the text, in any case', () => {
    expect(markMatches(line('Err: an error', 'warn'), 'err')).toEqual([
      span('Err', 'cursor'),
      span(': an ', 'warn'),
      span('err', 'cursor'),
      span('or', 'warn'),
    ]);
  });
});
