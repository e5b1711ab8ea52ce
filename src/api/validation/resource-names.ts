import { type FieldError, invalid, notSupported } from '../field-error.js';
import { validateQualifiedName } from './common.js';
import { isQualifiedName } from './formats.js';

const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
const INTEGER_RESOURCES = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const STANDARD_RESOURCES = [
  ...CONTAINER_RESOURCES,
  ...CONTAINER_RESOURCES.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...INTEGER_RESOURCES,
  'storage',
  'requests.storage',
];

/** Ports IsHugePageResourceName (pkg/apis/core/helper/helpers.go). */
export function isHugePageResourceName(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Ports IsIntegerResourceName (pkg/apis/core/helper/helpers.go), less the extended resources. */
export function isIntegerResourceName(name: string): boolean {
  return INTEGER_RESOURCES.includes(name);
}

function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Ports IsExtendedResourceName (pkg/apis/core/helper/helpers.go). */
export function isExtendedResourceName(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** Ports IsOvercommitAllowed (pkg/apis/core/helper/helpers.go). */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePageResourceName(name);
}

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
