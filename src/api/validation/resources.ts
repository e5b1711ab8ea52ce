import { type FieldError, forbidden, invalid, required } from '../field-error.js';
import { ownField } from '../own-field.js';
import { formatQuantity, parseQuantity, type Quantity, storedQuantity } from '../quantity.js';
import { isFractional, isMultipleOf } from '../quantity-int64.js';
import {
  isExtendedResourceName,
  isHugePageResourceName,
  isIntegerResourceName,
  isOvercommitAllowed,
} from '../resource-names.js';
import type { Decoded } from '../schema/decoded.js';
import { sortedEntries } from './common.js';
import { validateResourceClaimNames } from './resource-claims.js';

type Requirements = Decoded<'ResourceRequirements'>;

/** Says whether a resource may be asked for where it is. */
export type ValidateResourceName = (name: string, path: string) => FieldError[];

/**
 * Ports validateResourceRequirements (pkg/apis/core/validation/validation.go); where Go's order is random, the
 * resources come by name.
 */
export function validateResourceRequirements(
  requirements: Requirements | undefined,
  claimNames: ReadonlySet<string>,
  validateName: ValidateResourceName,
  path: string,
): FieldError[] {
  const { limits, requests, claims } = requirements ?? {};
  const errors = sortedEntries(limits).flatMap(([name, text]) =>
    validateResource(name, storedQuantity(text), validateName, `${path}.limits[${name}]`),
  );
  for (const [name, text] of sortedEntries(requests)) {
    const quantity = storedQuantity(text);
    const at = `${path}.requests[${name}]`;
    errors.push(...validateNameAndAmount(name, quantity, validateName, at));
    errors.push(...validateAgainstLimit(name, quantity, limits && ownField(limits, name), path));
    errors.push(...validateHugePages(name, quantity, at));
  }
  const names = Object.keys({ ...limits, ...requests });
  if (names.some(isHugePageResourceName) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...validateResourceClaimNames(claims, claimNames, `${path}.claims`)];
}

function validateResource(
  name: string,
  quantity: Quantity,
  validateName: ValidateResourceName,
  path: string,
): FieldError[] {
  return [
    ...validateNameAndAmount(name, quantity, validateName, path),
    ...validateHugePages(name, quantity, path),
  ];
}

/** Ports ValidateResourceQuantityValue (pkg/apis/core/validation/validation.go), the name before it. */
function validateNameAndAmount(
  name: string,
  quantity: Quantity,
  validateName: ValidateResourceName,
  path: string,
): FieldError[] {
  const errors = validateName(name, path);
  const text = formatQuantity(quantity);
  if (quantity.nano < 0n) errors.push(invalid(path, text, 'must be greater than or equal to 0'));
  if ((isIntegerResourceName(name) || isExtendedResourceName(name)) && isFractional(quantity)) {
    errors.push(invalid(path, text, 'must be an integer'));
  }
  return errors;
}

function validateAgainstLimit(
  name: string,
  quantity: Quantity,
  limitText: string | undefined,
  path: string,
): FieldError[] {
  if (limitText === undefined) {
    if (isOvercommitAllowed(name)) return [];
    return [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const limit = storedQuantity(limitText);
  const relation = `${name} limit of ${formatQuantity(limit)}`;
  const text = formatQuantity(quantity);
  if (quantity.nano !== limit.nano && !isOvercommitAllowed(name)) {
    return [invalid(`${path}.requests`, text, `must be equal to ${relation}`)];
  }
  if (quantity.nano <= limit.nano) return [];
  return [invalid(`${path}.requests`, text, `must be less than or equal to ${relation}`)];
}

/** Ports validateResourceQuantityHugePageValue (pkg/apis/core/validation/validation.go). */
function validateHugePages(name: string, quantity: Quantity, path: string): FieldError[] {
  if (!isHugePageResourceName(name)) return [];
  const size = parseQuantity(name.slice('hugepages-'.length));
  const divisible = size.kind === 'quantity' && isMultipleOf(quantity, size.quantity);
  if (divisible) return [];
  const text = formatQuantity(quantity);
  return [invalid(path, text, `${text} is not positive integer multiple of ${name}`)];
}
