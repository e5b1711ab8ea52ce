import { Scanner } from './scanner.js';
import type { Token, TokenKind } from './token.js';

/** The tokens of a text, as the parser takes them. */
export class Tokens {
  readonly #scanner: Scanner;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  peek(): Token {
    return this.#scanner.peek();
  }

  /** Takes the next token; what comes behind is not looked at yet. */
  take(): Token {
    const token = this.#scanner.peek();
    this.#scanner.skip();
    return token;
  }

  /** Takes the next token, and shows the one behind it. */
  next(): Token {
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  /** Whether the next token is one of these. */
  is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#scanner.peek().kind);
  }
}
