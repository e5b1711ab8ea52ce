import type { Attempt } from '../attempt.js';
import { DEADLINE_EXCEEDED, IoError } from '../io-error.js';
import { GrpcConnection } from './connection.js';

const BASE_DELAY = 1000;
const MULTIPLIER = 1.6;
const JITTER = 0.2;
const MAX_DELAY = 120_000;

/** Connects, again and again until it works; rejects when the time is up. Ports DialContext with WithBlock (clientconn.go). */
export async function connectBlocking(attempt: Attempt, address: string): Promise<GrpcConnection> {
  for (let retries = 0; ; retries++) {
    try {
      return await GrpcConnection.open(attempt, address);
    } catch (error) {
      if (!(error instanceof IoError) || attempt.deadline.expired) throw error;
      await pause(attempt, backoff(retries, attempt.options.clock.random()));
    }
  }
}

/** Ports Exponential.Backoff (google.golang.org/grpc/internal/backoff/backoff.go). */
function backoff(retries: number, random: number): number {
  if (retries === 0) return BASE_DELAY;
  const delay = Math.min(BASE_DELAY * MULTIPLIER ** retries, MAX_DELAY);
  return delay * (1 + JITTER * (random * 2 - 1));
}

/** Waits so long; rejects when the attempt ends before. */
function pause({ options, deadline }: Attempt, delay: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = deadline.onEnd(() => {
      timer.cancel();
      reject(new IoError(DEADLINE_EXCEEDED));
    });
    const timer = options.clock.setTimeout(() => {
      release();
      resolve();
    }, delay);
  });
}
