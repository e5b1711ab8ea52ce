/** A place in a document's text. Lines and columns are counted from 0, as go-yaml counts them. */
export interface Mark {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** What stops go-yaml's reader, scanner or parser, in its own words, and where. */
export class GoYamlError extends Error {
  readonly stage: 'reader' | 'scanner' | 'parser';
  readonly mark: Mark | undefined;
  /** Of what it was in the middle of. */
  readonly contextMark: Mark | undefined;
  readonly context: string;

  constructor(
    stage: GoYamlError['stage'],
    problem: string,
    mark?: Mark,
    contextMark?: Mark,
    context = '',
  ) {
    super(problem);
    this.stage = stage;
    this.mark = mark;
    this.contextMark = contextMark;
    this.context = context;
  }

  /** As yaml.Unmarshal says it. Ports parser.fail (go.yaml.in/yaml/v2 decode.go), with its lines. */
  get text(): string {
    const { stage, mark, contextMark, message } = this;
    let line = contextMark?.line ?? 0;
    if (mark !== undefined && mark.line !== 0) line = mark.line + (stage === 'scanner' ? 1 : 0);
    return `yaml: ${line === 0 ? '' : `line ${line}: `}${message}`;
  }
}
