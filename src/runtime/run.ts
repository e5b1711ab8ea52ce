import type { Time } from '../api/index.js';
import { type Clock, sleep } from '../clock/clock.js';

export interface RunEnd {
  readonly exitCode: number;
  readonly finishedAt: Time;
  /** In place of `Completed` and `Error`. */
  readonly reason?: string;
  /** The termination message, or nothing. */
  readonly message: string;
}

/** One run of what stands for a container; it has begun. */
export interface Run {
  /** When it began, if that was not just now. */
  readonly startedAt?: Time;
  readonly ended: Promise<RunEnd>;
  /** Asks it to end, and makes it when the grace period is over. May be called again with a shorter one. */
  stop(gracePeriodSeconds: number): void;
  /** kprobe ends: stops what would stay behind; resolves when nothing would. */
  close(gracePeriodSeconds: number): Promise<unknown>;
}

/** 128 + SIGTERM. */
const TERMINATED = 143;

/** A run on paper: it ends when it is told to, and what answers at the ports goes on. */
export function attachedRun(clock: Clock): Run {
  let end: (end: RunEnd) => void = () => undefined;
  const ended = new Promise<RunEnd>((resolve) => {
    end = resolve;
  });
  const stop = (): void => end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '' });
  return { ended, stop, close: () => Promise.resolve() };
}

/** A run that is over as soon as it has begun. */
export function completedRun(clock: Clock): Run {
  const end = (): RunEnd => ({ exitCode: 0, finishedAt: clock.now(), message: '' });
  const ended = sleep(clock, 0).then(end);
  return { ended, stop: () => undefined, close: () => Promise.resolve() };
}
