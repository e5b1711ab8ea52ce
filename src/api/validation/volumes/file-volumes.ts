/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import type { Decoded, v1 } from '../../schema/schema.js';
import { splitMaybeSubscriptedPath } from '../../values/field-path.js';
import { formatQuantity, parseQuantity } from '../../values/quantity.js';
import {
  validateLocalNonReservedPath,
  validateQualifiedName,
  validateRequired,
} from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import { validateClusterTrustBundle, validatePodCertificate } from './certificate-projections.js';

const VOLUME_FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
];
const MIN_TOKEN_SECONDS = 10 * 60;
const MAX_TOKEN_SECONDS = 2 ** 32;

function validateFileMode(mode: number | undefined, at: FieldPath): void {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  at.invalid(mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** Ports validateSecretVolumeSource and validateConfigMapVolumeSource, without the required name. */
export function validateFiles(
  { defaultMode, items }: Decoded<v1.SecretVolumeSource> | Decoded<v1.ConfigMapVolumeSource>,
  at: FieldPath,
): void {
  validateFileMode(defaultMode, at.child('defaultMode'));
  at.child('items').each(items, validateKeyToPath);
}

function validateKeyToPath({ key, path = '', mode }: Decoded<v1.KeyToPath>, at: FieldPath): void {
  validateRequired(key, at.child('key'));
  validateRequired(path, at.child('path'));
  validateLocalNonReservedPath(path, at.child('path'));
  validateFileMode(mode, at.child('mode'));
}

/** Ports validateDownwardAPIVolumeSource (pkg/apis/core/validation/validation.go); the paths of its errors lack the item. */
export function validateDownwardAPIVolumeSource(
  source: Decoded<v1.DownwardAPIVolumeSource>,
  at: FieldPath,
): void {
  validateFileMode(source.defaultMode, at.child('defaultMode'));
  for (const file of source.items ?? []) validateDownwardAPIVolumeFile(file, at);
}

function validateDownwardAPIVolumeFile(
  { path = '', fieldRef, resourceFieldRef, mode }: Decoded<v1.DownwardAPIVolumeFile>,
  at: FieldPath,
): void {
  validateRequired(path, at.child('path'));
  validateLocalNonReservedPath(path, at.child('path'));
  if (fieldRef) {
    validateObjectFieldSelector(fieldRef, VOLUME_FIELD_PATHS, at.child('fieldRef'));
    if (resourceFieldRef) {
      at.invalid('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resourceFieldRef) {
    validateContainerResourceFieldSelector(resourceFieldRef, at.child('resourceFieldRef'), true);
  } else {
    at.required('one of fieldRef and resourceFieldRef is required');
  }
  validateFileMode(mode, at.child('mode'));
}

/** Ports validateProjectedVolumeSource and validateProjectionSources (pkg/apis/core/validation/validation.go). */
export function validateProjectedVolumeSource(
  source: Decoded<v1.ProjectedVolumeSource>,
  at: FieldPath,
): void {
  const paths = new Set<string>();
  const claimPath = (path: string | undefined, shown = ''): void => {
    if (path === undefined) return;
    if (paths.has(path)) at.invalid(shown, 'conflicting duplicate paths');
    paths.add(path);
  };
  validateFileMode(source.defaultMode, at.child('defaultMode'));
  at.child('sources').each(source.sources, (projection, sourceAt) => {
    const { downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection;
    for (const kind of ['secret', 'configMap'] as const) {
      const { [kind]: named } = projection;
      if (named === undefined) continue;
      validateRequired(named.name, sourceAt.child(`${kind}.name`));
      sourceAt.child(`${kind}.items`).each(named.items, (item, itemAt) => {
        validateKeyToPath(item, itemAt);
        claimPath(item.path, named.name);
      });
    }
    for (const file of downwardAPI?.items ?? []) {
      validateDownwardAPIVolumeFile(file, sourceAt.child('downwardAPI'));
      claimPath(file.path, file.path);
    }
    if (serviceAccountToken) validateToken(serviceAccountToken, sourceAt, at);
    if (clusterTrustBundle) {
      const bundleAt = sourceAt.child('clusterTrustBundle');
      validateClusterTrustBundle(clusterTrustBundle, bundleAt, claimPath);
    }
    if (podCertificate) {
      validatePodCertificate(podCertificate, sourceAt.child('podCertificate'), claimPath);
    }
    if (Object.keys(projection).length > 1) {
      sourceAt.forbidden('may not specify more than 1 volume type per source');
    }
  });
}

/** Validates a projected token; the server reports its path as that of the volume. */
function validateToken(
  { expirationSeconds: seconds = 0, path }: Decoded<v1.ServiceAccountTokenProjection>,
  sourceAt: FieldPath,
  volumeAt: FieldPath,
): void {
  const secondsAt = sourceAt.child('serviceAccountToken.expirationSeconds');
  if (seconds < MIN_TOKEN_SECONDS) {
    secondsAt.invalid(seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > MAX_TOKEN_SECONDS) {
    secondsAt.invalid(seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  validateRequired(path, volumeAt.child('path'), validateLocalNonReservedPath);
}

const FIELD_LABELS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const RESOURCES = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${kind}.${name}`),
);
const HUGE_PAGES = /^(?:requests|limits)\.hugepages-/;
/** A resource whose divisors are limited. A name without `limits.` or `requests.` is refused by another check. */
const DIVIDED = /^(?:requests|limits)\.(cpu$|memory$|ephemeral-storage$|hugepages(?=-))/;
const BYTE_DIVISORS = '1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei'.split(' ');
/** The name of each resource in messages, and its allowed divisors. */
const DIVISORS = new Map<string, readonly [name: string, divisors: readonly string[]]>([
  ['cpu', ['cpu', ['1m', '1']]],
  ['memory', ['memory', BYTE_DIVISORS]],
  ['ephemeral-storage', ['local ephemeral storage', BYTE_DIVISORS]],
  ['hugepages', ['hugepages', BYTE_DIVISORS]],
]);

export function validateObjectFieldSelector(
  { apiVersion = '', fieldPath = '' }: Decoded<v1.ObjectFieldSelector>,
  expressions: readonly string[],
  at: FieldPath,
): void {
  if (apiVersion === '') return at.child('apiVersion').required();
  const pathAt = at.child('fieldPath');
  if (fieldPath === '') return pathAt.required();
  const converted = convertDownwardAPIFieldLabel(apiVersion, fieldPath);
  if ('error' in converted) {
    return pathAt.invalid(fieldPath, `error converting fieldPath: ${converted.error}`);
  }
  const subscripted = splitMaybeSubscriptedPath(converted.label);
  if (subscripted?.path === 'metadata.annotations') {
    validateQualifiedName(subscripted.subscript.toLowerCase(), at);
  } else if (subscripted !== undefined) {
    validateQualifiedName(subscripted.subscript, at);
  } else if (!expressions.includes(converted.label)) {
    pathAt.notSupported(converted.label, expressions.toSorted());
  }
}

/** Ports ConvertDownwardAPIFieldLabel (pkg/apis/core/pods/helpers.go). */
function convertDownwardAPIFieldLabel(
  version: string,
  label: string,
): { readonly label: string } | { readonly error: string } {
  if (version !== 'v1') return { error: `unsupported pod version: ${version}` };
  const path = splitMaybeSubscriptedPath(label)?.path;
  if (path !== undefined) {
    if (path === 'metadata.annotations' || path === 'metadata.labels') return { label };
    return { error: `field label does not support subscript: ${label}` };
  }
  if (FIELD_LABELS.includes(label)) return { label };
  if (label === 'spec.host') return { label: 'spec.nodeName' };
  return { error: `field label not supported: ${label}` };
}

export function validateContainerResourceFieldSelector(
  { containerName = '', resource = '', divisor = '0' }: Decoded<v1.ResourceFieldSelector>,
  at: FieldPath,
  inVolume: boolean,
): void {
  if (inVolume && containerName === '') at.child('containerName').required();
  else if (resource === '') at.child('resource').required();
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) {
    at.child('resource').notSupported(resource, RESOURCES);
  }
  validateContainerResourceDivisor(resource, divisor, at.child('divisor'));
}

function validateContainerResourceDivisor(resource: string, divisor: string, at: FieldPath): void {
  const parsed = parseQuantity(divisor);
  if (parsed.kind === 'error' || parsed.quantity.nano === 0n) return;
  const [, kind = ''] = DIVIDED.exec(resource) ?? [];
  const [name, allowed] = DIVISORS.get(kind) ?? [];
  if (allowed === undefined || allowed.includes(formatQuantity(parsed.quantity))) return;
  const list = allowed.length === 2 ? '1m and 1' : allowed.join(', ');
  at.invalid(resource, `only divisor's values ${list} are supported with the ${name} resource`);
}
