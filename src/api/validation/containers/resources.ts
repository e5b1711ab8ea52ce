/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import {
  CONTAINER_RESOURCES,
  isExtendedResourceName,
  isHugePageResourceName,
  isIntegerResourceName,
  isNativeResource,
  isOvercommitAllowed,
  STANDARD_RESOURCES,
} from '../../helpers/resources.js';
import { isServerSince } from '../../schema/api-server.js';
import { asInternal } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { ownField, sortedEntries } from '../../values/objects.js';
import {
  formatQuantity,
  isFractional,
  isMultipleOf,
  parseQuantity,
  type Quantity,
  storedQuantity,
} from '../../values/quantity.js';
import { validateDNS1123Label, validateDNS1123Subdomain } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';
import { isQualifiedName } from '../common/formats.js';

/** Ports validateResourceRequirements (validation.go); Go's order is random, so the resources are sorted by name. */
export function validateResourceRequirements(
  { limits, requests, claims }: Decoded<v1.ResourceRequirements> = {},
  claimNames: ReadonlySet<string>,
  validateName: (name: string, at: FieldPath) => void,
  at: FieldPath,
): void {
  for (const [list, amounts] of Object.entries({ limits, requests })) {
    for (const [name, text] of sortedEntries(amounts)) {
      const quantity = storedQuantity(text);
      const amountAt = at.child(list).item(name);
      validateName(name, amountAt);
      validateResourceQuantityValue(name, quantity, amountAt);
      if (list === 'requests') {
        validateAgainstLimit(name, quantity, limits && ownField(limits, name), at);
      }
      validateHugePages(name, quantity, amountAt);
    }
  }
  const names = Object.keys({ ...limits, ...requests });
  if (names.some(isHugePageResourceName) && !names.includes('cpu') && !names.includes('memory')) {
    at.forbidden('HugePages require cpu or memory');
  }
  validateResourceClaimNames(claims, claimNames, at.child('claims'));
}

function validateResourceQuantityValue(name: string, quantity: Quantity, at: FieldPath): void {
  const text = formatQuantity(quantity);
  if (quantity.nano < 0n) at.invalid(text, 'must be greater than or equal to 0');
  if ((isIntegerResourceName(name) || isExtendedResourceName(name)) && isFractional(quantity)) {
    at.invalid(text, 'must be an integer');
  }
}

function validateAgainstLimit(
  name: string,
  request: Quantity,
  limitText: string | undefined,
  at: FieldPath,
): void {
  if (limitText === undefined) {
    if (isOvercommitAllowed(name)) return;
    return at.child('limits').required('Limit must be set for non overcommitable resources');
  }
  const limit = storedQuantity(limitText);
  const relation = `${name} limit of ${formatQuantity(limit)}`;
  const text = formatQuantity(request);
  if (request.nano !== limit.nano && !isOvercommitAllowed(name)) {
    at.child('requests').invalid(text, `must be equal to ${relation}`);
  } else if (request.nano > limit.nano) {
    at.child('requests').invalid(text, `must be less than or equal to ${relation}`);
  }
}

/** Ports validateResourceQuantityHugePageValue (pkg/apis/core/validation/validation.go). */
function validateHugePages(name: string, quantity: Quantity, at: FieldPath): void {
  if (!isHugePageResourceName(name)) return;
  const size = parseQuantity(name.slice('hugepages-'.length));
  if (size.kind === 'quantity' && isMultipleOf(quantity, size.quantity)) return;
  const text = formatQuantity(quantity);
  at.invalid(text, `${text} is not positive integer multiple of ${name}`);
}

function validateResourceName(name: string, at: FieldPath): void {
  const complaints = isQualifiedName(name);
  at.invalidFor(name, complaints);
  if (complaints.length > 0 || name.includes('/')) return;
  if (STANDARD_RESOURCES.includes(name) || /^(?:requests\.)?hugepages-/.test(name)) return;
  at.invalid(name, 'must be a standard resource type or fully qualified');
}

export function validateContainerResourceName(name: string, at: FieldPath): void {
  validateResourceName(name, at);
  if (!name.includes('/')) {
    if (CONTAINER_RESOURCES.includes(name) || isHugePageResourceName(name)) return;
    at.invalid(name, 'must be a standard resource for containers');
  } else if (!isNativeResource(name) && !isExtendedResourceName(name)) {
    at.invalid(name, "doesn't follow extended resource name standard");
  }
}

export function validatePodResourceName(name: string, at: FieldPath): void {
  const before = at.errors.length;
  validateResourceName(name, at);
  if (at.errors.length > before) return;
  const hasHugePages = isServerSince('1.33', at.server);
  if (['cpu', 'memory'].includes(name) || (hasHugePages && isHugePageResourceName(name))) return;
  at.notSupported(name, ['cpu', ...(hasHugePages ? ['hugepages-'] : []), 'memory']);
}

export function validatePodResourceClaims(
  claims: Decoded<v1.PodSpec>['resourceClaims'],
  at: FieldPath,
): void {
  const names = new Set<string>();
  at.each(claims, (claim, claimAt) => {
    const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
    validateClaimName(claim.name ?? '', names, claimAt.child('name'));
    if (name !== undefined && template !== undefined) {
      const detail =
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      claimAt.invalid(asInternal(claim, 'PodResourceClaim'), detail);
    }
    if (name === undefined && template === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      claimAt.invalid(asInternal(claim, 'PodResourceClaim'), detail);
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const { [field]: reference } = claim;
      if (reference !== undefined) validateDNS1123Subdomain(reference, claimAt.child(field));
    }
  });
}

function validateClaimName(name: string, names: Set<string>, at: FieldPath): void {
  if (name === '') return at.required();
  if (names.has(name)) return at.duplicate(name);
  names.add(name);
  validateDNS1123Label(name, at);
}

function validateResourceClaimNames(
  claims: readonly Decoded<v1.ResourceClaim>[] | undefined,
  podClaimNames: ReadonlySet<string>,
  at: FieldPath,
): void {
  const used = new Set<string>();
  at.each(claims, (claim, claimAt) => {
    const { name = '' } = claim;
    if (name === '') return claimAt.required();
    validateClaimUse(claim, used, claimAt);
    if (podClaimNames.has(name)) return;
    const known = [...podClaimNames].sort().join(', ');
    const names = known === '' ? ' which is empty' : `: ${known}`;
    claimAt.notFound(name, `must be one of the names in pod.spec.resourceClaims${names}`);
  });
}

function validateClaimUse(
  { name = '', request = '' }: Decoded<v1.ResourceClaim>,
  used: Set<string>,
  at: FieldPath,
): void {
  if (used.has(name)) return at.duplicate(name);
  const key = request === '' ? name : `${name}/${request}`;
  if (request !== '') validateDNS1123Label(request, at.child('request'));
  if (used.has(key)) at.duplicate(key);
  else if (request === '') {
    for (const other of used) if (other.startsWith(`${name}/`)) at.duplicate(name);
  }
  used.add(key);
}
