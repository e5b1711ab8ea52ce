import { type FieldError, invalid, notSupported, required } from '../field-error.js';
import {
  type Complaints,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  regexError,
} from './formats.js';

/** One error a complaint about the value of a field. */
export function complaintErrors(path: string, value: string, complaints: Complaints): FieldError[] {
  return complaints.map((complaint) => invalid(path, value, complaint));
}

/** Ports ValidateDNS1123Label (pkg/apis/core/validation/validation.go). */
export function validateDNS1123Label(value: string, path: string): FieldError[] {
  return complaintErrors(path, value, isDNS1123Label(value));
}

/** Ports ValidateDNS1123Subdomain (pkg/apis/core/validation/validation.go). */
export function validateDNS1123Subdomain(value: string, path: string): FieldError[] {
  return complaintErrors(path, value, isDNS1123Subdomain(value));
}

/** Ports ValidateQualifiedName (pkg/apis/core/validation/validation.go). */
export function validateQualifiedName(value: string, path: string): FieldError[] {
  return complaintErrors(path, value, isQualifiedName(value));
}

const HTTP_PATH = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const HTTP_PATH_REGEXP = new RegExp(`^${HTTP_PATH}$`);

/** Ports IsDomainPrefixedPath (apimachinery pkg/util/validation/validation.go). */
export function validateDomainPrefixedPath(value: string, path: string): FieldError[] {
  if (value === '') return [required(path)];
  const [host = '', ...rest] = value.split('/');
  const httpPath = rest.join('/');
  if (host === '' || httpPath === '') {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = validateDNS1123Subdomain(host, path);
  if (HTTP_PATH_REGEXP.test(httpPath)) return errors;
  return [...errors, invalid(path, httpPath, regexError('Invalid path', HTTP_PATH))];
}

/** Ports ValidateNonnegativeField (pkg/apis/core/validation/validation.go). */
export function validateNonnegativeField(value: number, path: string): FieldError[] {
  return value < 0 ? [invalid(path, value, 'must be greater than or equal to 0')] : [];
}

/** Ports ValidatePositiveField (pkg/apis/core/validation/validation.go). */
export function validatePositiveField(value: number, path: string): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, 'must be greater than zero')];
}

/** A value of a few that must be there, as the server checks many of them. */
export function validateEnum(
  value: string | undefined,
  supported: readonly string[],
  path: string,
): FieldError[] {
  if (value === undefined || value === '') return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** The entries of a map in the order of their keys, where Go takes any order. */
export function sortedEntries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
