import { expect, test } from 'vitest';

import {
  escapeControl,
  escapeControlInLines,
  printableJson,
  shorten,
  shortenLines,
} from '../../src/text/escape.js';

test.each([
  ['plain text', 'caf\u00e9 \u{1f600} "quoted" \\', 'caf\u00e9 \u{1f600} "quoted" \\'],
  ['an escape sequence', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['C0 controls', '\0\u0007\b\u007f', '\\x00\\x07\\x08\\x7f'],
  ['C1 controls', '\u0085\u009b1m', '\\x85\\x9b1m'],
  ['line breaks and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['line separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['bidi overrides', '\u202eabc\u202c', '\\u202eabc\\u202c'],
  ['bidi isolates and marks', '\u2066\u2069\u200f', '\\u2066\\u2069\\u200f'],
  ['invisible characters', 'a\u200bb\u00adc\ufeff', 'a\\u200bb\\xadc\\ufeff'],
  ['tags beyond the BMP', '\u{e0041}', '\\u{e0041}'],
  ['blank letters', '\u3164\u2800', '\\u3164\\u2800'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
])('escapeControl: %s', (_, text, escaped) => {
  expect(escapeControl(text)).toBe(escaped);
});

test('printableJson escapes what a terminal obeys or hides, and is read as it was', () => {
  const value = { '\u202e': ['\u009b31m', '\u007f', 'a\u{e0041}', '\u2028\u200b', '\n', 'é😀'] };
  const text = printableJson(value, 2);
  expect(escapeControlInLines(text)).toBe(text);
  expect(text).toContain('\\udb40\\udc41');
  expect(text).toContain('é😀');
  expect(JSON.parse(text)).toEqual(value);
});

test('escapeControlInLines keeps line feeds and tabs, but not carriage returns', () => {
  expect(escapeControlInLines('a\n\tb\r\n\u001b')).toBe('a\n\tb\\r\n\\x1b');
});

test('shorten keeps a message of normal length', () => {
  expect(shorten('a'.repeat(4000))).toBe('a'.repeat(4000));
});

test('shorten keeps the start and the end of a long message', () => {
  expect(shorten(`begin${'x'.repeat(9000)}end`)).toMatch(/^beginx{1995}…x{1997}end$/);
});

test('shortenLines shortens each line separately', () => {
  const lines = [`a${'x'.repeat(5000)}a`, 'b', `c${'x'.repeat(5000)}c`];
  const [first, second, third] = shortenLines(lines.join('\n')).split('\n');
  expect([first?.length, second, third?.length]).toEqual([4001, 'b', 4001]);
});
