/** Annotation in which `kubectl apply` repeats the whole manifest. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether a value is a list; unlike Array.isArray, it keeps the type of the items. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * Returns the value of a map's own key. A label or a container may be named like a property that every object inherits,
 * such as `constructor`.
 */
export function ownField<Value>(
  fields: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Returns the entries of a map in the order of their keys, where Go takes any order. */
export function sortedEntries<T>(record: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the value that a path of own keys leads to, if there is one. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? ownField(value as Readonly<Record<string, unknown>>, key)
        : undefined,
    root,
  );
}

/** Returns plain data with each text, number and other leaf mapped. */
export function mapLeaves<T>(data: T, map: (leaf: unknown) => unknown): T {
  if (Array.isArray(data)) return data.map((each) => mapLeaves<unknown>(each, map)) as T;
  if (!isObject(data)) return map(data) as T;
  const fields = Object.entries(data).map(([name, value]) => [name, mapLeaves(value, map)]);
  return Object.fromEntries(fields) as T;
}

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

export function omitUndefined<T extends object>(
  fields: T,
): Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof omitUndefined<T>>;
}

/** Reads a JSON object of unknown form; a field that is missing or of another type is empty. */
export class JsonReader {
  readonly object: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.object = isObject(value) ? value : {};
  }

  keys(): string[] {
    return Object.keys(this.object);
  }

  in(name: string): JsonReader {
    return new JsonReader(this.object[name]);
  }

  list(name: string): JsonReader[] {
    const value = this.object[name];
    return Array.isArray(value) ? value.map((each) => new JsonReader(each)) : [];
  }

  text(name: string): string {
    const value = this.object[name];
    return typeof value === 'string' ? value : '';
  }

  number(name: string, otherwise = 0): number {
    const value = this.object[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  }

  flag(name: string): boolean {
    return this.object[name] === true;
  }

  strings(name: string): string[] {
    const value = this.object[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  texts(): Record<string, string> {
    const entries = Object.entries(this.object).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(entries);
  }
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
