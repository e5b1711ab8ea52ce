import { type FieldError, forbidden, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import {
  validateDownwardAPIVolumeFile,
  validateFileMode,
  validateKeyToPath,
} from './file-volumes.js';
import { validateLocalNonReservedPath } from './paths.js';

type Projection = Decoded<'VolumeProjection'>;

const MIN_TOKEN_SECONDS = 10 * 60;
const MAX_TOKEN_SECONDS = 2 ** 32;

/**
 * Ports validateProjectedVolumeSource and validateProjectionSources (pkg/apis/core/validation/validation.go);
 * clusterTrustBundle and podCertificate have been dropped by then.
 */
export function validateProjectedVolumeSource(
  source: Decoded<'ProjectedVolumeSource'>,
  path: string,
): FieldError[] {
  const paths = new Set<string>();
  const errors = validateFileMode(source.defaultMode, `${path}.defaultMode`);
  source.sources?.forEach((projection, index) => {
    errors.push(...validateProjection(projection, paths, path, `${path}.sources[${index}]`));
  });
  return errors;
}

function validateProjection(
  projection: Projection,
  paths: Set<string>,
  path: string,
  at: string,
): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken } = projection;
  const errors: FieldError[] = [];
  if (secret) errors.push(...validateNamed(secret, paths, path, `${at}.secret`));
  if (configMap) errors.push(...validateNamed(configMap, paths, path, `${at}.configMap`));
  for (const file of downwardAPI?.items ?? []) {
    errors.push(...validateDownwardAPIVolumeFile(file, `${at}.downwardAPI`));
    errors.push(...claimPath(file.path, paths, path, file.path ?? ''));
  }
  if (serviceAccountToken) {
    errors.push(...validateToken(serviceAccountToken, path, `${at}.serviceAccountToken`));
  }
  if (Object.keys(projection).length > 1) {
    errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

function validateNamed(
  source: Decoded<'SecretProjection'>,
  paths: Set<string>,
  path: string,
  at: string,
): FieldError[] {
  const { name = '', items = [] } = source;
  const errors = name === '' ? [required(`${at}.name`)] : [];
  items.forEach((item, index) => {
    errors.push(...validateKeyToPath(item, `${at}.items[${index}]`));
    errors.push(...claimPath(item.path, paths, path, name));
  });
  return errors;
}

function claimPath(
  target: string | undefined,
  paths: Set<string>,
  path: string,
  shown: string,
): FieldError[] {
  if (target === undefined) return [];
  if (paths.has(target)) return [invalid(path, shown, 'conflicting duplicate paths')];
  paths.add(target);
  return [];
}

function validateToken(
  token: Decoded<'ServiceAccountTokenProjection'>,
  path: string,
  at: string,
): FieldError[] {
  const { expirationSeconds: seconds = 0, path: target = '' } = token;
  const errors: FieldError[] = [];
  if (seconds < MIN_TOKEN_SECONDS) {
    const detail = 'may not specify a duration less than 10 minutes';
    errors.push(invalid(`${at}.expirationSeconds`, seconds, detail));
  }
  if (seconds > MAX_TOKEN_SECONDS) {
    const detail = 'may not specify a duration larger than 2^32 seconds';
    errors.push(invalid(`${at}.expirationSeconds`, seconds, detail));
  }
  if (target === '') return [...errors, required(`${path}.path`)];
  return [...errors, ...validateLocalNonReservedPath(target, `${path}.path`)];
}
