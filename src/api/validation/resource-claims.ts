import {
  asStruct,
  duplicate,
  type FieldError,
  invalid,
  type JsonText,
  notFound,
  required,
} from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, validateDNS1123Label } from './common.js';
import { isDNS1123Subdomain } from './formats.js';

/** Ports validatePodResourceClaims (pkg/apis/core/validation/validation.go). */
export function validatePodResourceClaims(
  claims: readonly Decoded<'PodResourceClaim'>[] = [],
  path: string,
): FieldError[] {
  const names = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    const errors = validateClaimName(name, names, `${at}.name`);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail =
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalid(at, showClaim(claim), detail));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalid(at, showClaim(claim), detail));
    }
    return [
      ...errors,
      ...validateReference(resourceClaimName, `${at}.resourceClaimName`),
      ...validateReference(resourceClaimTemplateName, `${at}.resourceClaimTemplateName`),
    ];
  });
}

function showClaim(claim: Decoded<'PodResourceClaim'>): JsonText {
  return asStruct({
    Name: claim.name ?? '',
    ResourceClaimName: claim.resourceClaimName,
    ResourceClaimTemplateName: claim.resourceClaimTemplateName,
  });
}

function validateClaimName(name: string, names: Set<string>, path: string): FieldError[] {
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return validateDNS1123Label(name, path);
}

function validateReference(name: string | undefined, path: string): FieldError[] {
  return name === undefined ? [] : complaintErrors(path, name, isDNS1123Subdomain(name));
}

/** Ports validateResourceClaimNames (pkg/apis/core/validation/validation.go). */
export function validateResourceClaimNames(
  claims: readonly Decoded<'ResourceClaim'>[] = [],
  podClaimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const used = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const { name = '' } = claim;
    if (name === '') return [required(at)];
    const errors = validateClaimUse(claim, used, at);
    if (!podClaimNames.has(name)) errors.push(unknownClaim(name, podClaimNames, at));
    return errors;
  });
}

function validateClaimUse(
  claim: Decoded<'ResourceClaim'>,
  used: Set<string>,
  path: string,
): FieldError[] {
  const { name = '', request = '' } = claim;
  if (used.has(name)) return [duplicate(path, name)];
  const key = request === '' ? name : `${name}/${request}`;
  const errors = request === '' ? [] : validateDNS1123Label(request, `${path}.request`);
  if (used.has(key)) errors.push(duplicate(path, key));
  else if (request === '') {
    for (const other of used) {
      if (other.startsWith(`${name}/`)) errors.push(duplicate(path, name));
    }
  }
  used.add(key);
  return errors;
}

function unknownClaim(name: string, known: ReadonlySet<string>, path: string): FieldError {
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
  const detail = `must be one of the names in pod.spec.resourceClaims${names}`;
  const error = notFound(path, name);
  return { ...error, detail, message: `${error.message}: ${detail}` };
}
