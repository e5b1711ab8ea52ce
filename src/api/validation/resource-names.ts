import { type FieldError, invalid, notSupported } from '../field-error.js';
import {
  CONTAINER_RESOURCES,
  isExtendedResourceName,
  isHugePageResourceName,
  isNativeResource,
  STANDARD_RESOURCES,
} from '../resource-names.js';
import { validateQualifiedName } from './common.js';

/** Ports validateResourceName (pkg/apis/core/validation/validation.go). */
function validateResourceName(name: string, path: string): FieldError[] {
  const errors = validateQualifiedName(name, path);
  if (errors.length > 0 || name.includes('/')) return errors;
  const standard = STANDARD_RESOURCES.includes(name) || /^(?:requests\.)?hugepages-/.test(name);
  if (standard) return [];
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Ports validateContainerResourceName (pkg/apis/core/validation/validation.go). */
export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (CONTAINER_RESOURCES.includes(name) || isHugePageResourceName(name)) return errors;
    return [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResourceName(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

/** Ports validatePodResourceName (pkg/apis/core/validation/validation.go). */
export function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0) return errors;
  if (name === 'cpu' || name === 'memory' || isHugePageResourceName(name)) return [];
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}
