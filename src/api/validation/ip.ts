import { type FieldError, invalid } from '../field-error.js';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|\\d{1,2}|0\\d\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const IPV4_TAIL = /^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Ports IsValidIPForLegacyField (apimachinery pkg/util/validation/ip.go): leading zeros are let through. */
export function validateIP(value: string, path: string): FieldError[] {
  if (IPV4.test(value) || isIPv6(value)) return [];
  return [invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

function isIPv6(value: string): boolean {
  const tail = value.slice(value.lastIndexOf(':') + 1);
  const text = IPV4_TAIL.test(tail) ? `${value.slice(0, -tail.length)}0:0` : value;
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
