/** A place in a document's text. Lines and columns are counted from 0, as go-yaml counts them. */
export interface Mark {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Refusal of go-yaml's reader, scanner or parser, in its own words. */
export class GoYamlError extends Error {
  constructor(
    readonly stage: 'reader' | 'scanner' | 'parser',
    problem: string,
    readonly mark?: Mark,
    /** The start of the construct that it was reading. */
    readonly contextMark?: Mark,
  ) {
    super(problem);
  }

  /** As yaml.Unmarshal says it. Ports parser.fail (go.yaml.in/yaml/v2 decode.go), with its lines. */
  get text(): string {
    const { stage, mark, contextMark, message } = this;
    let line = contextMark?.line ?? 0;
    if (mark !== undefined && mark.line !== 0) line = mark.line + (stage === 'scanner' ? 1 : 0);
    return `yaml: ${line === 0 ? '' : `line ${line}: `}${message}`;
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
