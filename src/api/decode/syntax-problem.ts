/** A text that is not YAML or JSON; `offset` is where it stops being so. */
export class SyntaxProblem extends Error {
  readonly offset: number;
  readonly hint: string | undefined;
  /** What kubectl says, in Go's words; the message where there are none. */
  readonly server: string;
  /** How much further than `offset` Go got. */
  readonly ahead: number;

  constructor(message: string, offset: number, hint?: string, server = message, ahead = 0) {
    super(message);
    this.offset = offset;
    this.hint = hint;
    this.server = server;
    this.ahead = ahead;
  }
}
