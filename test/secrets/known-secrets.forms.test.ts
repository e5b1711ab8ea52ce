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
const RANDOM = 'hV7mK2pQ9wZx4Tn8';
const LATIN = 'pÄss-wört9x2kß7';
const groups = (value: string, size: number, gap: string): string =>
  (value.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(gap);
const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const latin1 = (sign: string, base: number): string =>
  LATIN.replaceAll(/[^\0-\x7f]/g, (char) => `${sign}${char.charCodeAt(0).toString(base)}`);
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

/** `od -x` of a text that ends before the value, and of one that ends within a word of it; `od -b`. */
const OD_WORDS = `0000000 6f74 656b 3d6e 5274 7838 3271 562d 396d
0000020 4c6b 3470 6120 646e 6d20 726f 0065
0000035`;
const OD_ODD_WORDS = `0000000 7478 3852 7178 2d32 6d56 6b39 704c 2034
0000020 6e61 2064 6f6d 6572
0000030`;
/** `od`, `od -t x4` and `od -t x8` of `token=tR8xq2-Vm9kLp4 and more of it, so`. */
const OD_OCTAL = `0000000 067564 062553 036556 051164 074070 031161 053055 034555
0000020 046153 032160 060440 062156 066440 071157 020145 063157
0000040 064440 026164 071440 000157
0000047`;
const OD_LONG = `0000000 656b6f74 52743d6e 32717838 396d562d
0000020 34704c6b 646e6120 726f6d20 666f2065
0000040 2c746920 006f7320
0000047`;
const OD_LONGER = `0000000 52743d6e656b6f74 396d562d32717838
0000020 646e612034704c6b 666f2065726f6d20
0000040 006f73202c746920
0000047`;
const OD_BYTES = `0000000 164 157 153 145 156 075 164 122 070 170 161 062 055 126 155 071
0000020 153 114 160 064 040 141 156 144 040 155 157 162 145 040 157 146
0000040 040 151 164
0000043`;

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
  [
    'in words of the machine',
    SHORT,
    OD_WORDS,
    '0000000 6f74 656b *** 646e 6d20 726f 0065\n0000035',
  ],
  [
    'in words that begin with another byte',
    SHORT,
    OD_ODD_WORDS,
    '0000000 ***\n0000020 6e61 2064 6f6d 6572\n0000030',
  ],
  [
    'in words in octal',
    SHORT,
    OD_OCTAL,
    '0000000 067564 062553 *** 062156 066440 071157 020145 063157\n0000040 064440 026164 071440 000157\n0000047',
  ],
  [
    'in words of four bytes',
    SHORT,
    OD_LONG,
    '0000000 656b6f74 *** 726f6d20 666f2065\n0000040 2c746920 006f7320\n0000047',
  ],
  [
    'in words of eight bytes',
    SHORT,
    OD_LONGER,
    '0000000 *** 666f2065726f6d20\n0000040 006f73202c746920\n0000047',
  ],
  [
    'in a dump in octal',
    SHORT,
    OD_BYTES,
    '0000000 164 157 153 145 156 075 ***\n0000040 040 151 164\n0000043',
  ],
  ['in named entities', 'a1<b2:c3"d', 'pw a1&lt;b2&colon;c3&QUOT;d &amp;c', 'pw *** &amp;c'],
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
  ['in quoted-printable of UTF-8', LATIN, 'pw p=C3=84ss-w=C3=B6rt9x2k=C3=9F7.', 'pw ***.'],
  ['in quoted-printable of all bytes', 'hV7m=K2pQ', 'pw =68=56=37=6D=3D=4B=32=70=51.', 'pw =***.'],
  ['in quoted-printable of =', 'hV7m=K2pQ==', 'pw hV7m=3DK2pQ=3D=3D', 'pw ***'],
  ['as a field =b2', 'b2-a1 c3', 'x=b2-a1%20c3', 'x=***'],
  [
    'in two lines of a log',
    LONG,
    `2026-11-30T01:02:03.456Z ${FIRST}\n2026-11-30T01:02:03.457Z ${LAST}`,
    '2026-11-30T01:02:03.456Z ***',
  ],
  [
    'in two lines of a log with levels',
    LONG,
    `2026-11-30 01:02:03,456 INFO  ${FIRST}\n2026-11-30 01:02:03,456 INFO  ${LAST} b`,
    '2026-11-30 01:02:03,456 INFO  *** b',
  ],
  ['in a shell on two lines', LONG, `${FIRST}\\\n${LAST}`, '***'],
  ['in two strings of Java', LONG, `"${FIRST}" +\n  "${LAST}"`, '"***"'],
  ['in a log of compose', LONG, `web-1  | ${FIRST}\nweb-1  | ${LAST}`, 'web-1  | ***'],
  ['with a color', LONG, `\u001b[31m${FIRST}\u001b[1m${LAST}\u001b[0m`, '\u001b[31m***\u001b[0m'],
  ['in base32', RANDOM, 'seed NBLDO3KLGJYFCOLXLJ4DIVDOHA======', 'seed ***'],
  ['in base32 of a URL', RANDOM, '?secret=nbldo3klgjyfcolxlj4divdoha&x', '?secret=***&x'],
  ['in base64 twice', RANDOM, `data: ${base64(base64(RANDOM))}`, 'data: ***'],
  ['in base64 in base64', RANDOM, base64(`auth ${base64(`me:${RANDOM}`)}`), '***'],
  ['in base64 twice in a path', RANDOM, `/a/b/${base64(base64(`p=${RANDOM}`))} c`, '*** c'],
  ['in base64 of hexadecimal', RANDOM, base64(hex(RANDOM)), '***'],
  ['in base64 of UTF-16', RANDOM, base64(RANDOM, 'utf16le'), '***'],
  ['in base64 of escapes', 'a1 "b2&c3', base64(encodeURIComponent('a1 "b2&c3')), '***'],
  ['in hexadecimal of base64', RANDOM, `0x${hex(base64(RANDOM)).toUpperCase()}`, '***'],
  ['in groups of 4', RANDOM, groups(RANDOM, 4, ' '), '***'],
  ['in groups of capitals', RANDOM, `KEY ${groups(RANDOM, 4, '-').toUpperCase()}`, 'KEY ***'],
  ['in groups of lines', LONG, groups(LONG, 6, '\n'), '***'],
  ['in groups without capitals', '3fa94c07be5d18a2e6f0917c', '3fa94c07-be5d18a2-e6f0917c', '***'],
  ['as an array of characters', RANDOM, `{'${groups(RANDOM, 1, "', '")}'}`, "{'***'}"],
  ['in two strings', RANDOM, `'${RANDOM.slice(0, 8)}' + '${RANDOM.slice(8)}'`, "'***'"],
  ['in folded YAML with a blank', `${LONG} b`, `p: >-\n  ${LONG}\n  b`, 'p: >-\n  ***'],
  ['with a cursor that moves', RANDOM, `hV7mK\u001b[K${RANDOM.slice(5)}`, '***'],
  ['in escapes of Latin-1', LATIN, `b'${latin1(String.raw`\x`, 16)}'`, "b'***'"],
  ['in octal escapes of Latin-1', LATIN, `"${latin1('\\', 8)}"`, '"***"'],
  ['in a form in Latin-1', LATIN, `p=${latin1('%', 16)}&x`, 'p=***&x'],
  ['in UTF-8 read as Latin-1', LATIN, Buffer.from(LATIN).toString('latin1'), '***'],
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
  [RANDOM, 'hV7m-K2pQ-9wZy-4Tn8'],
  [RANDOM, base64(base64('orders of 2026 are there'))],
  ['Web1Db2Cache', 'Web1, Db2, Cache'],
  ['node18Alpine3', 'node 18, Alpine 3'],
  ['Summer2024Winter', 'Summer 2024, winter 2025'],
  ['3fa94c07be5d18a2', '3fa94c07-be5d-18a2-e6f0-917c4b8d25a1'],
  [SHORT, '00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|'],
])('leaves a text that only looks like the value %s', (value, text) => {
  expect(masked(value, text)).toBe(text);
});

it.each([
  '\\',
  ' ',
  ',',
  '%25',
  '0x',
  '61 ',
  'a ',
  '| ',
  '\n> ',
  'é',
  "'",
  'x'.repeat(20) + '\n',
  'Vm0wd',
  '2626',
  '/a-',
])('reads a long text of %j in time that grows with its length', (unit) => {
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
});
