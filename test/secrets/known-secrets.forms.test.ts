import { expect, it } from 'vitest';

import { KnownSecrets } from '../../src/secrets/known-secrets.js';

function masked(value: string, text: string): string {
  const secrets = new KnownSecrets();
  secrets.addVariable('DB_PASSWORD', value);
  return secrets.text(text);
}

const SHORT = 'tR8xq2-Vm9kLp4';
const LONG = 'd4f1Qm8sXw2Lz9Rk6Tn3Vb7Hc5Jy0Pg1aEuOiSqZ';
const [FIRST, LAST] = [LONG.slice(0, 22), LONG.slice(22)];
const letters = Array.from(SHORT);
const bytes = Array.from(SHORT, (char) => char.charCodeAt(0).toString(16));

/** `hexdump -C`, `xxd` and `od -c` of `token=tR8xq2-Vm9kLp4`. */
const HEXDUMP = `00000000  74 6f 6b 65 6e 3d 74 52  38 78 71 32 2d 56 6d 39  |token=tR8xq2-Vm9|
00000010  6b 4c 70 34                                       |kLp4|
00000014`;
const XXD = `00000000: 746f 6b65 6e3d 7452 3878 7132 2d56 6d39  token=tR8xq2-Vm9
00000010: 6b4c 7034                                kLp4`;
const OD = `0000000   t   o   k   e   n   =   t   R   8   x   q   2   -   V   m   9
0000020   k   L   p   4
0000024`;

it.each([
  ['in capital letters', SHORT, `KEY ${SHORT.toUpperCase()}`, 'KEY ***'],
  ['in small letters', SHORT, `key ${SHORT.toLowerCase()}`, 'key ***'],
  ['letter by letter', SHORT, `is ${letters.join(' ')}`, 'is ***'],
  ['as a list of letters', SHORT, JSON.stringify(letters), '["***"]'],
  ['as a column', SHORT, letters.join('\n'), '***'],
  ['as a row of a table', SHORT, `| ${letters.join(' | ')} |`, '| *** |'],
  ['in a dump', SHORT, HEXDUMP, '00000000  74 6f 6b 65 6e 3d ***\n00000014'],
  ['in a dump of words', SHORT, XXD, '00000000: 746f 6b65 6e3d ***'],
  ['in a dump of letters', SHORT, OD, '0000000   t   o   k   e   n   =   ***\n0000024'],
  ['in bytes with colons', SHORT, bytes.join(':').toUpperCase(), '***'],
  ['in bytes with hyphens', SHORT, bytes.join('-'), '***'],
  ['as an array of C', SHORT, `{ 0x${bytes.join(', 0x')} }`, '{ 0x*** }'],
  ['as escaped bytes', SHORT, String.raw`b"\x${bytes.join(String.raw`\x`)}"`, 'b"***"'],
  ['in octal bytes', 'tR8-x2y9', String.raw`"\164\122\70\55\170\62y9"`, '"***"'],
  ['in escapes of Unicode', 'a1-b2c3d', String.raw`\u0061\u0031\u002d\u{62}\u{32}\u{63}3d`, '***'],
  ['in entities', 'a1-b2c3d', '&#97;&#049;&#x2D;b2&#x63;3d', '***'],
  ['in UTF-16', 'a1-b2c3d', 'a\u00001\u0000-\u0000b\u00002\u0000c\u00003\u0000d', '***'],
  ['with backticks of PowerShell', 'a1`b$c3', '"a1``b`$c3"', '"***"'],
  ['with carets of Windows', 'a1&b2<c3', 'echo a1^&b2^<c3', 'echo ***'],
  ['of libpq', `a1'b"2cd`, String.raw`'a1\'b"2cd'`, "'***'"],
  ['with doubled signs', 'a1$b%x3', 'a1$$b%%x3', '***'],
  [
    'in JSON four times',
    'a1"b2c3',
    JSON.stringify([1, 2, 3].reduce((text) => JSON.stringify(text), 'a1"b2c3')),
    `"${'\\'.repeat(1)}"${'\\'.repeat(3)}"${'\\'.repeat(7)}"***${'\\'.repeat(7)}"${'\\'.repeat(3)}"${'\\'.repeat(1)}""`,
  ],
  [
    'in JSON in a URL',
    'a1 "b2c3',
    '/?q=%7B%22p%22%3A%22a1%20%5C%22b2c3%22%7D',
    '/?q=%7B%22p%22%3A%22***%22%7D',
  ],
  ['in wrapped lines', LONG, `msg=${FIRST}\n        ${LAST}`, 'msg=***'],
  ['in folded YAML', LONG, `x: >-\n  ${FIRST}\n  ${LAST}`, 'x: >-\n  ***'],
  ['in quoted-printable', LONG, `${FIRST}=\n${LAST}`, '***'],
  ['in a shell on two lines', LONG, `${FIRST}\\\n${LAST}`, '***'],
  ['in two strings of Java', LONG, `"${FIRST}" +\n  "${LAST}"`, '"***"'],
  ['in a log of compose', LONG, `web-1  | ${FIRST}\nweb-1  | ${LAST}`, 'web-1  | ***'],
  ['with a color', LONG, `\u001b[31m${FIRST}\u001b[1m${LAST}\u001b[0m`, '\u001b[31m***\u001b[0m'],
  ['with a soft hyphen', LONG, `${FIRST}\u00ad${LAST}`, '***'],
])('masks a value %s', (_, value, text, shown) => {
  expect(masked(value, text)).toBe(shown);
});

it.each([
  ['admin123', 'admin 123 requests'],
  ['Sommer2024', 'SOMMER 2024'],
  ['postgres15', 'Postgres 15 is ready'],
  ['foobar', String.raw`foo\"bar`],
  ['foobar', 'foo\u0000bar'],
  ['foobar', '"foo" +\n"bar"'],
  ['node1node2node3', '- node1\n- node2\n- node3'],
  ['web-frontend-1db-primary-2', 'web-frontend-1\ndb-primary-2'],
  ['a1b2c3d4e5f6', 'a1, b2, c3, d4, e5, f6'],
  ['a1b2c3d4', 'a 1 b 2 c 3 d 4'],
  ['001a2b3c4d5e', '00:1A:2B:3C:4D:5E'],
  ['550e8400e29b41d4', '550e8400-e29b-41d4-a716-446655440000'],
  ['1a2b3c4d5e6f', '1a 2b 3c\n4d 5e 6f'],
  ['20261129', '2026-11-29'],
  ['12345678', '12,345,678 rows'],
  ['correct horse', 'CORRECT HORSE'],
  [SHORT, 'tR8xq2-Vm9kLp5'],
  [SHORT, '00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|'],
])('leaves a text that only looks like the value %s', (value, text) => {
  expect(masked(value, text)).toBe(text);
});

it.each(['\\', ' ', ',', '%25', '0x', '61 ', 'a ', '| ', '\n> ', 'é', "'", 'x'.repeat(20) + '\n'])(
  'reads a long text of %j in time that grows with its length',
  (unit) => {
    const secrets = new KnownSecrets();
    secrets.addVariable('DB_PASSWORD', SHORT);
    const took = (length: number): number => {
      const text = unit.repeat(length / unit.length);
      const before = process.cpuUsage();
      secrets.text(text);
      return process.cpuUsage(before).user;
    };
    took(10_000);
    // A quadratic time would be a thousand times as long.
    expect(took(320_000)).toBeLessThan(200 * Math.max(took(10_000), 5000));
  },
);
