import { isObject } from '../../api/index.js';
/** Says what is wrong with a value, which `path` names; undefined when nothing is. */
export type Check = (value: unknown, path: string) => string | undefined;

/** The fields of an object, each with its check. Fields that it does not name are let pass: a later version may have them. */
export type Fields = Readonly<Record<string, Check>>;

export const text: Check = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(value, path, 'a text');

/** A number that JSON can say: neither infinite nor NaN. */
export const number: Check = (value, path) => {
  if (typeof value !== 'number') return mismatch(value, path, 'a number');
  return Number.isFinite(value) ? undefined : `${path} is a number that is too large`;
};

/** What a process can end with. */
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

/** An object whose every value passes. */
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

/** Characters of a value that are shown. */
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
