import type { Mark } from './go-yaml-error.js';
import type { Token } from './token.js';
import type { Tokens } from './tokens.js';

/** What stands before the content of a node. */
export interface NodeProperties {
  readonly start: Mark;
  readonly anchor: string | undefined;
  readonly tag: Token | undefined;
  /** The token behind them. */
  readonly content: Token;
}

/** Takes an anchor and a tag, in either order. */
export function takeProperties(tokens: Tokens): NodeProperties {
  let token = tokens.peek();
  const { start } = token;
  let anchor: string | undefined;
  let tag: Token | undefined;
  if (token.kind === 'anchor') {
    anchor = token.value;
    token = tokens.next();
    if (token.kind === 'tag') [tag, token] = [token, tokens.next()];
  } else if (token.kind === 'tag') {
    [tag, token] = [token, tokens.next()];
    if (token.kind === 'anchor') [anchor, token] = [token.value, tokens.next()];
  }
  return { start, anchor, tag, content: token };
}
