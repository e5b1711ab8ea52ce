import type { JsonMember, JsonNode } from '../../go/json-node.js';

/**
 * What kubectl sends of an object: JSON that it has read without looking for duplicate keys (the last one
 * holds) and written again, keys sorted. Ports a decoding and an encoding by UnstructuredJSONScheme.
 */
export function kubectlForm(node: JsonNode): JsonNode {
  switch (node.kind) {
    case 'array':
      return { ...node, items: node.items.map(kubectlForm) };
    case 'object':
      return { ...node, members: sortedMembers(node.members) };
    case 'number':
      return { ...node, literal: goNumber(node.literal) };
    case 'null':
    case 'bool':
    case 'string':
      return node;
  }
}

function sortedMembers(members: readonly JsonMember[]): readonly JsonMember[] {
  const last = new Map(members.map((member) => [member.key, member]));
  return [...last.values()]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((member) => ({ ...member, value: kubectlForm(member.value) }));
}

const MAX_INT64 = 2n ** 63n - 1n;

/** An int64 stays what it is, any other number goes through a float64. */
function goNumber(literal: string): string {
  if (/^-?\d+$/.test(literal)) {
    const integer = BigInt(literal);
    if (integer >= -MAX_INT64 - 1n && integer <= MAX_INT64) return String(integer);
  }
  const value = Number(literal);
  // encoding/json writes a float64 as JavaScript does, but for this one.
  return Object.is(value, -0) ? '-0' : String(value);
}
