import type { FieldError } from '../../api/index.js';
import type { FieldChange } from '../field-change.js';

/** What the API server says of an object that is changed. */
export interface Update {
  /** In the server's order; when there is one, nothing is changed. */
  readonly errors: readonly FieldError[];
  /** The changes that it refuses. */
  readonly refused: readonly FieldChange[];
}

export const ACCEPTED: Update = { errors: [], refused: [] };

export function together(...updates: readonly Update[]): Update {
  return {
    errors: updates.flatMap(({ errors }) => errors),
    refused: updates.flatMap(({ refused }) => refused),
  };
}
