import { jsonNodeOf } from '../../../go/json.js';
import type { JsonNode } from '../../../go/json-node.js';
import type { MemberProbe } from '../subject/subject.js';

export type NewValue =
  string | number | boolean | readonly NewValue[] | { readonly [key: string]: NewValue };

/** A field that is set, or, with a value of undefined, removed. */
export interface Change {
  /** Path of the field, such as `spec.containers[0].livenessProbe.timeoutSeconds`. */
  readonly path: string;
  readonly value: NewValue | undefined;
}

export function set(path: string, value: NewValue): Change {
  return { path, value };
}

export function remove(path: string): Change {
  return { path, value: undefined };
}

/** Returns a tree with one field set or removed; undefined when the path to the field does not exist. */
export function changeNode(
  node: JsonNode,
  [step, ...rest]: readonly (string | number)[],
  value: NewValue | undefined,
): JsonNode | undefined {
  if (step === undefined) return value === undefined ? undefined : jsonNodeOf(value);
  if (node.kind === 'array' && typeof step === 'number') {
    const item = node.items[step];
    const changed = item && changeNode(item, rest, value);
    return changed && { ...node, items: node.items.with(step, changed) };
  }
  if (node.kind !== 'object' || typeof step !== 'string') return undefined;
  const others = node.members.filter(({ key }) => key !== step);
  if (rest.length === 0 && value === undefined) return { ...node, members: others };
  const known = node.members.findLast(({ key }) => key === step)?.value;
  if (known === undefined && rest.length > 0) return undefined;
  const changed = changeNode(known ?? jsonNodeOf(''), rest, value);
  return changed && { ...node, members: [...others, { key: step, keyStart: 0, value: changed }] };
}

/** Returns the steps of a path such as `spec.containers[0].name` or `spec.selector[app]`: keys, and indices as numbers. */
export function pathSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\[([^\]]+)\]|[^.[\]]+/g)].map(
    ([key, index, bracketed = key]) => (index === undefined ? bracketed : Number(index)),
  );
}

/** Sets a period of twice the timeout; a startup probe keeps about the same time for a start. */
export function longerPeriod({
  type,
  probe,
  path,
}: Pick<MemberProbe, 'type' | 'probe' | 'path'>): Change[] {
  const { timeoutSeconds, periodSeconds, failureThreshold } = probe;
  const longer = 2 * timeoutSeconds;
  const budget = failureThreshold * periodSeconds;
  return [
    set(`${path}.periodSeconds`, longer),
    ...(type === 'startup' ? [set(`${path}.failureThreshold`, Math.ceil(budget / longer))] : []),
  ];
}
