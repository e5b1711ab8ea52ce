import type { Container, Pod } from '../api/index.js';

/** A field that something comes from. */
export interface Field {
  /** In the pod: `spec.containers[0].livenessProbe.periodSeconds`. */
  readonly path: string;
  /** Absent when it is not set. */
  readonly value?: unknown;
  /** The API has filled it in: the manifest does not say it. */
  readonly isDefault: boolean;
}

/** Looks fields up: in a container, or from `spec.` in the pod. */
export function fieldFinder(
  pod: Pod,
  container: Container | undefined,
  containerPath: string,
  defaulted: ReadonlySet<string>,
): (path: string) => Field {
  return (path) => {
    const inPod = path.startsWith('spec.');
    const full = inPod ? path : `${containerPath}.${path}`;
    const value = valueAt(inPod ? pod : container, path);
    const isDefault = [...ancestors(full)].some((each) => defaulted.has(each));
    return { path: full, isDefault, ...(value === undefined ? {} : { value }) };
  };
}

function valueAt(root: unknown, path: string): unknown {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return keys.reduce((value: unknown, key) => {
    return (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }, root);
}

/** The path, and those that it lies in. */
function* ancestors(path: string): Generator<string> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield at;
}
