import { type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';

type JobSpec = Decoded<'JobSpec'>;

const COMPLETION_MODES = ['NonIndexed', 'Indexed'];
const MOST = 100_000;
const COMPLETIONS_SOFT_LIMIT = 100_000;
/** Of jobs with more completions than that, and a back-off limit for each. */
const MOST_FOR_HIGH_COMPLETIONS = 10_000;

/** What validateJobSpec (pkg/apis/batch/validation/validation.go) says of completion modes. */
export function validateCompletionMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode = 'NonIndexed' } = spec;
  switch (completionMode) {
    case 'Indexed':
      return [...validateIndexed(spec, path), ...validateHighCompletions(spec, path)];
    case 'NonIndexed':
      return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((field) => {
        const value = spec[field];
        if (value === undefined) return [];
        return [invalid(`${path}.${field}`, value, 'requires indexed completion mode')];
      });
    default:
      return [notSupported(`${path}.completionMode`, completionMode, COMPLETION_MODES)];
  }
}

function validateIndexed(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes = 0 } = spec;
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > MOST) {
    const detail = `must be less than or equal to ${MOST} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, parallelism, detail));
  }
  const at = `${path}.maxFailedIndexes`;
  if (spec.maxFailedIndexes !== undefined && maxFailedIndexes > (completions ?? Infinity)) {
    errors.push(invalid(at, maxFailedIndexes, 'must be less than or equal to completions'));
  }
  if (maxFailedIndexes > MOST) {
    errors.push(invalid(at, maxFailedIndexes, `must be less than or equal to ${MOST}`));
  }
  return errors;
}

function validateHighCompletions(spec: JobSpec, path: string): FieldError[] {
  const { completions = 0, backoffLimitPerIndex, parallelism = 0, maxFailedIndexes } = spec;
  if (completions <= COMPLETIONS_SOFT_LIMIT || backoffLimitPerIndex === undefined) return [];
  const at = `${path}.maxFailedIndexes`;
  const detail = `must be less than or equal to ${MOST_FOR_HIGH_COMPLETIONS} when completions are above ${COMPLETIONS_SOFT_LIMIT} and used with backoff limit per index`;
  const errors: FieldError[] = [];
  if (maxFailedIndexes === undefined) {
    const when = `must be specified when completions is above ${COMPLETIONS_SOFT_LIMIT}`;
    errors.push(required(at, when));
  }
  if (parallelism > MOST_FOR_HIGH_COMPLETIONS) {
    errors.push(invalid(`${path}.parallelism`, parallelism, detail));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MOST_FOR_HIGH_COMPLETIONS) {
    errors.push(invalid(at, maxFailedIndexes, detail));
  }
  return errors;
}
