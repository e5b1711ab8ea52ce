import { type FieldError, invalid, required } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { sortedEntries, validateDNS1123Label } from './common.js';

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const MAX_TENANT_BYTES = 64;

/** Ports validateRBDVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateRBDVolumeSource(
  source: Decoded<'RBDVolumeSource'>,
  path: string,
): FieldError[] {
  const errors = validateMonitors(source, path);
  return (source.image ?? '') === '' ? [...errors, required(`${path}.image`)] : errors;
}

/** Of Ceph. */
export function validateMonitors(
  { monitors = [] }: { readonly monitors?: readonly string[] | undefined },
  path: string,
): FieldError[] {
  return monitors.length === 0 ? [required(`${path}.monitors`)] : [];
}

/** Ports validateFlockerVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateFlockerVolumeSource(
  source: Decoded<'FlockerVolumeSource'>,
  path: string,
): FieldError[] {
  const { datasetName: name = '', datasetUUID: uuid = '' } = source;
  const errors: FieldError[] = [];
  if (name === '' && uuid === '') {
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (name !== '' && uuid !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalid(path, 'resource', detail));
  }
  if (name.includes('/')) errors.push(invalid(`${path}.datasetName`, name, "must not contain '/'"));
  return errors;
}

/** Ports validateQuobyteVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateQuobyteVolumeSource(
  source: Decoded<'QuobyteVolumeSource'>,
  path: string,
): FieldError[] {
  const errors = validateRegistry(source, path);
  return (source.volume ?? '') === '' ? [...errors, required(`${path}.volume`)] : errors;
}

function validateRegistry(
  { registry = '', tenant = '' }: Decoded<'QuobyteVolumeSource'>,
  path: string,
): FieldError[] {
  if (registry === '') return [required(`${path}.registry`, REGISTRY)];
  if (byteLength(tenant) > MAX_TENANT_BYTES) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters';
    return [required(`${path}.tenant`, detail)];
  }
  return registry
    .split(',')
    .filter((pair) => !isHostPort(pair))
    .map(() => invalid(`${path}.registry`, registry, REGISTRY));
}

/** Whether net.SplitHostPort of Go takes the text. */
function isHostPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(text);
}

/** Ports validateStorageOSVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateStorageOSVolumeSource(
  source: Decoded<'StorageOSVolumeSource'>,
  path: string,
): FieldError[] {
  const { volumeName: name = '', volumeNamespace: namespace = '' } = source;
  return [
    ...(name === ''
      ? [required(`${path}.volumeName`)]
      : validateDNS1123Label(name, `${path}.volumeName`)),
    ...(namespace === '' ? [] : validateDNS1123Label(namespace, `${path}.volumeNamespace`)),
    ...validateSecretRef(source, path),
  ];
}

/** The secret of a volume, which needs a name where it is given. */
export function validateSecretRef(
  { secretRef }: { readonly secretRef?: Decoded<'LocalObjectReference'> | undefined },
  path: string,
): FieldError[] {
  if (secretRef === undefined || (secretRef.name ?? '') !== '') return [];
  return [required(`${path}.secretRef.name`)];
}

/** Ports validateFlexVolumeSource (pkg/apis/core/validation/validation.go): the names of its options. */
export function validateFlexOptions(
  source: Decoded<'FlexVolumeSource'>,
  path: string,
): FieldError[] {
  return sortedEntries(source.options).flatMap(([key]) => {
    const namespace = key.split('/')[0] ?? '';
    if (!/\.(?:kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)) return [];
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    return [invalid(`${path}.options[${key}]`, key, detail)];
  });
}
