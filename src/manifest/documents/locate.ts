import type { JsonNode, JsonObject } from '../../go/json-node.js';

/** A node on the path to a field, its offset, and the rest of the path. */
interface Step {
  readonly node: JsonNode;
  readonly start: number;
  readonly rest: string;
}

/**
 * Returns the offset of a field path such as `spec.containers[0].ports[1].name`: of a scalar's value, or of the key of
 * anything else; when it is not there, of the nearest enclosing field.
 */
export function locate(root: JsonNode, path: string): number {
  let step: Step = { node: root, start: root.start, rest: path };
  while (step.rest !== '') {
    const next = nextStep(step);
    if (next === undefined) break;
    step = next;
  }
  return step.start;
}

function nextStep({ node, rest }: Step): Step | undefined {
  if (node.kind === 'array') return itemStep(node.items, rest);
  return node.kind === 'object' ? memberStep(node, rest) : undefined;
}

function itemStep(items: readonly JsonNode[], path: string): Step | undefined {
  const match = /^\[(\d+)\]\.?/.exec(path);
  const item = items[Number(match?.[1])];
  if (match === null || item === undefined) return undefined;
  return { node: item, start: item.start, rest: path.slice(match[0].length) };
}

/** A key may contain dots and be written in brackets: the longest key that the path continues with is taken. */
function memberStep({ members }: JsonObject, path: string): Step | undefined {
  let best: Step | undefined;
  for (const { key, keyStart, value } of members) {
    for (const written of [key, `[${key}]`]) {
      if (!path.startsWith(written) || !/^(?:$|[.[])/.test(path.slice(written.length))) continue;
      const rest = path.slice(written.length).replace(/^\./, '');
      if (best !== undefined && best.rest.length <= rest.length) continue;
      const scalar = value.kind !== 'object' && value.kind !== 'array' && value.kind !== 'null';
      best = { node: value, start: scalar ? value.start : keyStart, rest };
    }
  }
  return best;
}
