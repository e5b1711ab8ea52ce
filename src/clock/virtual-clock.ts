import { AT_REST, type Clock, type Timer } from './clock.js';
import { type Random, seeded } from './random.js';

class Entry implements Timer {
  constructor(
    readonly due: number,
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
  private time: number;
  /**
   * The one that is due first is last; of those of one time, the one that was set first. A kubelet has few timers at a
   * time: a list in order takes less than a heap.
   */
  private readonly timers: Entry[] = [];
  private next: (() => unknown) | undefined;
  private readonly others: (() => unknown)[] = [];
  private readonly draw: Random;

  /** What is drawn comes of a seed, or as `draws` says. */
  constructor(draws: number | Random = 1, now = EPOCH) {
    this.draw = typeof draws === 'number' ? seeded(draws) : draws;
    this.time = now;
  }

  now(): number {
    return this.time;
  }

  random(): number {
    return this.draw();
  }

  setTimeout(callback: () => unknown, delay: number): Timer {
    const due = delay > 0 ? this.time + delay : this.time;
    const entry = new Entry(due, callback);
    const { timers } = this;
    const first = timers[timers.length - 1];
    if (first === undefined || first.due > due) timers.push(entry);
    else timers.splice(this.placeOf(due), 0, entry);
    return entry;
  }

  go(callback: () => unknown): void {
    if (this.next !== undefined) this.others.push(this.next);
    this.next = callback;
  }

  /** Moves to `time`, firing what is due up to and with it. */
  runUntil(time: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        try {
          if (this.turn(time)) resolve();
          else atRest(turn);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      atRest(turn);
    });
  }

  /**
   * Runs what is next, or moves on to what is due next, as long as that settles no promise; true when nothing is left to
   * do until `time`.
   */
  private turn(time: number): boolean {
    const { timers, others } = this;
    let came: unknown = AT_REST;
    for (let steps = 0; came === AT_REST && steps < STEPS_A_TURN; steps++) {
      let { next } = this;
      if (next === undefined && others.length === 0) {
        const first = timers[timers.length - 1];
        if (first === undefined || first.due > time) {
          this.time = Math.max(this.time, time);
          return true;
        }
        came = this.fire(first.due);
        ({ next } = this);
      }
      // Who was woken runs at once; else there may be somebody whose promise a timer has settled.
      if (next !== undefined) this.next = undefined;
      else next = others.shift();
      if (next !== undefined && next() !== AT_REST) came = undefined;
    }
    return false;
  }

  /** Moves to `now` and fires what is due. */
  private fire(now: number): unknown {
    const { timers } = this;
    this.time = now;
    let came: unknown = AT_REST;
    let entry = timers[timers.length - 1];
    while (entry !== undefined && entry.due <= now) {
      timers.pop();
      const { callback } = entry;
      if (callback !== undefined && callback() !== AT_REST) came = undefined;
      entry = timers[timers.length - 1];
    }
    return came;
  }

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): Promise<void> {
    return this.runUntil(this.time + milliseconds);
  }

  /** Before all that are due no later; nearly all timers are a ticker's, and due after all others but a few. */
  private placeOf(due: number): number {
    const { timers } = this;
    let from = 0;
    let to = 0;
    while ((timers[to]?.due ?? due) > due) {
      from = to + 1;
      to += from;
    }
    to = Math.min(to, timers.length);
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((timers[middle]?.due ?? due) > due) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** How many steps may follow one another before files, signals and the like get their turn. */
const STEPS_A_TURN = 256;

/** Calls `turn` when every promise that can settle without a timer has settled. */
function atRest(turn: () => void): void {
  setImmediate(turn);
}
