import { canonicalIPSloppy } from '../../go/addr.js';
import { goQuote } from '../../go/quote.js';
import { type FieldError, invalid } from '../field-error.js';
import type { ApiWarning } from '../warnings/warning.js';

/** An IPv4 octet with a zero before it, or a group of IPv6 with more than four digits. */
const LEADING_ZERO = /(?:^|[:.])0\d+\.|\.0\d|[0-9a-fA-F]{5}/;

/** Ports IsValidIPForLegacyField with strict validation (apimachinery pkg/util/validation/ip.go). */
export function validateIP(value: string, path: string): FieldError[] {
  const canonical = canonicalIPSloppy(value);
  if (canonical === undefined) {
    const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [invalid(path, value, detail)];
  }
  if (LEADING_ZERO.test(value)) return [invalid(path, value, 'must not have leading 0s')];
  const isIPv4Mapped = value.includes(':') && !canonical.includes(':');
  if (!isIPv4Mapped) return [];
  return [invalid(path, value, 'must not be an IPv4-mapped IPv6 address')];
}

/** Ports GetWarningsForIP (apimachinery pkg/util/validation/ip.go), for what validation lets through. */
export function ipWarnings(value: string, field: string): readonly ApiWarning[] {
  const canonical = canonicalIPSloppy(value);
  if (!value.includes(':') || canonical === undefined || canonical === value) return [];
  const message = `IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`;
  return [{ field, message }];
}
