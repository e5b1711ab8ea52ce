import type { JsonNode } from '../../go/json-node.js';

interface Place {
  readonly node: JsonNode;
  readonly start: number;
}

/**
 * The offset that a field path such as `spec.containers[0].ports[1].name` stands for: a scalar's value, the key
 * of anything else; when it is not there, the nearest thing around it that is.
 */
export function locate(root: JsonNode, path: string): number {
  let place: Place = { node: root, start: root.start };
  let rest = path;
  while (rest !== '') {
    const step = nextStep(place.node, rest);
    if (step === undefined) break;
    place = step.place;
    rest = step.rest;
  }
  return place.start;
}

function nextStep(node: JsonNode, path: string): { place: Place; rest: string } | undefined {
  if (node.kind === 'array') return itemStep(node.items, path);
  if (node.kind === 'object') return memberStep(node, path);
  return undefined;
}

function itemStep(
  items: readonly JsonNode[],
  path: string,
): { place: Place; rest: string } | undefined {
  const match = /^\[(\d+)\]\.?/.exec(path);
  const item = items[Number(match?.[1])];
  if (match === null || item === undefined) return undefined;
  return { place: { node: item, start: item.start }, rest: path.slice(match[0].length) };
}

/** A key may hold dots and be written in brackets: the longest key that the path goes on with is the one. */
function memberStep(
  node: Extract<JsonNode, { kind: 'object' }>,
  path: string,
): { place: Place; rest: string } | undefined {
  let best: { place: Place; rest: string } | undefined;
  for (const { key, keyStart, value } of node.members) {
    for (const written of [key, `[${key}]`]) {
      if (!path.startsWith(written) || !/^(?:$|[.[])/.test(path.slice(written.length))) continue;
      const rest = path.slice(written.length).replace(/^\./, '');
      if (best !== undefined && best.rest.length <= rest.length) continue;
      const scalar = value.kind !== 'object' && value.kind !== 'array' && value.kind !== 'null';
      best = { place: { node: value, start: scalar ? value.start : keyStart }, rest };
    }
  }
  return best;
}
