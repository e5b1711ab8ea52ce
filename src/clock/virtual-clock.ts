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
      const step = (): void => {
        try {
          let came = this.step(time);
          for (let steps = 1; came === AT_REST && steps < STEPS_A_TURN; steps++) {
            came = this.step(time);
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
  private step(time: number): unknown {
    let came: unknown = AT_REST;
    if (this.next === undefined && this.others.length === 0) {
      const { timers } = this;
      const first = timers[timers.length - 1];
      if (first === undefined || first.due > time) {
        this.time = Math.max(this.time, time);
        return DONE;
      }
      came = this.fire(first.due);
    }
    // Who was woken runs at once; else there may be somebody whose promise a timer has settled.
    let { next } = this;
    if (next !== undefined) this.next = undefined;
    else if (this.others.length > 0) next = this.others.shift();
    const ran = next === undefined ? AT_REST : next();
    return came === AT_REST ? ran : undefined;
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
/** Nothing is to be done until the time that was asked for. */
const DONE = Symbol('done');

/** Calls `step` when every promise that can settle without a timer has settled. */
function atRest(step: () => void): void {
  setImmediate(step);
}
