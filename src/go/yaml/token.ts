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

/** A token; its mark is where it starts. */
export interface Token extends Mark {
  readonly kind: TokenKind;
  /** Of an indicator; 0 for one that is not written. */
  readonly length: number;
  /** Of a scalar its text, of an anchor or alias its name, of a tag its handle, of a directive its value. */
  value: string;
  /** Of a tag its suffix, of a tag directive its prefix. */
  suffix: string;
  style: ScalarStyle;
}

export function token(kind: TokenKind, { offset, line, column }: Mark, length = 0): Token {
  return { offset, line, column, kind, length, value: '', suffix: '', style: 'plain' };
}

/** The mark after an indicator. */
export function endOf({ offset, line, column, length }: Token): Mark {
  return { offset: offset + length, line, column: column + length };
}
