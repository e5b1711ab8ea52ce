import { isDeepStrictEqual } from 'node:util';

import type { Clock, Timer } from '../../../clock/clock.js';
import { EMPTY_SUMMARY, type Summary } from '../../../trace/summary/summary.js';
import type { KeyName } from './key-reader.js';
import { press } from './press.js';
import {
  type About,
  type BodyPlace,
  type Effect,
  FIRST_UI,
  type Message,
  type PlayerState,
  type Size,
  type Snapshot,
  type Ui,
} from './state.js';

interface StoreOptions {
  readonly clock: Clock;
  /** Seconds since the trace began. */
  readonly now: () => number;
  readonly about: About;
  readonly size: Size;
  readonly player?: PlayerState | undefined;
  readonly perform: (effect: Effect) => void;
}

/** Seconds that a message stays. */
const MESSAGE_TIME = 5;

/** The state of the UI. It receives every line, and publishes at most ten snapshots a second. */
export class Store {
  #published: Snapshot;
  #state: Snapshot;
  /** Also what has come while the display is paused. */
  #latest: Summary = EMPTY_SUMMARY;
  readonly #frames: FrameTimer;
  readonly #listeners = new Set<() => void>();
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    const { about, size, clock, now } = options;
    this.#state = {
      summary: EMPTY_SUMMARY,
      now: now(),
      ui: FIRST_UI,
      size,
      about,
      heldBack: 0,
      message: undefined,
      ending: false,
      body: undefined,
    };
    this.#published = this.#state;
    this.#frames = new FrameTimer(clock, () => this.#publish());
  }

  readonly getSnapshot = (): Snapshot => this.#published;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly press = (key: KeyName): void => {
    const now = this.#state.ui.paused ? this.#state.now : this.#options.now();
    const { ui, effect } = press({ ...this.#state, now }, key);
    this.#dispatch({ kind: 'pressed', ui, now, latest: this.#latest });
    if (effect !== undefined) this.#options.perform(effect);
  };

  /** Takes note of a layout, which decides what keys do. Header and footer show it in the next frame. */
  readonly layOut = (body: BodyPlace): void => {
    const { body: before } = this.#state;
    this.#state = reduce(this.#state, { kind: 'laidOut', body });
    if (!isDeepStrictEqual(before, body)) this.#frames.request('soon');
  };

  receive(summary: Summary): void {
    this.#latest = summary;
    this.#state = reduce(this.#state, { kind: 'received', summary });
    this.#frames.request('regular');
  }

  say(text: string, tone: Message['tone']): void {
    const until = this.#options.now() + MESSAGE_TIME;
    this.#dispatch({ kind: 'said', message: { text, tone, until } });
  }

  resize(size: Size): void {
    this.#dispatch({ kind: 'resized', size });
  }

  end(): void {
    this.#dispatch({ kind: 'ended' });
  }

  stop(): void {
    this.#frames.stop();
  }

  #dispatch(action: Action): void {
    this.#state = reduce(this.#state, action);
    this.#frames.request('soon');
  }

  #publish(): void {
    const { now, player } = this.#options;
    this.#state = reduce(this.#state, { kind: 'ticked', now: now() });
    if (player !== undefined) {
      const { speed, isPaused } = player;
      this.#state = { ...this.#state, player: { speed, isPaused } };
    }
    this.#published = this.#state;
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

export type Action =
  | { readonly kind: 'received'; readonly summary: Summary }
  /** `latest` is the summary of now, which a paused display does not show. */
  | { readonly kind: 'pressed'; readonly ui: Ui; readonly now: number; readonly latest: Summary }
  | { readonly kind: 'said'; readonly message: Message }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'laidOut'; readonly body: BodyPlace }
  | { readonly kind: 'ended' }
  | { readonly kind: 'ticked'; readonly now: number };

export function reduce(state: Snapshot, action: Action): Snapshot {
  switch (action.kind) {
    case 'received':
      return state.ui.paused
        ? { ...state, heldBack: state.heldBack + 1 }
        : { ...state, summary: action.summary };
    case 'pressed': {
      const { ui, now, latest } = action;
      const isResumed = state.ui.paused && !ui.paused;
      const shown = isResumed ? { summary: latest, heldBack: 0 } : {};
      return { ...state, ui, now, message: undefined, ...shown };
    }
    case 'said':
      return { ...state, message: action.message };
    case 'resized':
      return { ...state, size: action.size };
    case 'laidOut':
      return { ...state, body: action.body };
    case 'ended':
      return { ...state, ending: true };
    case 'ticked': {
      const { now } = action;
      const { message, ui } = state;
      const isOver = message !== undefined && message.until <= now;
      // While the display is paused, its time stands still.
      return {
        ...state,
        now: ui.paused ? state.now : now,
        message: isOver ? undefined : message,
      };
    }
  }
}
