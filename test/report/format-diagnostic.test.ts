import { expect, test } from 'vitest';

import type { Diagnostic } from '../../src/manifest/diagnostic.js';
import { formatDiagnostic } from '../../src/report/format-diagnostic.js';
import { terminalStyle } from '../../src/text/paint.js';

const diagnostic = (overrides: Partial<Diagnostic>): Diagnostic => ({
  severity: 'error',
  file: 'pod.yaml',
  line: 14,
  column: 7,
  field: 'spec.containers[0].livenessProbe.periodSecond',
  message: 'unknown field',
  ...overrides,
});

test('a diagnostic is one line with place, severity, field, message and hint', () => {
  const text = formatDiagnostic(diagnostic({ hint: 'did you mean "periodSeconds"?' }));
  expect(text).toBe(
    'pod.yaml:14:7: error: spec.containers[0].livenessProbe.periodSecond: unknown field (did you mean "periodSeconds"?)',
  );
});

test('a diagnostic without a field is only the message', () => {
  const text = formatDiagnostic(diagnostic({ field: '', severity: 'warning' }));
  expect(text).toBe('pod.yaml:14:7: warning: unknown field');
});

test.each([
  ['a short line', '      periodSecond: 3', 7, ['          periodSecond: 3', '          ^']],
  ['a line with tabs', '\t\tx', 3, ['    \u2192\u2192x', '      ^']],
  ['a line with an escape sequence', '\u001b[31mx', 6, ['    \\x1b[31mx', '            ^']],
  ['a caret beyond the end of the line', 'ab', 3, ['    ab', '      ^']],
])('%s is shown with a caret below the column', (_, source, column, lines) => {
  const text = formatDiagnostic(diagnostic({ source, column }));
  expect(text.split('\n').slice(1)).toEqual(lines);
});

test('a long line is shortened around the caret', () => {
  const source = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
  const [, shown = '', caret = ''] = formatDiagnostic(diagnostic({ source, column: 501 })).split(
    '\n',
  );
  expect(shown.length).toBeLessThan(120);
  expect(shown[caret.indexOf('^')]).toBe('X');
});

test('control characters are escaped', () => {
  const text = formatDiagnostic(
    diagnostic({
      file: 'a\u001b.yaml',
      field: 'x\u202e',
      message: 'y\r',
      hint: 'z\u0007',
      source: '\u009b',
    }),
  );
  expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
});

test('a diagnostic on a terminal is painted by its severity, and wrapped at words', () => {
  const { wrap } = terminalStyle({ color: false, unicode: true }, 40);
  const style = { paint: (text: string, tone: string) => `<${tone} ${text}>`, wrap };
  const text = formatDiagnostic(
    diagnostic({ severity: 'warning', hint: 'a b c d e f g h i', source: 'x: 1' }),
    style,
  );
  expect(text).toMatch(/^<strong [^>]+:> <warn warning:>/);
  expect(text).toContain('\n    ');
  expect(text).toMatch(/<good \^>$/);
});
