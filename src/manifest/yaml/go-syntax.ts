import type { JsonNode } from '../../go/json-node.js';
import { goQuote } from '../../go/quote.js';

/** A decoded value as Go's `%#v` shows it in an error. */
export function goSyntax(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'interface {}(nil)';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return goQuote(node.value);
    case 'array':
      return `[]interface {}{${node.items.map(goSyntax).join(', ')}}`;
    case 'object': {
      const members = node.members.map(({ key, value }) => `${goQuote(key)}:${goSyntax(value)}`);
      return `map[interface {}]interface {}{${members.join(', ')}}`;
    }
  }
}
