import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Clock } from '../clock/clock.js';
import type { ProbeTransports } from '../kubelet/ports.js';

export interface AttemptThreadOptions {
  /** Version in the User-Agent, such as `1.36`. */
  readonly kubeletVersion: string;
  readonly address: string;
  readonly ports: ReadonlyMap<number, number>;
}

/** An attempt that a thread makes: a transport's arguments but for the target, which no thread needs. */
export interface AttemptCall {
  readonly id: number;
  readonly kind: keyof ProbeTransports;
  readonly args: readonly unknown[];
}

export interface AttemptAnswer {
  readonly id: number;
  /** An outcome; for hooks, the text of an error. */
  readonly outcome: unknown;
  /** Milliseconds, without those by which the thread was late. */
  readonly took: number;
}

interface Waiting {
  readonly begin: number;
  readonly resolve: (outcome: never) => void;
  readonly reject: (error: Error) => void;
}

/** Makes probe attempts in threads that run `program`, in turn. The threads end with the process. */
export async function threadedTransports(
  program: URL,
  count: number,
  options: AttemptThreadOptions,
  clock: Clock,
): Promise<ProbeTransports> {
  const waiting = new Map<number, Waiting>();
  const settle = ({ id, outcome, took }: AttemptAnswer): void => {
    const { begin = 0, resolve } = waiting.get(id) ?? {};
    const late = clock.now() - begin - took;
    resolve?.((typeof outcome === 'object' ? { ...outcome, late } : outcome) as never);
    waiting.delete(id);
  };
  const threads = Array.from({ length: count }, () => new Worker(program, { workerData: options }));
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  for (const thread of threads) {
    thread.on('message', settle);
    thread.on('error', (error) => waiting.forEach(({ reject }) => reject(error)));
    thread.unref();
  }
  let calls = 0;
  const call = (kind: AttemptCall['kind'], args: readonly unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = calls++;
      waiting.set(id, { begin: clock.now(), resolve, reject });
      threads[id % count]?.postMessage({ id, kind, args } satisfies AttemptCall);
    });
  return {
    http: (_, ...args) => call('http', args),
    tcp: (_, ...args) => call('tcp', args),
    grpc: (_, ...args) => call('grpc', args),
    httpHook: (_, ...args) => call('httpHook', args),
  };
}
