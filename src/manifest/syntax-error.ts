/** A text that is not YAML or JSON; `offset` is where it stops being so. */
export class SyntaxProblem extends Error {
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(message: string, offset: number, hint?: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}
