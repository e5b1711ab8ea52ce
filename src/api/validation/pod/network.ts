import type { Decoded } from '../../schema/decoded.js';
import {
  validateDNS1123Subdomain,
  validateIP,
  validateMaxBytes,
  visitContainersWithPath,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { isDNS1123SubdomainWithUnderscore } from '../common/formats.js';

type PodSpec = Decoded<'PodSpec'>;

const MAX_NAMESERVERS = 3;
const MAX_SEARCH_PATHS = 32;
const MAX_SEARCH_LIST_CHARACTERS = 2048;
const MAX_HOSTNAME_BYTES = 64;

/** Ports validatePodDNSConfig (pkg/apis/core/validation/validation.go). */
export function validatePodDNSConfig(
  config: Decoded<'PodDNSConfig'> | undefined,
  policy: string | undefined,
  at: FieldPath,
): void {
  if (config === undefined) {
    if (policy === 'None') at.required('must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  const { nameservers = [], searches = [], options } = config;
  if (policy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return at.child('nameservers').required(detail);
  }
  validateNameservers(nameservers, at.child('nameservers'));
  validateSearches(searches, at.child('searches'));
  at.child('options').each(options, ({ name = '' }, optionAt) => {
    if (name === '') optionAt.required('must not be empty');
  });
}

function validateNameservers(nameservers: readonly string[], at: FieldPath): void {
  if (nameservers.length > MAX_NAMESERVERS) {
    at.invalid(asJson(nameservers), `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  at.each(nameservers, validateIP);
}

function validateSearches(searches: readonly string[], at: FieldPath): void {
  if (searches.length > MAX_SEARCH_PATHS) {
    at.invalid(asJson(searches), `must not have more than ${MAX_SEARCH_PATHS} search paths`);
  }
  if (searches.join(' ').length > MAX_SEARCH_LIST_CHARACTERS) {
    const detail = `must not have more than ${MAX_SEARCH_LIST_CHARACTERS} characters (including spaces) in the search list`;
    at.invalid(asJson(searches), detail);
  }
  at.each(searches, (search, searchAt) => {
    if (search === '.') return;
    const name = search.replace(/\.$/, '');
    searchAt.complain(name, isDNS1123SubdomainWithUnderscore(name));
  });
}

/** Ports validateHostUsers (pkg/apis/core/validation/validation.go). */
export function validateHostUsers(spec: PodSpec, at: FieldPath): void {
  if (spec.hostUsers !== false) return;
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork === true) at.child('hostNetwork').forbidden(detail);
  if (spec.hostPID === true) at.child('HostPID').forbidden(detail);
  if (spec.hostIPC === true) at.child('HostIPC').forbidden(detail);
  visitContainersWithPath(spec, at, ({ volumeDevices = [] }, containerAt) => {
    if (volumeDevices.length > 0) containerAt.child('volumeDevices').forbidden(detail);
  });
}

/** Ports validatePodHostName (pkg/apis/core/validation/validation.go). */
export function validatePodHostName(spec: PodSpec, at: FieldPath): void {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return;
  if (spec.setHostnameAsFQDN === true) {
    at.forbidden('may not be specified when setHostnameAsFQDN is true');
  }
  if (spec.hostNetwork === true) at.forbidden('may not be specified when hostNetwork is true');
  validateMaxBytes(name, MAX_HOSTNAME_BYTES, at);
  validateDNS1123Subdomain(name, at);
}

/** Ports ValidateHostAliases (pkg/apis/core/validation/validation.go). */
export function validateHostAliases(
  aliases: readonly Decoded<'HostAlias'>[] | undefined,
  at: FieldPath,
): void {
  at.each(aliases, ({ ip = '', hostnames }, aliasAt) => {
    validateIP(ip, aliasAt.child('ip'));
    aliasAt.child('hostnames').each(hostnames, validateDNS1123Subdomain);
  });
}
