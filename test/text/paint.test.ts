import { expect, it } from 'vitest';

import { terminalStyle } from '../../src/text/paint.js';
import { UNPAINTED } from '../../src/text/text-style.js';

const LOOK = { color: false, unicode: true };

const LONG = 'pod.yaml:3:1: the probe fails after 300 – 331 s, which is later than 10 ms × 3 tries';

it.each([30, 47, 52])('wrapped at %d columns parts no number from its unit', (columns) => {
  const rows = terminalStyle(LOOK, columns).wrap(LONG, 4).split('\n');
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  expect(rows.map((row) => row.trim()).join(' ')).toBe(LONG);
  expect(rows.slice(1).every((row) => row.startsWith('    '))).toBe(true);
  expect(rows.join('|')).toMatch(/300 – 331 s,/);
});

it('wrapped leaves a text whole where there is no terminal', () => {
  expect(UNPAINTED.wrap(LONG, 4)).toBe(LONG);
});
