import type { Io } from './io.js';

/** Simulations that nobody waits for any more end with the process: resolves with their exit code, or with the signal's. */
export function orInterrupted(
  { signal }: Pick<Io, 'signal'>,
  work: Promise<number>,
): Promise<number> {
  const interrupted = new Promise<number>((resolve) => {
    signal.addEventListener('abort', () => resolve(Number(signal.reason)), { once: true });
  });
  return Promise.race([work, interrupted]);
}

/** What work comes to, while somebody waits for it: rejects with an AbortError once the process is to end. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([work, aborted]);
}
