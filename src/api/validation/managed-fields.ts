import { asJson, type FieldError, invalid, tooLong } from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';

const OPERATIONS: readonly string[] = ['Apply', 'Update'];
const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Ports ValidateManagedFields (apimachinery pkg/apis/meta/v1/validation/validation.go). */
export function validateManagedFields(
  entries: readonly Decoded<'ManagedFieldsEntry'>[] = [],
  path: string,
): FieldError[] {
  return entries.flatMap((entry, index) => {
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    if (!OPERATIONS.includes(operation)) {
      errors.push(invalid(`${at}.operation`, asJson(operation), 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(manager, `${at}.manager`));
    if (byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
      errors.push(tooLong(`${at}.subresource`, MAX_SUBRESOURCE_BYTES));
    }
    return errors;
  });
}

/** Ports ValidateFieldManager (apimachinery pkg/apis/meta/v1/validation/validation.go). */
function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors = byteLength(manager) > MAX_MANAGER_BYTES ? [tooLong(path, MAX_MANAGER_BYTES)] : [];
  for (const { 0: character, index } of manager.matchAll(UNPRINTABLE)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = byteLength(manager.slice(0, index));
    const detail = `invalid character U+${code} (at position ${position})`;
    errors.push(invalid(path, manager, detail));
  }
  return errors;
}
