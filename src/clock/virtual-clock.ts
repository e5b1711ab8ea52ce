import TinyQueue from 'tinyqueue';

import { type Clock, type Random, seeded, type Timer } from './clock.js';

class Entry implements Timer {
  constructor(
    readonly due: number,
    /** Order of entries that are due together. */
    readonly serial: number,
    public callback: (() => void) | undefined,
  ) {}

  cancel(): void {
    this.callback = undefined;
  }
}

/** Start of the virtual time of Go's playground, and of the kubelet's virtual clock. */
const EPOCH = Date.UTC(2009, 10, 10, 23);

/**
 * Clock whose time moves only in `runUntil`, from one timer to the next. The timers of one instant fire together, in
 * the order in which they were set. Callbacks of `go` run as goroutines on one processor, so that ties in time are
 * resolved as in the kubelet under its own virtual clock: one at a time until it waits, the latest one next, the others
 * in order.
 */
export class VirtualClock implements Clock {
  #time: number;
  readonly #timers = new TinyQueue<Entry>([], (a, b) => a.due - b.due || a.serial - b.serial);
  #serial = 0;
  /** Go's runnext: the latest goroutine goes before the queue. */
  #next: (() => void) | undefined;
  readonly #queue: (() => void)[] = [];
  readonly #draw: Random;

  /** Draws from a seed, or from `draws`. */
  constructor(draws: number | Random = 1, now = EPOCH) {
    this.#draw = typeof draws === 'number' ? seeded(draws) : draws;
    this.#time = now;
  }

  now(): number {
    return this.#time;
  }

  random(): number {
    return this.#draw();
  }

  setTimeout(callback: () => void, delay: number): Timer {
    const entry = new Entry(this.#time + Math.max(0, delay), this.#serial++, callback);
    this.#timers.push(entry);
    return entry;
  }

  go(callback: () => void): void {
    if (this.#next !== undefined) this.#queue.push(this.#next);
    this.#next = callback;
  }

  advance(milliseconds: number): Promise<void> {
    return this.runUntil(this.#time + milliseconds);
  }

  /** Moves to `time`, firing what is due by then, that instant included. */
  runUntil(time: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          if (this.#step(time)) afterPromises(step);
          else resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      afterPromises(step);
    });
  }

  /** Runs the next goroutine or fires the next timers; false when there are none until `limit`. */
  #step(limit: number): boolean {
    if (this.#next === undefined && this.#queue.length === 0 && !this.#fireNext(limit)) {
      this.#time = Math.max(this.#time, limit);
      return false;
    }
    const run = this.#next ?? this.#queue.shift();
    this.#next = undefined;
    run?.();
    return true;
  }

  /** Moves to the next due time and fires its timers; false when none is due by `limit`. */
  #fireNext(limit: number): boolean {
    const due = this.#timers.peek()?.due;
    if (due === undefined || due > limit) return false;
    this.#time = due;
    while (this.#timers.peek()?.due === due) this.#timers.pop()?.callback?.();
    return true;
  }
}

/** Resolves in the next turn of Node's event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Steps between two turns of Node's event loop, so that signals and timers of the process get their turn too. */
const STEPS_PER_TURN = 100;
let steps = 0;

/**
 * Calls `step` when every promise that can settle without a timer has settled: Node empties the microtask queue before
 * the next tick. A turn of the event loop for each step would take a tenth more CPU time.
 */
function afterPromises(step: () => void): void {
  steps = (steps + 1) % STEPS_PER_TURN;
  if (steps === 0) setImmediate(step);
  else void SETTLED.then(() => process.nextTick(step));
}

const SETTLED = Promise.resolve();
