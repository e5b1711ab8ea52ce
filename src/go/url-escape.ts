import { type ByteString, latin1 } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type Result } from './result.js';

/** The part of a URL that is escaped. Ports encoding (net/url/url.go). */
export type Encoding = 'path' | 'host' | 'zone' | 'userPassword' | 'fragment';

const UNRESERVED = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~';
const HOST = `${UNRESERVED}!$&'()*+,;=:[]<>"`;

/** Flags by byte code: 1 for bytes that need no escape. Ports the table of net/url/encoding_table.go. */
const PLAIN: Readonly<Record<Encoding, Uint8Array>> = {
  path: tableOf(`${UNRESERVED}$&+,/:;=@`),
  host: tableOf(HOST),
  zone: tableOf(HOST),
  userPassword: tableOf(`${UNRESERVED}$&+,;=`),
  fragment: tableOf(`${UNRESERVED}$&+,/:;=?@!()*`),
};

function tableOf(chars: string): Uint8Array {
  return Uint8Array.from({ length: 0x100 }, (_, code) =>
    chars.includes(String.fromCharCode(code)) ? 1 : 0,
  );
}

const PERCENT = 0x25;
const HEX = '0123456789ABCDEF';

/** Ports escape (net/url/url.go), for what may be megabytes. */
export function escape(text: ByteString, mode: Encoding): ByteString {
  const plain = PLAIN[mode];
  let escapes = 0;
  for (let at = 0; at < text.length; at++) escapes += 1 - (plain[text.charCodeAt(at)] ?? 0);
  if (escapes === 0) return text;
  const out = new Uint8Array(text.length + 2 * escapes);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (plain[code] === 1) {
      out[size++] = code;
    } else {
      out[size++] = PERCENT;
      out[size++] = HEX.charCodeAt(code >> 4);
      out[size++] = HEX.charCodeAt(code & 0xf);
    }
  }
  return latin1(out);
}

/** Ports unescape (net/url/url.go); the error's text is that of EscapeError or InvalidHostError. */
export function unescape(text: ByteString, mode: Encoding): Result<ByteString> {
  const isHost = mode === 'host' || mode === 'zone';
  if (!isHost && !text.includes('%')) return ok(text);
  const out = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === PERCENT) {
      code = 16 * hexDigit(text.charCodeAt(at + 1)) + hexDigit(text.charCodeAt(at + 2));
      if (!mayUnescape(code, mode)) {
        return fail(`invalid URL escape ${quote(text.slice(at, at + 3))}`);
      }
      at += 2;
    } else if (isHost && code < 0x80 && PLAIN[mode][code] !== 1) {
      return fail(`invalid character ${quote(text.charAt(at))} in host name`);
    }
    out[size++] = code;
  }
  return ok(latin1(out.subarray(0, size)));
}

/** NaN where it is none, also past the end. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}

function mayUnescape(code: number, mode: Encoding): boolean {
  if (Number.isNaN(code)) return false;
  if (code === PERCENT) return true;
  // In a host, only what is not ASCII may be escaped (RFC 3986, section 3.2.2).
  if (mode === 'host') return code >= 0x80;
  return mode !== 'zone' || code === 0x20 || PLAIN.host[code] === 1;
}
