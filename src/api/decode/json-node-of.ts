import type { JsonNode } from '../../go/json-node.js';

/** Deeper than this nothing of the API is. */
const MAX_DEPTH = 100;

/** A value that JSON.parse has read, as the decoder takes it; it has no places in a text. */
export function jsonNodeOf(value: unknown, depth = 0): JsonNode {
  const start = 0;
  switch (typeof value) {
    case 'boolean':
      return { kind: 'bool', start, value };
    case 'number':
      return { kind: 'number', start, literal: String(value) };
    case 'string':
      return { kind: 'string', start, value };
    case 'object':
      return value === null || depth > MAX_DEPTH
        ? { kind: 'null', start }
        : containerNodeOf(value, depth);
    default:
      return { kind: 'null', start };
  }
}

function containerNodeOf(value: object, depth: number): JsonNode {
  const start = 0;
  if (Array.isArray(value)) {
    return { kind: 'array', start, items: value.map((item) => jsonNodeOf(item, depth + 1)) };
  }
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    keyStart: start,
    value: jsonNodeOf(member, depth + 1),
  }));
  return { kind: 'object', start, members };
}
