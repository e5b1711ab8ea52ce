import { asJson, type FieldError, invalid, notSupported } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateQualifiedName } from './common.js';
import { isValidLabelValue } from './formats.js';

const OPERATORS = ['Equal', 'Exists'];
const NUMERIC_OPERATORS = ['Lt', 'Gt'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Ports ValidateTolerations (pkg/apis/core/validation/validation.go). */
export function validateTolerations(
  tolerations: readonly Decoded<'Toleration'>[] = [],
  path: string,
): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    const errors = key === '' ? [] : validateQualifiedName(key, `${at}.key`);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${at}.operator`, asJson(operator), detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(`${at}.effect`, asJson(effect), detail));
    }
    errors.push(...validateOperator(toleration, at));
    if (effect !== '' && !EFFECTS.includes(effect)) {
      errors.push(notSupported(`${at}.effect`, effect, EFFECTS));
    }
    return errors;
  });
}

function validateOperator(toleration: Decoded<'Toleration'>, path: string): FieldError[] {
  const { operator = '', value = '' } = toleration;
  const at = `${path}.operator`;
  if (operator === '' || operator === 'Equal') {
    const complaints = isValidLabelValue(value);
    return complaints.length === 0 ? [] : [invalid(at, value, complaints.join(';'))];
  }
  if (operator === 'Exists') {
    if (value === '') return [];
    return [invalid(at, value, "value must be empty when `operator` is 'Exists'")];
  }
  const known = NUMERIC_OPERATORS.includes(operator)
    ? [...OPERATORS, ...NUMERIC_OPERATORS]
    : OPERATORS;
  return [notSupported(at, operator, known)];
}
