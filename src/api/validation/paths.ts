import { type FieldError, invalid } from '../field-error.js';

/** Ports validatePathNoBacksteps (pkg/apis/core/validation/validation.go). */
export function validatePathNoBacksteps(target: string, path: string): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Ports validateLocalDescendingPath (pkg/apis/core/validation/validation.go). */
export function validateLocalDescendingPath(target: string, path: string): FieldError[] {
  const errors = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...errors, ...validatePathNoBacksteps(target, path)];
}

/** Ports ValidateLocalNonReservedPath (pkg/apis/core/validation/validation.go). */
export function validateLocalNonReservedPath(target: string, path: string): FieldError[] {
  const errors = validateLocalDescendingPath(target, path);
  if (target.startsWith('..') && !target.startsWith('../')) {
    errors.push(invalid(path, target, "must not start with '..'"));
  }
  return errors;
}
