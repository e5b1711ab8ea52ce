import { expect, test } from 'vitest';

import { shorten, shortenLines } from '../../src/render/shorten.js';

test('a message of a usual length stays as it is', () => {
  expect(shorten('a'.repeat(4000))).toBe('a'.repeat(4000));
});

test('a message that is too long keeps its begin and its end', () => {
  expect(shorten(`begin${'x'.repeat(9000)}end`)).toMatch(/^beginx{1995}…x{1997}end$/);
});

test('of several lines each is shortened by itself', () => {
  const lines = [`a${'x'.repeat(5000)}a`, 'b', `c${'x'.repeat(5000)}c`];
  const [first, second, third] = shortenLines(lines.join('\n')).split('\n');
  expect([first?.length, second, third?.length]).toEqual([4001, 'b', 4001]);
});
