import { type Cursor, isBlankOrEnd, isBreak } from './cursor.js';
import { GoYamlError, type Mark } from './go-yaml-error.js';
import { Gap } from './scan-plain.js';

const DASH = 0x2d;
const DOT = 0x2e;
const SINGLE = 0x27;
const DOUBLE = 0x22;
const BACKSLASH = 0x5c;

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Ports yaml_parser_scan_flow_scalar (go.yaml.in/yaml/v2 scannerc.go); the cursor is at the first quote. */
export function scanQuoted(cursor: Cursor, single: boolean): string {
  const start = cursor.mark;
  const quote = single ? SINGLE : DOUBLE;
  const fail = (context: string, problem: string): never => {
    throw new GoYamlError(
      'scanner',
      problem,
      cursor.mark,
      start,
      `while ${context} a quoted scalar`,
    );
  };
  cursor.skip();
  let value = '';
  for (;;) {
    if (cursor.isIndicator(DASH) || cursor.isIndicator(DOT)) {
      fail('scanning', 'found unexpected document indicator');
    }
    if (cursor.peek() === 0) fail('scanning', 'found unexpected end of stream');
    const gap = new Gap();
    value += scanWord(cursor, single, gap, start);
    if (cursor.peek() === quote) break;
    gap.read(cursor);
    value += gap.take();
  }
  cursor.skip();
  return value;
}

/** Up to a blank or the closing quote; an escaped line break is noted in the gap that follows. */
function scanWord(cursor: Cursor, single: boolean, gap: Gap, start: Mark): string {
  let value = '';
  for (let code = cursor.peek(); !isBlankOrEnd(code); code = cursor.peek()) {
    if (single && code === SINGLE) {
      if (cursor.peek(1) !== SINGLE) return value;
      value += "'";
      cursor.skip(2);
    } else if (!single && code === DOUBLE) return value;
    else if (!single && code === BACKSLASH) {
      if (isBreak(cursor.peek(1))) {
        cursor.skip();
        cursor.skipLine();
        gap.escapeBreak();
        return value;
      }
      value += scanEscape(cursor, start);
    } else {
      value += String.fromCharCode(code);
      cursor.skip();
    }
  }
  return value;
}

function scanEscape(cursor: Cursor, start: Mark): string {
  const fail = (problem: string): never => {
    throw new GoYamlError('scanner', problem, cursor.mark, start, 'while parsing a quoted scalar');
  };
  const letter = String.fromCharCode(cursor.peek(1));
  const length = HEX_LENGTHS[letter];
  if (length === undefined) {
    const escaped = ESCAPES[letter] ?? fail('found unknown escape character');
    cursor.skip(2);
    return escaped;
  }
  cursor.skip(2);
  const digits = cursor.text.slice(cursor.position, cursor.position + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    fail('found invalid Unicode character escape code');
  }
  cursor.skip(length);
  return String.fromCodePoint(code);
}
