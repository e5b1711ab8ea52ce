import { decode, jsonNodeOf, type TypeName } from '../../api/index.js';
import type { Check, Fields } from './check.js';
import { list, object, optional, text } from './check.js';

/** An object of the API that has the types that its fields want. */
function ofType(name: TypeName): Check {
  return (value, path) => {
    const { issues } = decode(jsonNodeOf(value), name);
    const issue = issues.find(({ kind }) => kind === 'wrong-type');
    if (issue?.kind !== 'wrong-type') return undefined;
    const at = issue.path === '' ? path : `${path}.${issue.path}`;
    return `${at}: ${issue.message}`;
  };
}

const CONTAINERS = list(object({ name: text, image: text }));

/** What a pod of a trace has beside the right types: it comes from a manifest that was found to be valid. */
const NEEDED: Fields = {
  metadata: object({ name: text, namespace: text, uid: text }),
  spec: object({
    containers: CONTAINERS,
    initContainers: optional(CONTAINERS),
    restartPolicy: text,
  }),
};

export const pod: Check = (value, path) =>
  object(NEEDED)(value, path) ??
  ofType('Pod')(value, path) ??
  withoutNulls((value as { readonly spec: unknown }).spec, `${path}.spec`);

/** A pod is written with what it has. */
function withoutNulls(value: unknown, path: string): string | undefined {
  if (value === null) return `${path} is null: leave it out`;
  if (typeof value !== 'object') return undefined;
  const at = (key: string): string => (Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  const wrong = Object.entries(value).map(([key, each]) => withoutNulls(each, at(key)));
  return wrong.find((message) => message !== undefined);
}

export const podStatus: Check = (value, path) =>
  object({})(value, path) ?? ofType('PodStatus')(value, path);
