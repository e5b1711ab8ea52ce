import type { Clock, Timer } from '../../clock/clock.js';
import { EMPTY_SUMMARY, type Summary } from '../../trace/summary/summary.js';
import type { KeyName } from './keys.js';
import { press } from './press.js';
import type { Size } from './screen.js';
import { type About, type Effect, FIRST_UI, type Snapshot } from './state.js';

export interface StoreOptions {
  readonly clock: Clock;
  /** Seconds since the trace began. */
  readonly now: () => number;
  readonly about: About;
  readonly size: Size;
  readonly perform: (effect: Effect) => void;
}

/** Seconds that a message stays. */
const MESSAGE_TIME = 5;

/** The state of the UI. It receives every line, and publishes at most ten snapshots a second. */
export class Store {
  #snapshot: Snapshot;
  #next: Snapshot;
  /** Also what has come while the display is paused. */
  #latest: Summary = EMPTY_SUMMARY;
  readonly #frames: FrameTimer;
  readonly #listeners = new Set<() => void>();

  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    const { about, size, clock, now } = options;
    this.#snapshot = {
      summary: EMPTY_SUMMARY,
      now: now(),
      ui: FIRST_UI,
      size,
      about,
      heldBack: 0,
      message: undefined,
      ending: false,
    };
    this.#next = this.#snapshot;
    this.#frames = new FrameTimer(clock, () => this.#publish());
  }

  readonly getSnapshot = (): Snapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  receive(summary: Summary): void {
    this.#latest = summary;
    const { ui, heldBack } = this.#next;
    this.#next = ui.paused ? { ...this.#next, heldBack: heldBack + 1 } : { ...this.#next, summary };
    this.#frames.request('regular');
  }

  press(key: KeyName): void {
    const before = { ...this.#next, now: this.#now() };
    const { ui, effect } = press(before, key);
    const isResumed = before.ui.paused && !ui.paused;
    this.#change({
      ui,
      now: before.now,
      message: undefined,
      ...(isResumed && { summary: this.#latest, heldBack: 0 }),
    });
    if (effect !== undefined) this.#options.perform(effect);
  }

  say(text: string, tone: 'good' | 'bad'): void {
    this.#change({ message: { text, tone, until: this.#options.now() + MESSAGE_TIME } });
  }

  resize(size: Size): void {
    this.#change({ size });
  }

  end(): void {
    this.#change({ ending: true });
  }

  stop(): void {
    this.#frames.stop();
  }

  #change(change: Partial<Snapshot>): void {
    this.#next = { ...this.#next, ...change };
    this.#frames.request('soon');
  }

  /** While the display is paused, its time stands still. */
  #now(): number {
    return this.#next.ui.paused ? this.#next.now : this.#options.now();
  }

  #publish(): void {
    const { message } = this.#next;
    const isOver = message !== undefined && message.until <= this.#options.now();
    this.#next = { ...this.#next, now: this.#now(), message: isOver ? undefined : message };
    this.#snapshot = this.#next;
    for (const listener of this.#listeners) listener();
  }
}

/** Milliseconds between two frames: after a key, after an event, and when only time passes. */
const SOON = 100;
const REGULAR = 250;
/** No more than this part of the time goes into drawing what nobody asked for. */
const SHARE = 0.02;
const LONGEST = 1000;

/** Decides when to draw: at most ten times a second, and less often where drawing takes long. */
export class FrameTimer {
  #timer: Timer | undefined;
  #drawn: Timer | undefined;
  #due = Infinity;
  #last = -Infinity;
  #pause = REGULAR;
  #stopped = false;

  readonly #clock: Clock;
  readonly #draw: () => void;

  constructor(clock: Clock, draw: () => void) {
    this.#clock = clock;
    this.#draw = draw;
  }

  /** Asks for a frame: `soon` where the user waits for it. */
  request(when: 'soon' | 'regular'): void {
    if (this.#stopped) return;
    const now = this.#clock.now();
    const due = Math.max(now, this.#last + (when === 'soon' ? SOON : this.#pause));
    if (due >= this.#due) return;
    this.#timer?.cancel();
    this.#due = due;
    this.#timer = this.#clock.setTimeout(() => this.#fire(), due - now);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#drawn?.cancel();
  }

  #fire(): void {
    this.#due = Infinity;
    const begin = this.#clock.now();
    this.#last = begin;
    this.#draw();
    // React goes on drawing when this has returned.
    this.#drawn = this.#clock.setTimeout(() => this.#rest(this.#clock.now() - begin), 0);
  }

  #rest(cost: number): void {
    this.#pause = Math.min(LONGEST, Math.max(REGULAR, cost / SHARE));
    // Time passes: ages and countdowns change without any event.
    this.request('regular');
  }
}
