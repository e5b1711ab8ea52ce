/** Result of a Go function that returns `(T, error)`; the error is its text. */
export type OrError<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

export function ok<T>(value: T): OrError<T> {
  return { ok: true, value };
}

export function fail(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
