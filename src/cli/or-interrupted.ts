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
