import { type ByteString, decodeRune } from './byte-string.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Characters that stand for themselves. */
const PLAIN = /[ !#-[\]-~]+/y;

/** What `%q` shows of a string. Ports strconv.Quote (strconv/quote.go). */
export function quote(text: ByteString): ByteString {
  let out = '"';
  for (let at = 0; at < text.length;) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.test(text) ? PLAIN.lastIndex - at : 0;
    out += text.slice(at, at + plain);
    at += plain;
    if (at === text.length) break;
    const { rune, width } = decodeRune(text, at);
    out += quotedRune(text.slice(at, at + width), rune, width);
    at += width;
  }
  return `${out}"`;
}

function quotedRune(bytes: ByteString, rune: number, width: number): ByteString {
  const escape = ESCAPES[bytes];
  if (escape !== undefined) return escape;
  if (rune === 0xfffd && width === 1) return `\\x${hex(bytes.charCodeAt(0), 2)}`;
  if (isPrint(rune)) return bytes;
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex(rune, 2)}`;
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Ports strconv.IsPrint (strconv/quote.go): letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(rune: number): boolean {
  if (rune < 0x7f) return rune >= 0x20;
  return PRINTABLE.test(String.fromCodePoint(rune));
}
