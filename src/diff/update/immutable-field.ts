import type { FieldError } from '../../api/index.js';
import { changedFields } from '../field-change.js';
import { ACCEPTED, type Update } from './update.js';

/** A field that is not to be changed. Ports ValidateImmutableField (apimachinery pkg/api/validation/objectmeta.go). */
export function validateImmutableField(after: unknown, before: unknown, field: string): Update {
  const refused = changedFields(before, after, field);
  if (refused.length === 0) return ACCEPTED;
  return { errors: [invalidValue(field, 'field is immutable')], refused };
}

/** An error about a value that the server quotes whole, which would say no more here. */
export function invalidValue(field: string, detail: string): FieldError {
  const message = `${field}: Invalid value: ${detail}`;
  return { type: 'FieldValueInvalid', field, detail, message };
}
