export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsonNode;
}

/**
 * A value as Go's JSON decoder would get it, and the offset in the text where it begins. A number keeps its
 * literal, since int64 is wider than JavaScript's safe integers. Members come in the decoder's order; of
 * several with the same key the last one holds.
 */
export type JsonNode =
  | { readonly kind: 'null'; readonly start: number }
  | { readonly kind: 'bool'; readonly start: number; readonly value: boolean }
  | { readonly kind: 'number'; readonly start: number; readonly literal: string }
  | { readonly kind: 'string'; readonly start: number; readonly value: string }
  | { readonly kind: 'array'; readonly start: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly start: number; readonly members: readonly JsonMember[] };

export type JsonObject = Extract<JsonNode, { kind: 'object' }>;

/** The value of a key, the last one when it is there twice. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key)?.value;
}

export function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'string' ? node.value : undefined;
}

/** Nothing in Kubernetes is nested deeper. */
export const MAX_DEPTH = 200;
