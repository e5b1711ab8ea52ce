import { type Cursor, failScan, isBlank, isBlankOrEnd, isBreakOrEnd } from './cursor.js';
import type { Mark } from './error.js';
import type { Token } from './token.js';

const BANG = '!';
const ALPHA = /[0-9A-Za-z_-]*/y;
const URI = /[-0-9A-Za-z_;/?:@&=+$,.!~*'()[\]]*/y;
const ANCHOR_ENDS = '?:,]}%@`';

function charAt(cursor: Cursor, ahead = 0): string {
  const code = cursor.peek(ahead);
  return code === 0 ? '' : String.fromCharCode(code);
}

/** Ports yaml_parser_scan_anchor (go.yaml.in/yaml/v2 scannerc.go): the name of an anchor or alias. */
export function scanAnchor(cursor: Cursor): string {
  const start = cursor.mark;
  cursor.skip();
  const name = cursor.take(ALPHA);
  const next = charAt(cursor);
  if (name !== '' && (isBlankOrEnd(cursor.peek()) || ANCHOR_ENDS.includes(next))) return name;
  failScan(cursor, start, 'did not find expected alphabetic or numeric character');
}

type Tag = Readonly<Record<'handle' | 'suffix', string>>;

/** Ports yaml_parser_scan_tag. */
export function scanTag(cursor: Cursor): Tag {
  const start = cursor.mark;
  const tag = charAt(cursor, 1) === '<' ? scanVerbatim(cursor, start) : scanShort(cursor, start);
  if (!isBlankOrEnd(cursor.peek())) {
    failScan(cursor, start, 'did not find expected whitespace or line break');
  }
  return tag;
}

function scanVerbatim(cursor: Cursor, start: Mark): Tag {
  cursor.skip(2);
  const suffix = scanUri(cursor, '', start);
  if (charAt(cursor) !== '>') failScan(cursor, start, "did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
}

function scanShort(cursor: Cursor, start: Mark): Tag {
  const handle = scanHandle(cursor, start, false);
  if (handle.length > 1 && handle.endsWith(BANG)) {
    return { handle, suffix: scanUri(cursor, '', start) };
  }
  const suffix = scanUri(cursor, handle, start);
  return suffix === '' ? { handle: '', suffix: BANG } : { handle: BANG, suffix };
}

function scanHandle(cursor: Cursor, start: Mark, directive: boolean): string {
  if (charAt(cursor) !== BANG) failScan(cursor, start, "did not find expected '!'");
  cursor.skip();
  const name = BANG + cursor.take(ALPHA);
  if (charAt(cursor) === BANG) {
    cursor.skip();
    return name + BANG;
  }
  if (directive && name !== BANG) failScan(cursor, start, "did not find expected '!'");
  return name;
}

/** Ports yaml_parser_scan_tag_uri; the first character of `head` is not part of it. */
function scanUri(cursor: Cursor, head: string, start: Mark): string {
  let uri = head.slice(1) + cursor.take(URI);
  let hasTag = head !== '' || uri !== '';
  while (charAt(cursor) === '%') {
    uri += scanEscapes(cursor, start) + cursor.take(URI);
    hasTag = true;
  }
  if (!hasTag) failScan(cursor, start, 'did not find expected tag URI');
  return uri;
}

/** Ports yaml_parser_scan_uri_escapes: the octets of one character. */
function scanEscapes(cursor: Cursor, start: Mark): string {
  const octets: number[] = [];
  for (let width = 1; octets.length < width;) {
    const digits = /^%([0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.offset, cursor.offset + 3));
    if (digits === null) failScan(cursor, start, 'did not find URI escaped octet');
    const octet = Number.parseInt(digits[1] ?? '', 16);
    if (octets.length === 0) {
      width = widthOf(octet);
      if (width === 0) failScan(cursor, start, 'found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) {
      failScan(cursor, start, 'found an incorrect trailing UTF-8 octet');
    }
    octets.push(octet);
    cursor.skip(3);
  }
  return new TextDecoder().decode(Uint8Array.from(octets));
}

function widthOf(octet: number): number {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

type Directive = Pick<Token, 'value' | 'suffix'> & {
  readonly kind: 'version-directive' | 'tag-directive';
};

/** Ports yaml_parser_scan_directive: a %YAML version, or a %TAG's handle and prefix, and the rest of the line. */
export function scanDirective(cursor: Cursor): Directive {
  const start = cursor.mark;
  const fail = (problem: string): never => failScan(cursor, start, problem);
  cursor.skip();
  const name = cursor.take(ALPHA);
  if (name === '') fail('could not find expected directive name');
  if (!isBlankOrEnd(cursor.peek())) fail('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') fail('found unknown directive name');
  cursor.skipBlanks();
  const directive = name === 'YAML' ? scanVersion(cursor, start) : scanTagValue(cursor, start);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) fail('did not find expected comment or line break');
  cursor.skipLine();
  return directive;
}

function scanVersion(cursor: Cursor, start: Mark): Directive {
  const fail = (problem: string): never => failScan(cursor, start, problem);
  const number = (): string => {
    const digits = cursor.take(/\d{0,3}/y);
    if (digits.length > 2) fail('found extremely long version number');
    if (digits === '') fail('did not find expected version number');
    return String(Number(digits));
  };
  const major = number();
  if (charAt(cursor) !== '.') fail("did not find expected digit or '.' character");
  cursor.skip();
  return { kind: 'version-directive', value: `${major}.${number()}`, suffix: '' };
}

function scanTagValue(cursor: Cursor, start: Mark): Directive {
  const fail = (problem: string): never => failScan(cursor, start, problem);
  const value = scanHandle(cursor, start, true);
  if (!isBlank(cursor.peek())) fail('did not find expected whitespace');
  cursor.skipBlanks();
  const suffix = scanUri(cursor, '', start);
  if (!isBlankOrEnd(cursor.peek())) fail('did not find expected whitespace or line break');
  return { kind: 'tag-directive', value, suffix };
}
