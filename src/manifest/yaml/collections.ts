import type { TokenKind } from './token.js';

export type CollectionKind = 'block-sequence' | 'block-mapping' | 'flow-sequence' | 'flow-mapping';

/** A collection that begins with a token. */
export interface Collection {
  readonly kind: CollectionKind;
  readonly of: 'sequence-start' | 'mapping-start';
  readonly flow: boolean;
}

export const COLLECTIONS: Partial<Record<TokenKind, Collection>> = {
  'flow-sequence-start': { kind: 'flow-sequence', of: 'sequence-start', flow: true },
  'flow-mapping-start': { kind: 'flow-mapping', of: 'mapping-start', flow: true },
  'block-sequence-start': { kind: 'block-sequence', of: 'sequence-start', flow: false },
  'block-mapping-start': { kind: 'block-mapping', of: 'mapping-start', flow: false },
};
