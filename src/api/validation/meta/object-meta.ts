/*
 * Ported from apimachinery pkg/api/validation/objectmeta.go and
 * apimachinery pkg/apis/meta/v1/validation/validation.go, with their names.
 */

import { byteLength } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import { encode } from '../../schema/encode.js';
import {
  sortedEntries,
  validateDNS1123Label,
  validateMaxBytes,
  validateNonnegativeField,
  validateQualifiedName,
  validateRequired,
} from '../common/checks.js';
import { asJson, asStruct, type FieldPath, type JsonText } from '../common/field-error.js';
import {
  type Complaints,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  maskTrailingDash,
} from '../common/formats.js';

type ObjectMeta = Decoded<'ObjectMeta'>;
type OwnerReference = Decoded<'OwnerReference'>;
type Texts = Readonly<Record<string, string>>;

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];
const EXCLUSIVE_FINALIZERS = ['orphan', 'foregroundDeletion'];
const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * Ports ValidateObjectMeta (apimachinery pkg/api/validation/objectmeta.go) for objects in a namespace. Most names
 * follow NameIsDNSSubdomain (pkg/api/validation/generic.go).
 */
export function validateObjectMeta(
  meta: ObjectMeta,
  at: FieldPath,
  nameComplaints: (name: string) => Complaints = isDNS1123Subdomain,
): void {
  const { name = '', generateName = '', finalizers } = meta;
  if (generateName !== '') {
    at.child('generateName').complain(generateName, nameComplaints(maskTrailingDash(generateName)));
  }
  if (name === '') at.child('name').required('name or generateName is required');
  else at.child('name').complain(name, nameComplaints(name));
  validateRequired(meta.namespace, at.child('namespace'), validateDNS1123Label);
  validateNonnegativeField(meta.generation, at.child('generation'));
  validateLabels(meta.labels, at.child('labels'));
  validateAnnotations(meta.annotations, at.child('annotations'));
  validateOwnerReferences(meta.ownerReferences, at.child('ownerReferences'));
  validateFinalizers(finalizers, at.child('finalizers'));
  at.child('managedFields').each(meta.managedFields, validateManagedFields);
  at.child('finalizers').each(finalizers, validateKubeFinalizerName);
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
    at.complain(value, isValidLabelValue(value));
  }
}

export function validateAnnotations(annotations: Texts | undefined, at: FieldPath): void {
  const entries = sortedEntries(annotations);
  for (const [key] of entries) at.complain(key, isQualifiedName(key.toLowerCase()));
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (bytes > MAX_ANNOTATIONS_BYTES) at.tooLong(MAX_ANNOTATIONS_BYTES);
}

function validateOwnerReferences(references: readonly OwnerReference[] = [], at: FieldPath): void {
  let controller: string | undefined;
  for (const reference of references) {
    validateOwnerReference(reference, at);
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
  const { apiVersion = '', kind = '' } = reference;
  const [group, version] = parseGroupVersion(apiVersion);
  if (version === '') at.child('apiVersion').invalid(apiVersion, 'version must not be empty');
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((reference[field] ?? '') === '') at.child(field).invalid('', 'must not be empty');
  }
  if (group === '' && version === 'v1' && kind === 'Event') {
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
  return asStruct(encode(reference, 'OwnerReference') as Readonly<Record<string, unknown>>);
}

function validateManagedFields(entry: Decoded<'ManagedFieldsEntry'>, at: FieldPath): void {
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    at.child('operation').invalid(asJson(operation), 'must be `Apply` or `Update`');
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    at.child('fieldsType').invalid(fieldsType, 'must be `FieldsV1`');
  }
  validateFieldManager(manager, at.child('manager'));
  validateMaxBytes(subresource, MAX_SUBRESOURCE_BYTES, at.child('subresource'));
}

function validateFieldManager(manager: string, at: FieldPath): void {
  validateMaxBytes(manager, MAX_MANAGER_BYTES, at);
  for (const { 0: character, index } of manager.matchAll(UNPRINTABLE)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = byteLength(manager.slice(0, index));
    at.invalid(manager, `invalid character U+${code} (at position ${position})`);
  }
}
