/** Returns true for an object that is neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the value of a map's own key. Labels, containers and commands may have the names of what every object
 * inherits.
 */
export function ownField<Value>(
  fields: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

export function present<T extends object>(
  fields: T,
): Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof present<T>>;
}
