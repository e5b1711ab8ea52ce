import type { Clock } from '../../src/clock/clock.js';

/** A clock whose timer fires when a test calls fireAt, however late: as when the event loop was blocked until then. */
export class LateClock implements Clock {
  time = 0;
  timer: (() => unknown) | undefined;

  now(): number {
    return this.time;
  }
  setTimeout(callback: () => unknown): { cancel: () => void } {
    this.timer = callback;
    return { cancel: () => (this.timer = undefined) };
  }
  go(callback: () => void): void {
    callback();
  }
  random(): number {
    return 0;
  }

  fireAt(time: number): void {
    this.time = time;
    this.timer?.();
  }
}
