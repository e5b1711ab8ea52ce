import { AT_REST, type Clock, type Timer } from './clock.js';

class Entry implements Timer {
  constructor(
    readonly due: number,
    readonly sequence: number,
    public callback: (() => unknown) | undefined,
  ) {}

  cancel(): void {
    this.callback = undefined;
  }
}

/** When Go's playground, and with it the kubelet's virtual clock, begins. */
const EPOCH = Date.UTC(2009, 10, 10, 23);

/**
 * Time that moves only in `runUntil`, from one timer to the next. The timers of one instant fire together, in the order
 * in which they were set; what is set going runs as Go runs goroutines on one processor: one at a time until it waits,
 * the one that was set going last next, and the others in turn.
 */
export class VirtualClock implements Clock {
  #now: number;
  #sequence = 0;
  #state: number;
  readonly #heap: Entry[] = [];
  #next: (() => unknown) | undefined;
  readonly #others: (() => unknown)[] = [];

  constructor(seed = 1, now = EPOCH) {
    this.#state = seed >>> 0;
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Mulberry32: the same numbers for the same seed. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  setTimeout(callback: () => unknown, delay: number): Timer {
    const due = delay > 0 ? this.#now + delay : this.#now;
    const entry = new Entry(due, this.#sequence++, callback);
    this.#push(entry);
    return entry;
  }

  go(callback: () => unknown): void {
    if (this.#next !== undefined) this.#others.push(this.#next);
    this.#next = callback;
  }

  /** Moves to `time`, firing what is due up to and with it. */
  runUntil(time: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          let came = this.#step(time);
          for (let steps = 1; came === AT_REST && steps < STEPS_A_TURN; steps++) {
            came = this.#step(time);
          }
          if (came === DONE) resolve();
          else atRest(step);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      atRest(step);
    });
  }

  /** Runs what is next, or moves on to what is due next; DONE when nothing is until `time`. */
  #step(time: number): unknown {
    const run = this.#takeNext();
    if (run !== undefined) return run();
    const due = this.#heap[0]?.due;
    if (due === undefined || due > time) {
      this.#now = Math.max(this.#now, time);
      return DONE;
    }
    this.#now = due;
    return this.#fire();
  }

  /** Fires what is due, and has who was woken run at once; else there may be somebody whose promise a timer has settled. */
  #fire(): unknown {
    let came: unknown = AT_REST;
    for (
      let entry = this.#heap[0];
      entry !== undefined && entry.due <= this.#now;
      entry = this.#heap[0]
    ) {
      this.#pop();
      const { callback } = entry;
      if (callback !== undefined && callback() !== AT_REST) came = undefined;
    }
    const run = this.#takeNext();
    const ran = run === undefined ? AT_REST : run();
    return came === AT_REST ? ran : undefined;
  }

  #takeNext(): (() => unknown) | undefined {
    const next = this.#next ?? this.#others.shift();
    this.#next = undefined;
    return next;
  }

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): Promise<void> {
    return this.runUntil(this.#now + milliseconds);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      let least = heap[left];
      if (least === undefined) break;
      let child = left;
      const right = heap[left + 1];
      if (right !== undefined && isBefore(right, least)) {
        least = right;
        child = left + 1;
      }
      if (!isBefore(least, last)) break;
      heap[index] = least;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}

/** How many steps may follow one another before files, signals and the like get their turn. */
const STEPS_A_TURN = 256;
/** Nothing is to be done until the time that was asked for. */
const DONE = Symbol('done');

/** Calls `step` when every promise that can settle without a timer has settled. */
function atRest(step: () => void): void {
  setImmediate(step);
}
