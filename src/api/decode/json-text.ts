import type { JsonNode } from '../../go/json-node.js';
import { goJson } from '../go-text.js';

/** A value as Go's encoding/json writes it; members stay in their order. */
export function jsonText(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'null';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return goJson(node.value);
    case 'array':
      return `[${node.items.map(jsonText).join(',')}]`;
    case 'object': {
      const members = node.members.map(({ key, value }) => `${goJson(key)}:${jsonText(value)}`);
      return `{${members.join(',')}}`;
    }
  }
}
