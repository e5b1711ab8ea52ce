import { type FieldError, forbidden, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateAnnotations, validateLabels } from './object-meta.js';
import { validateVolumeClaimSpec } from './volume-claim.js';

/** The fields that a template may not set, in the order of the server's type; `uid` has its name there. */
const FORBIDDEN_META = {
  name: 'name',
  generateName: 'generateName',
  namespace: 'namespace',
  selfLink: 'selfLink',
  uid: 'uID',
  resourceVersion: 'resourceVersion',
  generation: 'generation',
  creationTimestamp: 'creationTimestamp',
  deletionTimestamp: 'deletionTimestamp',
  deletionGracePeriodSeconds: 'deletionGracePeriodSeconds',
  ownerReferences: 'ownerReferences',
  finalizers: 'finalizers',
  managedFields: 'managedFields',
} as const;

/** Ports validateEphemeralVolumeSource (pkg/apis/core/validation/validation.go). */
export function validateEphemeralVolumeSource(
  source: Decoded<'EphemeralVolumeSource'>,
  path: string,
): FieldError[] {
  const { volumeClaimTemplate: template } = source;
  const at = `${path}.volumeClaimTemplate`;
  if (template === undefined) return [required(at)];
  return [
    ...validateTemplateObjectMeta(template.metadata ?? {}, `${at}.metadata`),
    ...validateVolumeClaimSpec(template.spec ?? {}, `${at}.spec`),
  ];
}

/** Ports ValidateTemplateObjectMeta (pkg/apis/core/validation/validation.go). */
function validateTemplateObjectMeta(meta: Decoded<'ObjectMeta'>, path: string): FieldError[] {
  const set = Object.entries(meta).filter(([, value]) => value !== undefined);
  const names = new Set(set.map(([name]) => name));
  return [
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...Object.entries(FORBIDDEN_META)
      .filter(([name]) => names.has(name))
      .map(([, shown]) => forbidden(`${path}.${shown}`, 'cannot be set')),
  ];
}
