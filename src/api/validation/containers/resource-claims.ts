import type { Decoded } from '../../schema/decoded.js';
import { validateDNS1123Label, validateDNS1123Subdomain } from '../common/checks.js';
import { asStruct, type FieldPath, type JsonText } from '../common/field-error.js';

type PodResourceClaim = Decoded<'PodResourceClaim'>;
type ResourceClaim = Decoded<'ResourceClaim'>;

/** Ports validatePodResourceClaims (pkg/apis/core/validation/validation.go). */
export function validatePodResourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  at: FieldPath,
): void {
  const names = new Set<string>();
  at.each(claims, (claim, claimAt) => {
    const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
    validateClaimName(claim.name ?? '', names, claimAt.child('name'));
    if (name !== undefined && template !== undefined) {
      const detail =
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      claimAt.invalid(showClaim(claim), detail);
    }
    if (name === undefined && template === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      claimAt.invalid(showClaim(claim), detail);
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const { [field]: reference } = claim;
      if (reference !== undefined) validateDNS1123Subdomain(reference, claimAt.child(field));
    }
  });
}

function showClaim(claim: PodResourceClaim): JsonText {
  return asStruct({
    Name: claim.name ?? '',
    ResourceClaimName: claim.resourceClaimName,
    ResourceClaimTemplateName: claim.resourceClaimTemplateName,
  });
}

function validateClaimName(name: string, names: Set<string>, at: FieldPath): void {
  if (name === '') return at.required();
  if (names.has(name)) return at.duplicate(name);
  names.add(name);
  validateDNS1123Label(name, at);
}

/** Ports validateResourceClaimNames (pkg/apis/core/validation/validation.go). */
export function validateResourceClaimNames(
  claims: readonly ResourceClaim[] | undefined,
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
  { name = '', request = '' }: ResourceClaim,
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
