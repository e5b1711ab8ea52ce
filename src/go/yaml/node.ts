import type { Mark } from './error.js';

/** A node's place in the text, and its tag. */
export interface Place {
  /** Start, with its anchor and tag. */
  readonly start: Mark;
  /** Start of its own text. */
  readonly own: Mark;
  /** Written out in full; empty without one. */
  readonly tag: string;
}

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string;
  /** True if a scalar's type is to be found out from its text. */
  readonly implicit: boolean;
}

export interface SequenceNode extends Place {
  readonly kind: 'sequence';
  readonly children: readonly GoNode[];
}

export interface MappingNode extends Place {
  readonly kind: 'mapping';
  readonly children: readonly (readonly [key: GoNode, value: GoNode])[];
}

export interface AliasNode extends Place {
  readonly kind: 'alias';
  readonly anchor: string;
  readonly target: GoNode;
}

/** A node as go-yaml has it before it is decoded: anchors are bound, nothing is merged. */
export type GoNode = ScalarNode | SequenceNode | MappingNode | AliasNode;
