import { describe, expect, it } from 'vitest';

import { readTrace } from '../../src/trace/read-trace.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildEnd, HEADER, podLine, traceText } from '../helpers/traces.js';

const note = (t: number): TraceLine => ({ t, kind: 'note', level: 'info', text: 'n' });
const whole = traceText(HEADER, podLine(), note(3), buildEnd());

describe('readTrace', () => {
  it('reads a whole trace', () => {
    expect(readTrace(whole)).toMatchObject({
      trace: { header: HEADER, lines: [{ kind: 'pod' }, note(3)], end: buildEnd(), unknown: 0 },
      problems: [],
    });
  });

  it('counts lines of unknown kinds', () => {
    const text = traceText(HEADER) + '{"t":1,"kind":"later"}\n' + traceText(buildEnd());
    expect(readTrace(text)).toMatchObject({ trace: { unknown: 1, lines: [] }, problems: [] });
  });

  it('keeps the lines before a truncated line', () => {
    const { trace, problems } = readTrace(whole.slice(0, -20));
    expect(trace?.lines).toHaveLength(2);
    expect(trace?.end).toBeUndefined();
    expect(problems).toEqual([{ line: 4, message: 'the trace is truncated in this line' }]);
  });

  it('reports a missing end line', () => {
    const { trace, problems } = readTrace(traceText(HEADER, podLine(), note(3)));
    expect(trace?.lines).toHaveLength(2);
    expect(problems).toEqual([
      { line: 3, message: 'the trace is truncated here: it has no end line' },
    ]);
  });

  it.each([
    ['an empty file', '', 'the file is empty, not a trace'],
    ['YAML', 'apiVersion: v1\n', 'not a kprobe trace: its first line is not a header (kind trace)'],
    ['other JSON', '{"a":1}\n', 'not a kprobe trace: its first line is not a header (kind trace)'],
    [
      'a trace without its header',
      traceText(note(1)),
      'not a kprobe trace: its first line is not a header (kind trace)',
    ],
    [
      'a newer trace',
      '{"t":0,"kind":"trace","version":3,"writer":{}}\n',
      'the trace is of format 3, and this kprobe reads formats up to 2: a newer kprobe has written it',
    ],
  ])('rejects %s', (_, text, message) => {
    expect(readTrace(text)).toEqual({ problems: [{ line: 1, message }] });
  });

  it.each([
    ['a line that is not JSON', 'x\n', 'not JSON: '],
    ['a time that goes backward', traceText(note(1)), 'its time goes backward, from 3 to 1'],
    ['an impossible time', traceText(note(1e300)), 'its time is 1e+300 s, and no run'],
    [
      'an end time beyond its last line',
      traceText(buildEnd({ t: 9, at: 1e300 })),
      'it ends at 1e+300, and its last line is at 9',
    ],
    ['another header', whole, 'another trace begins here: a file must hold only one'],
  ])('reports %s and keeps the lines before it', (_, text, message) => {
    const read = readTrace(traceText(HEADER, note(3)) + text + traceText(note(4)));
    expect(read.trace?.lines[0]).toEqual(note(3));
    expect(read.problems[0]).toMatchObject({
      line: 3,
      message: expect.stringContaining(message) as string,
    });
  });

  it('reports lines after the end line', () => {
    const { problems } = readTrace(whole + traceText(note(11)));
    expect(problems).toEqual([{ line: 5, message: 'the trace continues after its end' }]);
  });

  it('reports at most twenty problems', () => {
    expect(readTrace(traceText(HEADER) + 'x\n'.repeat(50)).problems).toHaveLength(20);
  });
});
