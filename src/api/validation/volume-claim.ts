import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.js';
import { formatQuantity, storedQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Subdomain } from './common.js';
import { validateDataSources } from './data-source.js';
import { validateLabelSelector } from './label-selector.js';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** Ports ValidatePersistentVolumeClaimSpec (pkg/apis/core/validation/validation.go). */
export function validateVolumeClaimSpec(
  spec: Decoded<'PersistentVolumeClaimSpec'>,
  path: string,
): FieldError[] {
  const { volumeMode = 'Filesystem' } = spec;
  return [
    ...(spec.accessModes?.length
      ? []
      : [required(`${path}.accessModes`, 'at least 1 access mode is required')]),
    ...validateLabelSelector(spec.selector, `${path}.selector`),
    ...validateAccessModes(spec.accessModes, `${path}.accessModes`),
    ...validateStorage(spec.resources?.requests?.['storage'], `${path}.resources[storage]`),
    ...validateClassName(spec.storageClassName, `${path}.storageClassName`),
    ...(VOLUME_MODES.includes(volumeMode)
      ? []
      : [notSupported(`${path}.volumeMode`, volumeMode, VOLUME_MODES)]),
    ...validateDataSources(spec, path),
    ...validateClassName(spec.volumeAttributesClassName, `${path}.volumeAttributesClassName`),
  ];
}

function validateClassName(name = '', path: string): FieldError[] {
  return name === '' ? [] : validateDNS1123Subdomain(name, path);
}

function validateAccessModes(modes: readonly string[] = [], path: string): FieldError[] {
  const errors = modes
    .filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(path, mode, ACCESS_MODES));
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others.length > 0) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateStorage(text: string | undefined, path: string): FieldError[] {
  if (text === undefined) return [required(path)];
  const quantity = storedQuantity(text);
  if (quantity.nano > 0n) return [];
  return [invalid(path, formatQuantity(quantity), 'must be greater than zero')];
}
