import { decode, type DecodedTypes } from '../api/decode/index.js';
import { isObject } from '../api/index.js';
import { jsonNodeOf } from '../go/json.js';

/** Returns what is wrong with the value at `path`; undefined for a valid value, which is a `T`. */
export interface FieldCheck<T> {
  (value: unknown, path: string): string | undefined;
  readonly valid?: readonly [T];
}

/** Fields of an object that are checked; a later version may have others. */
export type Fields = Readonly<Record<string, FieldCheck<unknown>>>;

export type Valid<Check> = Check extends FieldCheck<infer T> ? T : never;

export type ObjectOf<F extends Fields> = {
  readonly [Name in keyof F as undefined extends Valid<F[Name]> ? never : Name]: Valid<F[Name]>;
} & {
  readonly [Name in keyof F as undefined extends Valid<F[Name]> ? Name : never]?: Valid<F[Name]>;
};

export const text: FieldCheck<string> = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(value, path, 'a string');

export const number: FieldCheck<number> = (value, path) => {
  if (typeof value !== 'number') return mismatch(value, path, 'a number');
  return Number.isFinite(value) ? undefined : `${path} is a number that is too large`;
};

export const exitCode: FieldCheck<number> = (value, path) => {
  const isExitCode =
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
  return isExitCode ? undefined : mismatch(value, path, 'an exit code from 0 to 255');
};

export const boolean: FieldCheck<boolean> = (value, path) =>
  typeof value === 'boolean' ? undefined : mismatch(value, path, 'true or false');

export function oneOf<const T extends string | boolean>(...words: readonly T[]): FieldCheck<T> {
  const wanted = words.map((word) => JSON.stringify(word)).join(', ');
  return (value, path) =>
    words.some((word) => word === value) ? undefined : mismatch(value, path, `one of ${wanted}`);
}

export function optional<T>(check: FieldCheck<T>): FieldCheck<T | undefined> {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

export function list<T>(check: FieldCheck<T>): FieldCheck<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return mismatch(value, path, 'a list');
    return first(value.map((item, index) => check(item, `${path}[${index}]`)));
  };
}

export function map<T>(check: FieldCheck<T>): FieldCheck<Readonly<Record<string, T>>> {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    return first(Object.entries(value).map(([key, item]) => check(item, `${path}.${key}`)));
  };
}

export function object<F extends Fields>(fields: F): FieldCheck<ObjectOf<F>> {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    const at = path === '' ? '' : `${path}.`;
    return first(Object.entries(fields).map(([key, check]) => check(value[key], at + key)));
  };
}

/** Checks an object of the API by its field table. */
export function ofType(name: keyof DecodedTypes): FieldCheck<object> {
  return (value, path) => {
    const { issues } = decode(jsonNodeOf(value), name);
    const issue = issues.find((issue) => issue.kind === 'wrong-type');
    return issue && `${[path, issue.path].filter(Boolean).join('.')}: ${issue.message}`;
  };
}

/** Returns the problem of a null, which kprobe never writes into a pod. */
export function nullProblem(value: unknown, path: string): string | undefined {
  if (value === null) return `${path} is null: leave it out`;
  if (typeof value !== 'object') return undefined;
  const at = (key: string): string => (Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  return first(Object.entries(value).map(([key, each]) => nullProblem(each, at(key))));
}

function first(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined);
}

const MAX_SHOWN = 40;

function mismatch(value: unknown, path: string, wanted: string): string {
  if (value === undefined) return `${path} is missing`;
  const found = isObject(value) ? 'an object' : Array.isArray(value) ? 'a list' : shown(value);
  return `${path} must be ${wanted}, not ${found}`;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}
