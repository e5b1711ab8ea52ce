import type { Mark } from './error.js';

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** Tokens of go-yaml's scanner. */
export type TokenKind =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly kind: TokenKind;
  readonly start: Mark;
  readonly end: Mark;
  /** Of a scalar its text, of an anchor or alias its name, of a tag its handle, of a directive its value. */
  readonly value: string;
  /** Of a tag its suffix, of a tag directive its prefix. */
  readonly suffix: string;
  readonly style: ScalarStyle;
}

/** A token between two places. */
export function token(kind: TokenKind, start: Mark, end: Mark, more: Partial<Token> = {}): Token {
  const { value = '', suffix = '', style = 'plain' } = more;
  return { kind, start, end, value, suffix, style };
}
