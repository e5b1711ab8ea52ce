/** Waits for work; resolves with `otherwise` when the signal aborts first. */
export function untilAborted<T, A>(
  signal: AbortSignal,
  work: Promise<T>,
  otherwise: A,
): Promise<T | A> {
  const done = new AbortController();
  const aborted = new Promise<A>((resolve) => {
    signal.addEventListener('abort', () => resolve(otherwise), { signal: done.signal });
    if (signal.aborted) resolve(otherwise);
  });
  return Promise.race([work, aborted]).finally(() => done.abort());
}
