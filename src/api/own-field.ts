/**
 * What a map has at a key that somebody else has named; undefined where it has none. Labels, containers and commands may
 * have the names of what every object inherits.
 */
export function ownField<Value>(
  fields: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
