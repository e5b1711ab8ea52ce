import { goQuote } from './quote.js';

/** Ports quoteChar (encoding/json scanner.go), which looks at one byte. */
export function quoteByte(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const [byte = 0] = new TextEncoder().encode(character);
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

/** A value as Go's encoding/json writes it: keys of maps sorted, `<`, `>`, `&` and U+2028 escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(sortKeys(value) ?? null);
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sortKeys(each)]),
  );
}

const GO_SPACE =
  '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const GO_SPACE_AROUND = new RegExp(`^${GO_SPACE}|${GO_SPACE}$`, 'g');

/** Ports strings.TrimSpace, whose white space is not quite that of JavaScript's trim. */
export function goTrimSpace(text: string): string {
  return text.replace(GO_SPACE_AROUND, '');
}

/** Hashes a text in UTF-8 with the 32 bits of FNV-1a (hash/fnv). */
export function fnv1a(text: string, basis = 0x811c9dc5): number {
  let hash = basis;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns the number of bytes in UTF-8, which Go's len counts. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
