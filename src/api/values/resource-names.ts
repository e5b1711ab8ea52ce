/* Ported from pkg/apis/core/helper/helpers.go, with its names. */

export const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
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
export const STANDARD_RESOURCES = [
  ...CONTAINER_RESOURCES,
  ...CONTAINER_RESOURCES.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...INTEGER_RESOURCES,
  'storage',
  'requests.storage',
];

const MAX_PREFIX = 253;
/** A label key whose name may be as long as a quota's prefix leaves it. */
const EXTENDED_NAME =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

export function isHugePageResourceName(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Ports IsIntegerResourceName (pkg/apis/core/helper/helpers.go), less the extended resources. */
export function isIntegerResourceName(name: string): boolean {
  return INTEGER_RESOURCES.includes(name);
}

export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

export function isExtendedResourceName(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  const quotaName = `requests.${name}`;
  return quotaName.indexOf('/') <= MAX_PREFIX && EXTENDED_NAME.test(quotaName);
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePageResourceName(name);
}
