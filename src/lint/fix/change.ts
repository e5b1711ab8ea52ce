/** A value that a change puts into a manifest. */
export type NewValue =
  string | number | boolean | readonly NewValue[] | { readonly [key: string]: NewValue };

/** A field of a pod that is set, or, with a value of undefined, removed. */
export interface Change {
  /** Such as `spec.containers[0].livenessProbe.timeoutSeconds`. */
  readonly path: string;
  readonly value: NewValue | undefined;
}

export function set(path: string, value: NewValue): Change {
  return { path, value };
}

export function remove(path: string): Change {
  return { path, value: undefined };
}
