import { asJson, type FieldError, invalid, required, tooLong } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors, sortedEntries, validateNonnegativeField } from './common.js';
import {
  type Complaints,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  maskTrailingDash,
} from './formats.js';
import { validateManagedFields } from './managed-fields.js';
import { validateOwnerReferences } from './owner-references.js';

type ObjectMeta = Decoded<'ObjectMeta'>;

/** Says what is wrong with a name, or with the beginning of one. */
export type NameFunction = (name: string) => Complaints;

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];
const EXCLUSIVE_FINALIZERS = ['orphan', 'foregroundDeletion'];
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/** Ports ValidateObjectMeta (apimachinery pkg/api/validation/objectmeta.go) for what has a namespace. */
export function validateObjectMeta(
  meta: ObjectMeta,
  validateName: NameFunction,
  path: string,
): FieldError[] {
  const { name = '', generateName = '', namespace = '', generation = 0 } = meta;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const complaints = validateName(maskTrailingDash(generateName));
    errors.push(...complaintErrors(`${path}.generateName`, generateName, complaints));
  }
  if (name === '') errors.push(required(`${path}.name`, 'name or generateName is required'));
  else errors.push(...complaintErrors(`${path}.name`, name, validateName(name)));
  if (namespace === '') errors.push(required(`${path}.namespace`));
  else errors.push(...complaintErrors(`${path}.namespace`, namespace, isDNS1123Label(namespace)));
  return [
    ...errors,
    ...validateNonnegativeField(generation, `${path}.generation`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`),
    ...validateFinalizers(meta.finalizers, `${path}.finalizers`),
    ...validateManagedFields(meta.managedFields, `${path}.managedFields`),
    ...validateKubeFinalizerNames(meta.finalizers, `${path}.finalizers`),
  ];
}

/** Ports ValidateFinalizers (apimachinery pkg/api/validation/objectmeta.go). */
function validateFinalizers(finalizers: readonly string[] = [], path: string): FieldError[] {
  const errors = finalizers.flatMap((each) => complaintErrors(path, each, isQualifiedName(each)));
  if (!EXCLUSIVE_FINALIZERS.every((each) => finalizers.includes(each))) return errors;
  const detail = `finalizer ${EXCLUSIVE_FINALIZERS.join(' and ')} cannot be both set`;
  return [...errors, invalid(path, asJson(finalizers), detail)];
}

/** Ports validateKubeFinalizerName (pkg/apis/core/validation/validation.go). */
function validateKubeFinalizerNames(
  finalizers: readonly string[] = [],
  path: string,
): FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)
      ? []
      : [invalid(`${path}[${index}]`, finalizer, detail)],
  );
}

/** The rule for most names. Ports NameIsDNSSubdomain (apimachinery pkg/api/validation/generic.go). */
export const nameIsDNSSubdomain: NameFunction = isDNS1123Subdomain;

/** Ports ValidateLabels (apimachinery pkg/apis/meta/v1/validation/validation.go). */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...complaintErrors(path, key, isQualifiedName(key)),
    ...complaintErrors(path, value, isValidLabelValue(value)),
  ]);
}

/** Ports ValidateAnnotations (apimachinery pkg/api/validation/objectmeta.go). */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const entries = sortedEntries(annotations);
  const errors = entries.flatMap(([key]) =>
    complaintErrors(path, key, isQualifiedName(key.toLowerCase())),
  );
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > MAX_ANNOTATIONS_BYTES ? [...errors, tooLong(path, MAX_ANNOTATIONS_BYTES)] : errors;
}
