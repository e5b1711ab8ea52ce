import type { FieldErrorType } from '../../api/index.js';

/**
 * Where the creation of an object ends: `parse` nothing can be sent; `decode` it is answered with 400;
 * `validate` with 422; `created`; `empty` is passed over; a `list` is taken apart, its items follow; `other` is
 * a served kind without a pod, which is not looked into.
 */
export type Phase = 'parse' | 'decode' | 'validate' | 'created' | 'empty' | 'list' | 'other';

/** The server's answer when it refuses an object, as a Status has it. */
export interface ServerStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

export interface VerdictError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly detail: string;
  readonly message: string;
}

/** What an API server of v1.36 says of one object that is created with fieldValidation=Strict. */
export interface Verdict {
  /** Which document of the file, from 0. */
  readonly doc: number;
  /** Its place in a List: `0.1` is item 1 of a List that is item 0. */
  readonly item?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly ok: boolean;
  readonly phase: Phase;
  /** Why it could not be parsed or decoded. */
  readonly decode?: string;
  /** Unknown and duplicate fields. */
  readonly strict: readonly string[];
  /** In the server's order; beside strict errors those that fieldValidation=Warn would give. */
  readonly errors: readonly VerdictError[];
  readonly warnings: readonly string[];
  readonly status?: ServerStatus;
  /** Of a list: how many items follow for it. */
  readonly items?: number;
  /** What of the pod spec is stored, with its `path`. */
  readonly defaulted?: Readonly<Record<string, unknown>>;
}
