import { byteLength } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import {
  sortedEntries,
  validateDNS1123Label,
  validateOptional,
  validateRequired,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const MAX_TENANT_BYTES = 64;

/** Ports validateRBDVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateRBDVolumeSource(source: Decoded<'RBDVolumeSource'>, at: FieldPath): void {
  validateMonitors(source, at);
  validateRequired(source.image, at.child('image'));
}

/** The monitors of Ceph. */
export function validateMonitors(
  { monitors = [] }: { readonly monitors?: readonly string[] | undefined },
  at: FieldPath,
): void {
  if (monitors.length === 0) at.child('monitors').required();
}

/** Ports validateFlockerVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateFlockerVolumeSource(
  { datasetName: name = '', datasetUUID: uuid = '' }: Decoded<'FlockerVolumeSource'>,
  at: FieldPath,
): void {
  if (name === '' && uuid === '') at.required('one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '') {
    at.invalid('resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (name.includes('/')) at.child('datasetName').invalid(name, "must not contain '/'");
}

/** Ports validateQuobyteVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateQuobyteVolumeSource(
  source: Decoded<'QuobyteVolumeSource'>,
  at: FieldPath,
): void {
  const { registry = '', tenant = '', volume } = source;
  const registryAt = at.child('registry');
  if (registry === '') {
    registryAt.required(REGISTRY);
  } else if (byteLength(tenant) > MAX_TENANT_BYTES) {
    at.child('tenant').required('must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostPort(pair)) registryAt.invalid(registry, REGISTRY);
    }
  }
  validateRequired(volume, at.child('volume'));
}

/** Returns true for a text that net.SplitHostPort of Go takes. */
function isHostPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(text);
}

/** Ports validateStorageOSVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateStorageOSVolumeSource(
  source: Decoded<'StorageOSVolumeSource'>,
  at: FieldPath,
): void {
  validateRequired(source.volumeName, at.child('volumeName'), validateDNS1123Label);
  validateOptional(source.volumeNamespace, at.child('volumeNamespace'), validateDNS1123Label);
  validateSecretRef(source, at);
}

/** A reference to a secret, which needs a name where it is set. */
export function validateSecretRef(
  { secretRef }: { readonly secretRef?: Decoded<'LocalObjectReference'> | undefined },
  at: FieldPath,
): void {
  if (secretRef) validateRequired(secretRef.name, at.child('secretRef.name'));
}

/** Ports validateFlexVolumeSource (pkg/apis/core/validation/validation.go): the names of its options. */
export function validateFlexOptions(source: Decoded<'FlexVolumeSource'>, at: FieldPath): void {
  for (const [key] of sortedEntries(source.options)) {
    const namespace = key.split('/')[0] ?? '';
    if (!/\.(?:kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    at.child('options').item(key).invalid(key, detail);
  }
}
