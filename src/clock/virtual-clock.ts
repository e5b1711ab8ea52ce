import type { Clock, Timer } from './clock.js';

interface Entry extends Timer {
  readonly due: number;
  readonly sequence: number;
  callback: (() => void) | undefined;
}

/** When Go's playground, and with it the kubelet's virtual clock, begins. */
const EPOCH = Date.UTC(2009, 10, 10, 23);

/**
 * Time that moves only in `runUntil`: from one timer to the next, those of one instant in the order in which they were
 * set, and on only when all that a timer set off has come to rest.
 */
export class VirtualClock implements Clock {
  #now: number;
  #sequence = 0;
  #state: number;
  readonly #heap: Entry[] = [];

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

  setTimeout(callback: () => void, delay: number): Timer {
    const entry: Entry = {
      due: this.#now + Math.max(0, delay),
      sequence: this.#sequence++,
      callback,
      cancel() {
        entry.callback = undefined;
      },
    };
    this.#push(entry);
    return entry;
  }

  /** Moves to `time`, firing what is due up to and with it. */
  async runUntil(time: number): Promise<void> {
    await rest();
    for (let next = this.#heap[0]; next !== undefined && next.due <= time; next = this.#heap[0]) {
      this.#now = next.due;
      for (const entry of this.#takeDue()) {
        if (entry.callback === undefined) continue;
        entry.callback();
        await rest();
      }
    }
    this.#now = Math.max(this.#now, time);
  }

  #takeDue(): Entry[] {
    const due: Entry[] = [];
    for (
      let next = this.#heap[0];
      next !== undefined && next.due <= this.#now;
      next = this.#heap[0]
    ) {
      this.#pop();
      if (next.callback !== undefined) due.push(next);
    }
    const last = due.pop();
    return last === undefined ? [] : [last, ...due];
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

/** Every promise that can settle without a timer has settled when this resolves. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
