import { type FieldError, invalid } from '../field-error.js';
import { goQuote } from '../go-text.js';
import type { ApiWarning } from '../warnings/warning.js';

const MAX_OCTET = 255;
const MAX_GROUP = 0xffff;
const GROUPS = 8;
/** An IPv4 octet with a zero before it, or a group of IPv6 with more digits than four. */
const LEADING_ZERO = /(?:^|[:.])0\d+\.|\.0\d|[0-9a-fA-F]{5}/;

/** An address of version 4, or the eight groups of one of version 6. */
type Address =
  { readonly version: 4 } | { readonly version: 6; readonly groups: readonly number[] };

/** Ports IsValidIPForLegacyField with strict validation (apimachinery pkg/util/validation/ip.go). */
export function validateIP(value: string, path: string): FieldError[] {
  const address = parseIPSloppy(value);
  if (address === undefined) {
    const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [invalid(path, value, detail)];
  }
  if (LEADING_ZERO.test(value)) return [invalid(path, value, 'must not have leading 0s')];
  if (!isIPv4Mapped(address)) return [];
  return [invalid(path, value, 'must not be an IPv4-mapped IPv6 address')];
}

/** Ports GetWarningsForIP (apimachinery pkg/util/validation/ip.go), for what validation lets through. */
export function ipWarnings(value: string, field: string): readonly ApiWarning[] {
  const address = parseIPSloppy(value);
  if (address?.version !== 6) return [];
  const canonical = formatIPv6(address.groups);
  if (canonical === value) return [];
  const message = `IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`;
  return [{ field, message }];
}

/** Ports ParseIPSloppy (k8s.io/utils/net), which lets leading zeros through. */
function parseIPSloppy(value: string): Address | undefined {
  const separator = /[.:]/.exec(value)?.[0];
  if (separator === '.') return parseIPv4(value) && { version: 4 };
  return separator === ':' ? parseIPv6(value) : undefined;
}

function parseIPv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  const octets = parts.map(Number);
  const right = parts.every((part) => /^\d+$/.test(part)) && octets.length === 4;
  return right && octets.every((octet) => octet <= MAX_OCTET) ? octets : undefined;
}

function parseIPv6(value: string): Address | undefined {
  const halves = hexTail(value).split('::');
  const parts = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (halves.length > 2 || !parts.flat().every((part) => /^[0-9a-fA-F]+$/.test(part))) {
    return undefined;
  }
  const [before = [], after = []] = parts.map((half) => half.map((part) => parseInt(part, 16)));
  const missing = GROUPS - before.length - after.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...before, ...Array<number>(missing).fill(0), ...after];
  return groups.every((group) => group <= MAX_GROUP) ? { version: 6, groups } : undefined;
}

/** The same with the IPv4 address that it may end in as two groups. */
function hexTail(value: string): string {
  const tail = value.slice(value.lastIndexOf(':') + 1);
  const [a = 0, b = 0, c = 0, d = 0] = parseIPv4(tail) ?? [];
  if (!tail.includes('.') || parseIPv4(tail) === undefined) return value;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return value.slice(0, -tail.length) + groups.join(':');
}

function isIPv4Mapped(address: Address): boolean {
  if (address.version === 4) return false;
  const [mark, ...zeros] = address.groups.slice(0, 6).reverse();
  return mark === MAX_GROUP && zeros.every((group) => group === 0);
}

/** In the form of RFC 5952: the longest run of zeros, the first of equals, becomes `::`. */
function formatIPv6(groups: readonly number[]): string {
  const texts = groups.map((group) => group.toString(16));
  const run = longestZeros(groups);
  if (run.length < 2) return texts.join(':');
  const before = texts.slice(0, run.start).join(':');
  return `${before}::${texts.slice(run.start + run.length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  groups.forEach((_, start) => {
    const end = groups.findIndex((group, index) => index >= start && group !== 0);
    const length = (end === -1 ? groups.length : end) - start;
    if (length > longest.length) longest = { start, length };
  });
  return longest;
}
