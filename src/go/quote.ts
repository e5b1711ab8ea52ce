import { type ByteString, decodeRune, latin1, toByteString, toText } from './byte-string.js';

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

/** Quoted form of each single byte. */
const SHOWN = Array.from({ length: 0x100 }, (_, code) => {
  const char = String.fromCharCode(code);
  return ESCAPES[char] ?? (code >= 0x20 && code < 0x7f ? char : `\\x${hex(code, 2)}`);
});

/** Largest number of characters that a byte needs. */
const WIDEST = 4;
const SHOWN_SIZES = Uint8Array.from(SHOWN, (shown) => shown.length);
const SHOWN_BYTES = Uint8Array.from(SHOWN.map((shown) => shown.padEnd(WIDEST)).join(''), (char) =>
  char.charCodeAt(0),
);

/** Text without escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Quotes a string as `%q` does; it may have megabytes of arbitrary bytes. Ports strconv.Quote (strconv/quote.go). */
export function quote(text: ByteString): ByteString {
  if (PLAIN.test(text)) return `"${text}"`;
  const out = new Uint8Array(WIDEST * text.length);
  let size = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const width = code < 0xc2 ? 1 : decodeRune(text, at).width;
    if (width === 1) {
      for (let i = 0; i < (SHOWN_SIZES[code] ?? 0); i++) {
        out[size++] = SHOWN_BYTES[WIDEST * code + i] ?? 0;
      }
    } else {
      const shown = quotedRune(text, at, width);
      for (let i = 0; i < shown.length; i++) out[size++] = shown.charCodeAt(i);
    }
    at += width;
  }
  return `"${latin1(out.subarray(0, size))}"`;
}

/** Quotes a JavaScript string as strconv.Quote does. */
export function goQuote(text: string): string {
  return toText(quote(toByteString(text)));
}

function quotedRune(text: ByteString, at: number, width: number): ByteString {
  const { rune } = decodeRune(text, at);
  if (isPrint(rune)) return text.slice(at, at + width);
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Ports strconv.IsPrint (strconv/quote.go): letters, marks, numbers, punctuation, symbols and the ASCII space. */
function isPrint(rune: number): boolean {
  if (rune < 0x7f) return rune >= 0x20;
  return PRINTABLE.test(String.fromCodePoint(rune));
}

/** A string as the package time quotes it: byte by byte, where it is not ASCII. Ports quote (Go's time/format.go). */
export function timeQuote(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  const quoted = bytes.map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${quoted.join('')}"`;
}
