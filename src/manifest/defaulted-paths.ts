import { isObject } from '../api/index.js';

/** The paths of what differs from what was written: the fields that defaults have set or changed. */
export function defaultedPaths(
  written: unknown,
  defaulted: unknown,
  path: string,
): ReadonlySet<string> {
  const paths = new Set<string>();
  collect(written, defaulted, path, paths);
  return paths;
}

function collect(written: unknown, defaulted: unknown, path: string, paths: Set<string>): void {
  if (Array.isArray(defaulted)) {
    const items: readonly unknown[] = Array.isArray(written) ? written : [];
    defaulted.forEach((item, index) => collect(items[index], item, `${path}[${index}]`, paths));
  } else if (isObject(defaulted)) {
    if (written === undefined) paths.add(path);
    const fields = isObject(written) ? written : {};
    for (const [key, value] of Object.entries(defaulted)) {
      collect(fields[key], value, `${path}.${key}`, paths);
    }
  } else if (defaulted !== undefined && written !== defaulted) {
    paths.add(path);
  }
}
