import { decode, isObject, type TypeName } from '../../api/index.js';
import { jsonNodeOf } from '../../go/json.js';

/** Returns the problem of the value at `path`; undefined when it is valid. */
export type Check = (value: unknown, path: string) => string | undefined;

/** The checked fields of an object. Other fields pass: a later version may have them. */
export type Fields = Readonly<Record<string, Check>>;

export const text: Check = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(value, path, 'a string');

export const number: Check = (value, path) => {
  if (typeof value !== 'number') return mismatch(value, path, 'a number');
  return Number.isFinite(value) ? undefined : `${path} is a number that is too large`;
};

export const exitCode: Check = (value, path) => {
  const isOne = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
  return isOne ? undefined : mismatch(value, path, 'an exit code from 0 to 255');
};

export const boolean: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : mismatch(value, path, 'true or false');

export function oneOf(...words: readonly (string | boolean)[]): Check {
  const wanted = words.map((word) => JSON.stringify(word)).join(', ');
  return (value, path) =>
    words.some((word) => word === value) ? undefined : mismatch(value, path, `one of ${wanted}`);
}

export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

export function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return mismatch(value, path, 'a list');
    return first(value.map((item, index) => check(item, `${path}[${index}]`)));
  };
}

export function map(check: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    return first(Object.entries(value).map(([key, item]) => check(item, `${path}.${key}`)));
  };
}

export function object(fields: Fields): Check {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    return first(Object.entries(fields).map(([key, check]) => check(value[key], join(path, key))));
  };
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Characters of a wrong value in a message. */
const SHOWN = 40;

function mismatch(value: unknown, path: string, wanted: string): string {
  if (value === undefined) return `${path} is missing`;
  const found = isObject(value) ? 'an object' : Array.isArray(value) ? 'a list' : shown(value);
  return `${path} must be ${wanted}, not ${found}`;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}

/** Accepts an API object whose fields have the right types. */
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

/** Fields that every pod of a trace has: it comes from a valid manifest. */
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

/** Refuses nulls, which kprobe never writes into a pod. */
function withoutNulls(value: unknown, path: string): string | undefined {
  if (value === null) return `${path} is null: leave it out`;
  if (typeof value !== 'object') return undefined;
  const at = (key: string): string => (Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  const wrong = Object.entries(value).map(([key, each]) => withoutNulls(each, at(key)));
  return wrong.find((message) => message !== undefined);
}

export const podStatus: Check = (value, path) =>
  object({})(value, path) ?? ofType('PodStatus')(value, path);
