import type { ByteString } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type OrError } from './result.js';

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
  const value = negative ? -magnitude : magnitude;
  return BigInt.asIntN(bits, value) === value ? value : 'value out of range';
}

function parseUnsigned(text: ByteString, bits: number): bigint | Reason {
  if (text === '') return 'invalid syntax';
  const max = 2n ** BigInt(bits) - 1n;
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
