/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { canonicalIPSloppy } from '../../../go/addr.js';
import { byteLength } from '../../../go/text.js';
import { containersWithPath } from '../../helpers/containers.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import type { FieldPath } from './field-error.js';
import {
  type Complaints,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortNum,
  isValidUserID,
  regexError,
} from './formats.js';

/** Reports an empty value as missing, and validates any other value. */
export function validateRequired(
  value: string | undefined,
  at: FieldPath,
  validate?: (value: string, at: FieldPath) => void,
): void {
  if (value === undefined || value === '') at.required();
  else validate?.(value, at);
}

/** Validates a value that is not empty. */
export function validateOptional(
  value: string | undefined,
  at: FieldPath,
  validate: (value: string, at: FieldPath) => void,
): void {
  if (value !== undefined && value !== '') validate(value, at);
}

/** Validates a required enumeration: an empty value is missing. */
export function validateEnum(
  value: string | undefined,
  supported: readonly string[],
  at: FieldPath,
): void {
  validateRequired(value, at, (choice) => validateSupported(choice, supported, at));
}

/** Validates an enumeration whose empty value is not supported either. */
export function validateSupported(value = '', supported: readonly string[], at: FieldPath): void {
  if (!supported.includes(value)) at.notSupported(value, supported);
}

/** Validates an enumeration that may be absent (a pointer in Go). */
export function validateSupportedIfSet(
  value: string | undefined,
  supported: readonly string[],
  at: FieldPath,
): void {
  if (value !== undefined) validateSupported(value, supported, at);
}

export function validateMaxBytes(value: string, limit: number, at: FieldPath): void {
  if (byteLength(value) > limit) at.tooLong(limit);
}

export function validateMaxItems(list: readonly unknown[], limit: number, at: FieldPath): void {
  if (list.length > limit) at.tooMany(list.length, limit);
}

/** Returns a validation that reports the complaints of a function of formats.ts. */
export function complaining<T extends string | number>(complaintsOf: (value: T) => Complaints) {
  return (value: T, at: FieldPath): void => at.invalidFor(value, complaintsOf(value));
}

export const validateDNS1123Label = complaining(isDNS1123Label);
export const validateDNS1123Subdomain = complaining(isDNS1123Subdomain);
export const validateQualifiedName = complaining(isQualifiedName);
export const validatePortNumber = complaining(isValidPortNum);

const HTTP_PATH = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const HTTP_PATH_REGEXP = new RegExp(`^${HTTP_PATH}$`);

/** Ports IsDomainPrefixedPath (apimachinery pkg/util/validation/validation.go). */
export function validateDomainPrefixedPath(value: string, at: FieldPath): void {
  if (value === '') return at.required();
  const [host = '', ...rest] = value.split('/');
  const httpPath = rest.join('/');
  if (host === '' || httpPath === '') {
    return at.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  validateDNS1123Subdomain(host, at);
  if (!HTTP_PATH_REGEXP.test(httpPath)) at.invalid(httpPath, regexError('Invalid path', HTTP_PATH));
}

export function validateNonnegativeField(value = 0, at: FieldPath): void {
  if (value < 0) at.invalid(value, 'must be greater than or equal to 0');
}

export function validateNonnegativeFields<Field extends string>(
  object: { readonly [Name in Field]?: number | undefined },
  fields: readonly Field[],
  at: FieldPath,
): void {
  for (const field of fields) validateNonnegativeField(object[field], at.child(field));
}

export function validatePositiveField(value = 0, at: FieldPath): void {
  if (value <= 0) at.invalid(value, 'must be greater than zero');
}

export function validateID(id: number | undefined, at: FieldPath): void {
  if (id !== undefined) at.invalidFor(id, isValidUserID(id));
}

export function validatePathNoBacksteps(target: string, at: FieldPath): void {
  if (target.split('/').includes('..')) at.invalid(target, "must not contain '..'");
}

export function validateLocalDescendingPath(target: string, at: FieldPath): void {
  if (target.startsWith('/')) at.invalid(target, 'must be a relative path');
  validatePathNoBacksteps(target, at);
}

export function validateLocalNonReservedPath(target: string, at: FieldPath): void {
  validateLocalDescendingPath(target, at);
  if (/^\.\.(?!\/)/.test(target)) at.invalid(target, "must not start with '..'");
}

/** An IPv4 octet with a zero before it, or a group of IPv6 with more than four digits. */
const LEADING_ZERO = /(?:^|[:.])0\d+\.|\.0\d|[0-9a-fA-F]{5}/;

/** Ports IsValidIPForLegacyField with strict validation (apimachinery pkg/util/validation/ip.go). */
export function validateIP(value: string, at: FieldPath): void {
  const canonical = canonicalIPSloppy(value);
  if (canonical === undefined) {
    at.invalid(value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  } else if (LEADING_ZERO.test(value)) {
    at.invalid(value, 'must not have leading 0s');
  } else if (value.includes(':') && !canonical.includes(':')) {
    at.invalid(value, 'must not be an IPv4-mapped IPv6 address');
  }
}

/** Ports VisitContainersWithPath (pkg/apis/core/pods/helpers.go). */
export function visitContainersWithPath(
  spec: Decoded<v1.PodSpec>,
  at: FieldPath,
  visit: (container: Decoded<v1.Container>, at: FieldPath) => void,
): void {
  for (const { container, at: path } of containersWithPath(spec, at.path)) {
    visit(container, at.with(path));
  }
}
