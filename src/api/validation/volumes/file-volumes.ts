import type { Decoded } from '../../schema/decoded.js';
import { validateLocalNonReservedPath, validateRequired } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import {
  validateContainerResourceFieldSelector,
  validateObjectFieldSelector,
} from './downward-api.js';

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

/** Ports validateSecretVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateSecretVolumeSource(
  source: Decoded<'SecretVolumeSource'>,
  at: FieldPath,
): void {
  validateRequired(source.secretName, at.child('secretName'));
  validateFileMode(source.defaultMode, at.child('defaultMode'));
  at.child('items').each(source.items, validateKeyToPath);
}

/** Ports validateConfigMapVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateConfigMapVolumeSource(
  source: Decoded<'ConfigMapVolumeSource'>,
  at: FieldPath,
): void {
  validateRequired(source.name, at.child('name'));
  validateFileMode(source.defaultMode, at.child('defaultMode'));
  at.child('items').each(source.items, validateKeyToPath);
}

/** Ports validateKeyToPath (pkg/apis/core/validation/validation.go). */
function validateKeyToPath({ key, path = '', mode }: Decoded<'KeyToPath'>, at: FieldPath): void {
  validateRequired(key, at.child('key'));
  validateRequired(path, at.child('path'));
  validateLocalNonReservedPath(path, at.child('path'));
  validateFileMode(mode, at.child('mode'));
}

/** Ports validateDownwardAPIVolumeSource (pkg/apis/core/validation/validation.go); its paths lack the item. */
export function validateDownwardAPIVolumeSource(
  source: Decoded<'DownwardAPIVolumeSource'>,
  at: FieldPath,
): void {
  validateFileMode(source.defaultMode, at.child('defaultMode'));
  for (const file of source.items ?? []) validateDownwardAPIVolumeFile(file, at);
}

/** Ports validateDownwardAPIVolumeFile (pkg/apis/core/validation/validation.go). */
function validateDownwardAPIVolumeFile(
  { path = '', fieldRef, resourceFieldRef, mode }: Decoded<'DownwardAPIVolumeFile'>,
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

/**
 * Ports validateProjectedVolumeSource and validateProjectionSources (pkg/apis/core/validation/validation.go);
 * the server has dropped clusterTrustBundle and podCertificate before, whose gates are off.
 */
export function validateProjectedVolumeSource(
  source: Decoded<'ProjectedVolumeSource'>,
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
    const { downwardAPI, serviceAccountToken } = projection;
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
    if (Object.keys(projection).length > 1) {
      sourceAt.forbidden('may not specify more than 1 volume type per source');
    }
  });
}

/** Its path is reported as the volume's. */
function validateToken(
  { expirationSeconds: seconds = 0, path }: Decoded<'ServiceAccountTokenProjection'>,
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
