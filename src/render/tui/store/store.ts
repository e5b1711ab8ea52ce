import type { Clock } from '../../../clock/clock.js';
import { EMPTY_SUMMARY, type Summary } from '../../../trace/summary/summary.js';
import type { KeyName } from '../keys/keys-of.js';
import { press } from '../keys/press.js';
import type { Size } from '../screen/terminal.js';
import type { Effect } from './effect.js';
import { FrameTimer } from './frame-timer.js';
import type { About, Snapshot } from './snapshot.js';
import { FIRST_UI } from './ui.js';

export interface StoreOptions {
  readonly clock: Clock;
  /** Seconds since the trace began. */
  readonly now: () => number;
  readonly about: About;
  readonly size: Size;
  readonly perform: (effect: Effect) => void;
}

/** The one state of the UI. It hears of every line, and tells of at most ten changes a second. */
export class Store {
  #snapshot: Snapshot;
  #next: Snapshot;
  readonly #frames: FrameTimer;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: StoreOptions) {
    const { about, size, clock, now } = options;
    this.#snapshot = {
      summary: EMPTY_SUMMARY,
      now: now(),
      ui: FIRST_UI,
      size,
      about,
      heldBack: 0,
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
    this.#next = { ...this.#next, summary };
    this.#frames.request('regular');
  }

  press(key: KeyName): void {
    const { ui, effect } = press({ ...this.#next, now: this.options.now() }, key);
    if (ui !== this.#next.ui) {
      this.#next = { ...this.#next, ui };
      this.#frames.request('soon');
    }
    if (effect !== undefined) this.options.perform(effect);
  }

  resize(size: Size): void {
    this.#next = { ...this.#next, size };
    this.#frames.request('soon');
  }

  /** The run is being ended: that is shown at once. */
  end(): void {
    this.#next = { ...this.#next, ending: true };
    this.#frames.request('soon');
  }

  /** Tells of nothing more. */
  stop(): void {
    this.#frames.stop();
  }

  #publish(): void {
    this.#snapshot = { ...this.#next, now: this.options.now() };
    this.#next = this.#snapshot;
    for (const listener of this.#listeners) listener();
  }
}
