import { type FieldError, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import {
  validateContainerResourceFieldSelector,
  validateObjectFieldSelector,
} from './downward-api.js';
import { validateLocalNonReservedPath } from './paths.js';

const VOLUME_FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
];

/** The modes of files, 0 to 0777, as the server checks them. */
export function validateFileMode(mode: number | undefined, path: string): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** Ports validateSecretVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateSecretVolumeSource(
  source: Decoded<'SecretVolumeSource'>,
  path: string,
): FieldError[] {
  return [
    ...((source.secretName ?? '') === '' ? [required(`${path}.secretName`)] : []),
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...validateItems(source.items, `${path}.items`),
  ];
}

/** Ports validateConfigMapVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateConfigMapVolumeSource(
  source: Decoded<'ConfigMapVolumeSource'>,
  path: string,
): FieldError[] {
  return [
    ...((source.name ?? '') === '' ? [required(`${path}.name`)] : []),
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...validateItems(source.items, `${path}.items`),
  ];
}

function validateItems(items: readonly Decoded<'KeyToPath'>[] = [], path: string): FieldError[] {
  return items.flatMap((item, index) => validateKeyToPath(item, `${path}[${index}]`));
}

/** Ports validateKeyToPath (pkg/apis/core/validation/validation.go). */
export function validateKeyToPath(item: Decoded<'KeyToPath'>, at: string): FieldError[] {
  const { key = '', path = '' } = item;
  const errors: FieldError[] = [];
  if (key === '') errors.push(required(`${at}.key`));
  if (path === '') errors.push(required(`${at}.path`));
  errors.push(...validateLocalNonReservedPath(path, `${at}.path`));
  return [...errors, ...validateFileMode(item.mode, `${at}.mode`)];
}

/** Ports validateDownwardAPIVolumeSource (pkg/apis/core/validation/validation.go); its paths lack the item. */
export function validateDownwardAPIVolumeSource(
  source: Decoded<'DownwardAPIVolumeSource'>,
  path: string,
): FieldError[] {
  return [
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...(source.items ?? []).flatMap((file) => validateDownwardAPIVolumeFile(file, path)),
  ];
}

/** Ports validateDownwardAPIVolumeFile (pkg/apis/core/validation/validation.go). */
export function validateDownwardAPIVolumeFile(
  file: Decoded<'DownwardAPIVolumeFile'>,
  at: string,
): FieldError[] {
  const { path = '', fieldRef, resourceFieldRef, mode } = file;
  const errors = path === '' ? [required(`${at}.path`)] : [];
  errors.push(...validateLocalNonReservedPath(path, `${at}.path`));
  if (fieldRef) {
    errors.push(...validateObjectFieldSelector(fieldRef, VOLUME_FIELD_PATHS, `${at}.fieldRef`));
    if (resourceFieldRef) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(at, 'resource', detail));
    }
  } else if (resourceFieldRef) {
    const selectorAt = `${at}.resourceFieldRef`;
    errors.push(...validateContainerResourceFieldSelector(resourceFieldRef, selectorAt, true));
  } else {
    errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...validateFileMode(mode, `${at}.mode`)];
}
