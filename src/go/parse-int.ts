import type { ByteString } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type OrError } from './result.js';

const MAX_UINT64 = 2n ** 64n - 1n;

function numError(name: string, text: ByteString, reason: string): { ok: false; error: string } {
  return fail(`strconv.${name}: parsing ${quote(text)}: ${reason}`);
}

/** Base 10. Ports strconv.Atoi (internal/strconv/atoi.go) for a 64-bit int. */
export function atoi(text: ByteString): OrError<number> {
  const parsed = atoi64(text);
  return parsed.ok ? ok(Number(parsed.value)) : parsed;
}

export function atoi64(text: ByteString): OrError<bigint> {
  const parsed = parseSigned(text, 64);
  return typeof parsed === 'string' ? numError('Atoi', text, parsed) : ok(parsed);
}

/** Base 10. Ports strconv.ParseInt (internal/strconv/atoi.go). */
export function parseInt64(text: ByteString, bits: number): OrError<number> {
  const parsed = parseSigned(text, bits);
  return typeof parsed === 'string' ? numError('ParseInt', text, parsed) : ok(Number(parsed));
}

/** Base 10; undefined for a text that is not a number or needs more bits. Ports strconv.ParseUint (internal/strconv/atoi.go). */
export function parseUint(text: ByteString, bits: number): number | undefined {
  const parsed = parseUnsigned(text, bits);
  return typeof parsed === 'string' ? undefined : Number(parsed);
}

type Reason = 'invalid syntax' | 'value out of range';

function parseSigned(text: ByteString, bits: number): bigint | Reason {
  const negative = text.startsWith('-');
  const magnitude = parseUnsigned(negative || text.startsWith('+') ? text.slice(1) : text, 64);
  if (typeof magnitude === 'string') return magnitude;
  const cutoff = 2n ** BigInt(bits - 1);
  if (magnitude > cutoff || (magnitude === cutoff && !negative)) return 'value out of range';
  return negative ? -magnitude : magnitude;
}

function parseUnsigned(text: ByteString, bits: number): bigint | Reason {
  if (text === '') return 'invalid syntax';
  const max = bits === 64 ? MAX_UINT64 : 2n ** BigInt(bits) - 1n;
  let value = 0n;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return 'invalid syntax';
    value = value * 10n + BigInt(digit);
    // As in Go, the text after an overflow is not read.
    if (value > max) return 'value out of range';
  }
  return value;
}
