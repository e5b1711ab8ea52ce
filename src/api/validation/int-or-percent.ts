import { asJson, type FieldError, invalid } from '../field-error.js';
import { validateNonnegativeField } from './common.js';
import { regexError } from './formats.js';

const PERCENT = '[0-9]+%';

/** Ports ValidatePositiveIntOrPercent (pkg/apis/apps/validation/validation.go). */
export function validatePositiveIntOrPercent(value: number | string, path: string): FieldError[] {
  if (typeof value === 'number') return validateNonnegativeField(value, path);
  if (percentOf(value) !== undefined) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [invalid(path, asJson(value), regexError(message, PERCENT, '1%', '93%'))];
}

/** Ports IsNotMoreThan100Percent (pkg/apis/apps/validation/validation.go). */
export function isNotMoreThan100Percent(value: number | string, path: string): FieldError[] {
  const percent = typeof value === 'string' ? percentOf(value) : undefined;
  if (percent === undefined || percent <= 100) return [];
  return [invalid(path, asJson(value), 'must not be greater than 100%')];
}

/** Ports getIntOrPercentValue (pkg/apis/apps/validation/validation.go). */
export function intOrPercentValue(value: number | string): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}

function percentOf(text: string): number | undefined {
  return /^[0-9]+%$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
