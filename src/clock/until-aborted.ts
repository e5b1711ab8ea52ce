/** Waits for work; resolves with `otherwise` when the signal aborts first. */
export function untilAborted<T, A>(
  signal: AbortSignal,
  work: Promise<T>,
  otherwise: A,
): Promise<T | A> {
  let stop = (): void => undefined;
  const aborted = new Promise<A>((resolve) => {
    stop = () => resolve(otherwise);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
