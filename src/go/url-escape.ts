import type { ByteString } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type Result } from './result.js';

/** The part of a URL that is escaped. Ports encoding (net/url/url.go). */
export type Encoding = 'path' | 'host' | 'zone' | 'userPassword' | 'fragment';

const UNRESERVED = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~';
const HOST = `${UNRESERVED}!$&'()*+,;=:[]<>"`;

/** What stands for itself. Ports the table of net/url/encoding_table.go. */
const PLAIN: Readonly<Record<Encoding, ReadonlySet<string>>> = {
  path: new Set(`${UNRESERVED}$&+,/:;=@`),
  host: new Set(HOST),
  zone: new Set(HOST),
  userPassword: new Set(`${UNRESERVED}$&+,;=`),
  fragment: new Set(`${UNRESERVED}$&+,/:;=?@!()*`),
};

function shouldEscape(char: string, mode: Encoding): boolean {
  return !PLAIN[mode].has(char);
}

/** Ports escape (net/url/url.go). */
export function escape(text: ByteString, mode: Encoding): ByteString {
  let out = '';
  for (const char of text) out += shouldEscape(char, mode) ? percent(char) : char;
  return out;
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

const ESCAPED = /^%[0-9a-fA-F]{2}/;

/** Ports unescape (net/url/url.go); the error's text is that of EscapeError or InvalidHostError. */
export function unescape(text: ByteString, mode: Encoding): Result<ByteString> {
  const isHost = mode === 'host' || mode === 'zone';
  if (!isHost && !text.includes('%')) return ok(text);
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '%') {
      const escaped = text.slice(at, at + 3);
      if (!mayUnescape(escaped, mode)) return fail(`invalid URL escape ${quote(escaped)}`);
      out += String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      at += 2;
      continue;
    }
    if (isHost && char < '\x80' && shouldEscape(char, mode)) {
      return fail(`invalid character ${quote(char)} in host name`);
    }
    out += char;
  }
  return ok(out);
}

function mayUnescape(escaped: string, mode: Encoding): boolean {
  if (!ESCAPED.test(escaped)) return false;
  if (escaped === '%25') return true;
  const value = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  // In a host, only what is not ASCII may be escaped (RFC 3986, section 3.2.2).
  if (mode === 'host') return value >= '\x80';
  return mode !== 'zone' || value === ' ' || !shouldEscape(value, 'host');
}
