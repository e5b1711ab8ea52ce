import type { ErrorCode } from 'yaml';

/** Codes of syntax errors: those of the package, and those of errors that only go-yaml reports. */
export type SyntaxCode =
  | ErrorCode
  | 'BAD_TAG'
  | 'CONTROL_CHARACTER'
  | 'NO_VALUE'
  | 'TOO_LARGE'
  | 'UNCLOSED_BRACKET'
  | 'UNCLOSED_QUOTE';

export class GoYamlError extends Error {
  constructor(
    readonly code: SyntaxCode,
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Reasons why a document that is YAML cannot be decoded, or has no JSON. */
export type DecodeProblem =
  | 'excessive-aliasing'
  | 'key-list'
  | 'key-null'
  | 'key-object'
  | 'merge'
  | 'not-a-number'
  | 'recursive-anchor'
  | 'tag'
  | 'too-deep'
  | 'unknown-anchor';

/** Refusal of go-yaml's decoder, or of the JSON encoder after it; the message is Go's. */
export class GoYamlDecodeError extends Error {
  constructor(
    readonly problem: DecodeProblem,
    message: string,
    readonly offset: number,
    /** The anchor or the value in question, as it is written. */
    readonly written = '',
  ) {
    super(message);
  }
}
