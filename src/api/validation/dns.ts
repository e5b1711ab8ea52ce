import { asJson, type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors } from './common.js';
import { isDNS1123SubdomainWithUnderscore } from './formats.js';
import { validateIP } from './ip.js';

const POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_NAMESERVERS = 3;
const MAX_SEARCH_PATHS = 32;
const MAX_SEARCH_LIST_CHARACTERS = 2048;

/** Ports validateDNSPolicy (pkg/apis/core/validation/validation.go). */
export function validateDNSPolicy(policy: string | undefined, path: string): FieldError[] {
  if (policy === undefined) return [required(path)];
  return POLICIES.includes(policy) ? [] : [notSupported(path, policy, POLICIES)];
}

/** Ports validatePodDNSConfig (pkg/apis/core/validation/validation.go). */
export function validatePodDNSConfig(
  config: Decoded<'PodDNSConfig'> | undefined,
  policy: string | undefined,
  path: string,
): FieldError[] {
  if (policy === 'None' && config === undefined) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (config === undefined) return [];
  const { nameservers = [], searches = [], options = [] } = config;
  if (policy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [required(`${path}.nameservers`, detail)];
  }
  return [
    ...validateNameservers(nameservers, `${path}.nameservers`),
    ...validateSearches(searches, `${path}.searches`),
    ...options.flatMap(({ name = '' }, index) =>
      name === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function validateNameservers(nameservers: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (nameservers.length > MAX_NAMESERVERS) {
    const detail = `must not have more than ${MAX_NAMESERVERS} nameservers`;
    errors.push(invalid(path, asJson(nameservers), detail));
  }
  nameservers.forEach((server, index) => errors.push(...validateIP(server, `${path}[${index}]`)));
  return errors;
}

function validateSearches(searches: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > MAX_SEARCH_PATHS) {
    const detail = `must not have more than ${MAX_SEARCH_PATHS} search paths`;
    errors.push(invalid(path, asJson(searches), detail));
  }
  if (searches.join(' ').length > MAX_SEARCH_LIST_CHARACTERS) {
    const detail = `must not have more than ${MAX_SEARCH_LIST_CHARACTERS} characters (including spaces) in the search list`;
    errors.push(invalid(path, asJson(searches), detail));
  }
  searches.forEach((search, index) => {
    if (search === '.') return;
    const name = search.replace(/\.$/, '');
    const complaints = isDNS1123SubdomainWithUnderscore(name);
    errors.push(...complaintErrors(`${path}[${index}]`, name, complaints));
  });
  return errors;
}
