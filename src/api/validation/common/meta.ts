import { byteLength } from '../../../go/text.js';
import { isServerSince } from '../../schema/api-server.js';
import { encode } from '../../schema/encode.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { ownField, sortedEntries } from '../../values/objects.js';
import {
  complaining,
  validateDNS1123Label,
  validateMaxBytes,
  validateNonnegativeField,
  validateQualifiedName,
  validateRequired,
} from './checks.js';
import { asJson, asStruct, collectErrors, type FieldPath, type JsonText } from './field-error.js';
import {
  type Complaints,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  maskTrailingDash,
} from './formats.js';

/*
 * Ported from apimachinery pkg/api/validation/objectmeta.go and
 * apimachinery pkg/apis/meta/v1/validation/validation.go, with their names.
 */

type ObjectMeta = Decoded<v1.ObjectMeta>;
type OwnerReference = Decoded<v1.OwnerReference>;
type Texts = Readonly<Record<string, string>>;

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];
const EXCLUSIVE_FINALIZERS = ['orphan', 'foregroundDeletion'];
const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MANAGED_OPERATIONS = ['Apply', 'Update'];
const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Ports ValidateObjectMeta (pkg/apis/core/validation/validation.go). */
export function validateObjectMeta(
  meta: ObjectMeta,
  at: FieldPath,
  nameComplaints?: (name: string) => Complaints,
): void {
  validateObjectMetaAccessor(meta, at, nameComplaints);
  at.child('finalizers').each(meta.finalizers, validateKubeFinalizerName);
}

/**
 * Ports ValidateObjectMetaAccessor (apimachinery pkg/api/validation/objectmeta.go) for objects in a namespace. Most names
 * follow NameIsDNSSubdomain (pkg/api/validation/generic.go).
 */
export function validateObjectMetaAccessor(
  meta: ObjectMeta,
  at: FieldPath,
  nameComplaints: (name: string) => Complaints = isDNS1123Subdomain,
): void {
  const { name = '', generateName = '', finalizers } = meta;
  if (generateName !== '') {
    at.child('generateName').invalidFor(
      generateName,
      nameComplaints(maskTrailingDash(generateName)),
    );
  }
  if (name === '') at.child('name').required('name or generateName is required');
  else at.child('name').invalidFor(name, nameComplaints(name));
  validateRequired(meta.namespace, at.child('namespace'), validateDNS1123Label);
  validateNonnegativeField(meta.generation, at.child('generation'));
  validateLabels(meta.labels, at.child('labels'));
  validateAnnotations(meta.annotations, at.child('annotations'));
  validateOwnerReferences(meta.ownerReferences, at.child('ownerReferences'));
  validateFinalizers(finalizers, at.child('finalizers'));
  at.child('managedFields').each(meta.managedFields, validateManagedFields);
}

function validateFinalizers(finalizers: readonly string[] = [], at: FieldPath): void {
  for (const finalizer of finalizers) validateQualifiedName(finalizer, at);
  if (EXCLUSIVE_FINALIZERS.every((each) => finalizers.includes(each))) {
    const detail = `finalizer ${EXCLUSIVE_FINALIZERS.join(' and ')} cannot be both set`;
    at.invalid(asJson(finalizers), detail);
  }
}

/** Ports validateKubeFinalizerName (pkg/apis/core/validation/validation.go). */
function validateKubeFinalizerName(finalizer: string, at: FieldPath): void {
  if (finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)) return;
  at.invalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}

export function validateLabels(labels: Texts | undefined, at: FieldPath): void {
  for (const [key, value] of sortedEntries(labels)) {
    validateQualifiedName(key, at);
    at.invalidFor(value, isValidLabelValue(value));
  }
}

export function validateAnnotations(annotations: Texts | undefined, at: FieldPath): void {
  for (const [key] of sortedEntries(annotations)) {
    at.invalidFor(key, isQualifiedName(key.toLowerCase()));
  }
  validateAnnotationsSize(annotations, at);
}

export function validateAnnotationsSize(annotations: Texts = {}, at: FieldPath): void {
  const texts = Object.entries(annotations).flat();
  const bytes = texts.reduce((sum, text) => sum + byteLength(text), 0);
  if (bytes > MAX_ANNOTATIONS_BYTES) at.tooLong(MAX_ANNOTATIONS_BYTES);
}

function validateOwnerReferences(references: readonly OwnerReference[] = [], at: FieldPath): void {
  const isNewer = isServerSince('1.37', at.server);
  let controller: string | undefined;
  for (const [index, reference] of references.entries()) {
    if (isNewer) validateOwnerReference(reference, at.item(index));
    else validateOwnerReferenceBefore137(reference, at);
    if (reference.controller !== true) continue;
    const name = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller !== undefined) {
      const shown = { json: `[${references.map((each) => showOwner(each).json).join(',')}]` };
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      at.invalid(shown, detail);
    }
    controller ??= name;
  }
}

function validateOwnerReference(reference: OwnerReference, at: FieldPath): void {
  const { apiVersion = '' } = reference;
  for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
    if ((reference[field] ?? '') === '') at.child(field).required('must not be empty');
  }
  if (apiVersion !== '' && parseGroupVersion(apiVersion)[1] === '') {
    at.child('apiVersion').invalid(apiVersion, 'must be <group>/<version> or <version>');
  }
  validateOwnerKind(reference, at);
}

/** Servers up to 1.36 call a missing field invalid, not required, and their path has no index. */
function validateOwnerReferenceBefore137(reference: OwnerReference, at: FieldPath): void {
  const { apiVersion = '' } = reference;
  if (parseGroupVersion(apiVersion)[1] === '') {
    at.child('apiVersion').invalid(apiVersion, 'version must not be empty');
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((reference[field] ?? '') === '') at.child(field).invalid('', 'must not be empty');
  }
  validateOwnerKind(reference, at);
}

function validateOwnerKind(reference: OwnerReference, at: FieldPath): void {
  const [group, version] = parseGroupVersion(reference.apiVersion ?? '');
  if (group === '' && version === 'v1' && reference.kind === 'Event') {
    at.invalid(showOwner(reference), '/v1, Kind=Event is disallowed from being an owner');
  }
}

/** Ports ParseGroupVersion, as FromAPIVersionAndKind calls it: a malformed one is empty. */
function parseGroupVersion(apiVersion: string): readonly [group: string, version: string] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return ['', ''];
  return parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : ['', apiVersion];
}

function showOwner(reference: OwnerReference): JsonText {
  return asStruct(encode(reference, 'OwnerReference') as object);
}

function validateManagedFields(entry: Decoded<v1.ManagedFieldsEntry>, at: FieldPath): void {
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
  validateManagedOperation(operation, at.child('operation'));
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    at.child('fieldsType').invalid(fieldsType, 'must be `FieldsV1`');
  }
  validateFieldManager(manager, at.child('manager'));
  validateMaxBytes(subresource, MAX_SUBRESOURCE_BYTES, at.child('subresource'));
}

function validateManagedOperation(operation: string, at: FieldPath): void {
  if (MANAGED_OPERATIONS.includes(operation)) return;
  if (!isServerSince('1.37', at.server)) {
    at.invalid(asJson(operation), 'must be `Apply` or `Update`');
  } else if (operation === '') at.required('must not be empty');
  else at.notSupported(operation, MANAGED_OPERATIONS);
}

function validateFieldManager(manager: string, at: FieldPath): void {
  validateMaxBytes(manager, MAX_MANAGER_BYTES, at);
  for (const { 0: character, index } of manager.matchAll(UNPRINTABLE)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = byteLength(manager.slice(0, index));
    at.invalid(manager, `invalid character U+${code} (at position ${position})`);
  }
}

type LabelSelector = Decoded<v1.LabelSelector>;
type Requirement = Decoded<v1.LabelSelectorRequirement>;
type Labels = Readonly<Record<string, string>>;

/** Ports ValidateLabelSelector (apimachinery pkg/apis/meta/v1/validation/validation.go). */
export function validateLabelSelector(selector: LabelSelector = {}, at: FieldPath): void {
  validateLabels(selector.matchLabels, at.child('matchLabels'));
  at.child('matchExpressions').each(selector.matchExpressions, validateRequirement);
}

/** Ports ValidateLabelSelectorRequirement (apimachinery pkg/apis/meta/v1/validation/validation.go). */
function validateRequirement(requirement: Requirement, at: FieldPath): void {
  if (!validateOperator(requirement, at)) {
    at.child('operator').invalid(asJson(requirement.operator ?? ''), NOT_AN_OPERATOR);
  }
  validateQualifiedName(requirement.key ?? '', at.child('key'));
  validateLabelValues(requirement.values, at.child('values'));
}

export const NOT_AN_OPERATOR = 'not a valid selector operator';

export function validateLabelValues(values: readonly string[] | undefined, at: FieldPath): void {
  at.each(values, complaining(isValidLabelValue));
}

/** Validates the number of values that an operator of labels and of nodes takes; false for any other operator. */
export function validateOperator({ operator, values = [] }: Requirement, at: FieldPath): boolean {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        at.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
      }
      return true;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        at.child('values').forbidden(detail);
      }
      return true;
    default:
      return false;
  }
}

export function showSelector(selector: LabelSelector | undefined): JsonText {
  if (selector === undefined) return asJson(null);
  return asStruct(encode(selector, 'LabelSelector') as object);
}

export function isEmptySelector({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** Returns false when LabelSelectorAsSelector (apimachinery pkg/apis/meta/v1/helpers.go) fails. */
export function isUsableSelector(selector: LabelSelector | undefined): boolean {
  return collectErrors('', (at) => validateLabelSelector(selector, at)).length === 0;
}

/** Returns true when a selector selects objects with these labels; no selector selects nothing. */
export function selectorMatches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  return (
    pairs.every(([key, value]) => ownField(labels, key) === value) &&
    (selector.matchExpressions ?? []).every((requirement) => isMet(requirement, labels))
  );
}

function isMet({ key = '', operator, values = [] }: Requirement, labels: Labels): boolean {
  const value = ownField(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
