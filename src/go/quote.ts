import { type ByteString, decodeRune, latin1 } from './byte-string.js';

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

/** What each byte is shown as that is a character of its own. */
const SHOWN_ASCII = Array.from({ length: 0x80 }, (_, code) => {
  const char = String.fromCharCode(code);
  return ESCAPES[char] ?? (code >= 0x20 && code < 0x7f ? char : `\\x${hex(code, 2)}`);
});

/** What `%q` shows of a string, which may be megabytes of anything. Ports strconv.Quote (strconv/quote.go). */
export function quote(text: ByteString): ByteString {
  // No byte is shown as more than four.
  const out = new Uint8Array(4 * text.length);
  let size = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const { shown, width } =
      code < 0x80 ? { shown: SHOWN_ASCII[code] ?? '', width: 1 } : shownRune(text, at);
    for (let i = 0; i < shown.length; i++) out[size++] = shown.charCodeAt(i);
    at += width;
  }
  return `"${latin1(out.subarray(0, size))}"`;
}

function shownRune(
  text: ByteString,
  at: number,
): { readonly shown: string; readonly width: number } {
  const { rune, width } = decodeRune(text, at);
  return { shown: quotedRune(text.slice(at, at + width), rune, width), width };
}

function quotedRune(bytes: ByteString, rune: number, width: number): ByteString {
  if (rune === 0xfffd && width === 1) return `\\x${hex(bytes.charCodeAt(0), 2)}`;
  if (isPrint(rune)) return bytes;
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
