interface Place {
  /** Offset of its own text, behind its anchor and tag. */
  readonly offset: number;
}

export interface ScalarNode extends Place {
  readonly kind: 'scalar';
  /** Written out in full; empty without one. */
  readonly tag: string;
  readonly value: string;
  /** True if the type of a scalar follows from its text. */
  readonly implicit: boolean;
}

export interface SequenceNode extends Place {
  readonly kind: 'sequence';
  readonly children: readonly GoNode[];
}

export interface MappingNode extends Place {
  readonly kind: 'mapping';
  readonly children: readonly Member[];
}

export interface Member {
  readonly key: GoNode;
  readonly value: GoNode;
  /** Offset of the value, with its anchor and tag. */
  readonly valueStart: number;
}

export interface AliasNode extends Place {
  readonly kind: 'alias';
  readonly anchor: string;
  readonly target: GoNode;
}

/** A node as go-yaml has it before it is decoded: anchors are bound, nothing is merged. */
export type GoNode = ScalarNode | SequenceNode | MappingNode | AliasNode;
