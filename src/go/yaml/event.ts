import type { Mark } from './error.js';
import type { TokenKind } from './token.js';

/** Event of go-yaml's parser. */
export interface Event {
  readonly kind:
    | 'stream-end'
    | 'document-start'
    | 'document-end'
    | 'alias'
    | 'scalar'
    | 'sequence-start'
    | 'sequence-end'
    | 'mapping-start'
    | 'mapping-end';
  /** Start, with its anchor and tag. */
  readonly start: Mark;
  /** Start of its own text. */
  readonly own: Mark;
  /** Of a node its anchor, of an alias the one that it means. */
  readonly anchor: string | undefined;
  /** Written out in full; empty without one. */
  readonly tag: string;
  readonly value: string;
  /** True if a scalar's type is to be found out from its text. */
  readonly implicit: boolean;
}

/** An event of that kind. */
export function event(kind: Event['kind'], start: Mark, more: Partial<Event> = {}): Event {
  const { own = start, anchor, tag = '', value = '', implicit = false } = more;
  return { kind, start, own, anchor, tag, value, implicit };
}

/** A scalar without a text. */
export function emptyScalar(mark: Mark): Event {
  return event('scalar', mark, { implicit: true });
}

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
