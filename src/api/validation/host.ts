import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, forbidden, tooLong } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Subdomain } from './common.js';

type PodSpec = Decoded<'PodSpec'>;

const MAX_HOSTNAME_BYTES = 64;

/** Ports validateHostUsers (pkg/apis/core/validation/validation.go). */
export function validateHostUsers(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const paths: string[] = [];
  if (spec.hostNetwork === true) paths.push(`${path}.hostNetwork`);
  if (spec.hostPID === true) paths.push(`${path}.HostPID`);
  if (spec.hostIPC === true) paths.push(`${path}.HostIPC`);
  for (const { container, at } of containersWithPath(spec, path)) {
    if ((container.volumeDevices ?? []).length > 0) paths.push(`${at}.volumeDevices`);
  }
  return paths.map((at) => forbidden(at, 'when `hostUsers` is false'));
}

/** Ports validatePodHostName (pkg/apis/core/validation/validation.go). */
export function validatePodHostName(spec: PodSpec, path: string): FieldError[] {
  const name = spec.hostnameOverride;
  if (name === undefined) return [];
  const at = `${path}.hostnameOverride`;
  const errors: FieldError[] = [];
  if (spec.setHostnameAsFQDN === true) {
    errors.push(forbidden(at, 'may not be specified when setHostnameAsFQDN is true'));
  }
  if (spec.hostNetwork === true) {
    errors.push(forbidden(at, 'may not be specified when hostNetwork is true'));
  }
  if (byteLength(name) > MAX_HOSTNAME_BYTES) errors.push(tooLong(at, MAX_HOSTNAME_BYTES));
  return [...errors, ...validateDNS1123Subdomain(name, at)];
}
