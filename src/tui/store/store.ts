import { isDeepStrictEqual } from 'node:util';

import type { Clock, Timer } from '../../clock/clock.js';
import { EMPTY_SUMMARY, type Summary } from '../../trace/summary/summary.js';
import type { KeyName } from './key-reader.js';
import { press } from './press.js';
import { chosenContainer, filterOf, podInView, viewName } from './selection.js';
import {
  type BodyPlace,
  type ContainerRef,
  type Effect,
  FIRST_UI,
  type Message,
  type Size,
  type Snapshot,
} from './state.js';

export interface StoreOptions extends Pick<Snapshot, 'context' | 'size' | 'player'> {
  readonly clock: Clock;
  /** Seconds since the trace began. */
  readonly now: () => number;
  readonly perform: (effect: Effect) => void;
}

/** Seconds that a message stays. */
const MESSAGE_TIME = 5;

/** The state of the UI. It receives every line, and publishes at most ten snapshots a second. */
export class Store {
  #published: Snapshot;
  #drawn: Snapshot;
  #state: Snapshot;
  /** The newest summary, which a paused display does not show. */
  #latest: Summary = EMPTY_SUMMARY;
  /** Keys that wait for a frame, behind those that are done: `shift` takes 10 s for 100,000 of them. */
  readonly #keys: KeyName[] = [];
  #done = 0;
  readonly #frames: FrameTimer;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: StoreOptions) {
    const { context, size, clock, now } = options;
    this.#state = {
      summary: EMPTY_SUMMARY,
      now: now(),
      ui: FIRST_UI,
      size,
      context,
      heldBack: 0,
      message: undefined,
      ending: false,
      body: undefined,
    };
    this.#published = this.#state;
    this.#drawn = this.#state;
    this.#frames = new FrameTimer(clock, () => this.#publish());
  }

  readonly getSnapshot = (): Snapshot => this.#published;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly press = (key: KeyName): void => {
    this.#keys.push(key);
    this.#pressWaiting();
  };

  /** A key waits until the view that the one before it has opened is laid out: what it does depends on that. */
  #pressWaiting(): void {
    while (this.#done < this.#keys.length && isOnScreen(this.#state, this.#drawn)) {
      this.#press(this.#keys[this.#done++] ?? '');
    }
    if (this.#done < this.#keys.length) return;
    this.#keys.length = 0;
    this.#done = 0;
  }

  #press(key: KeyName): void {
    const now = this.#state.ui.paused ? this.#state.now : this.options.now();
    const { ui, effect, then } = press({ ...this.#state, now }, key);
    // A resumed display shows the newest summary at once.
    const isResumed = this.#state.ui.paused && !ui.paused;
    const shown = isResumed ? { summary: this.#latest, heldBack: 0 } : {};
    this.#update({ ui, now, message: undefined, ...shown });
    if (effect !== undefined) this.options.perform(effect);
    if (then !== undefined) this.#keys[--this.#done] = then;
  }

  /** Asks for what a container writes from now on, where that is read for a view alone. */
  readonly followLog = (container: ContainerRef): void =>
    this.options.perform({ kind: 'followLog', ...container });

  /** Takes note of a layout, which decides what keys do, and which header and footer show. */
  readonly layOut = (body: BodyPlace): void => {
    if (isDeepStrictEqual(this.#state.body, body)) return;
    this.#state = { ...this.#state, body };
    this.#show({ ...this.#published, body });
  };

  /** Takes note of what is on the screen; its body is laid out once React has finished. */
  readonly noteDrawn = (snapshot: Snapshot): void => {
    this.#drawn = snapshot;
    if (this.#keys.length > 0) this.options.clock.go(() => this.#pressWaiting());
  };

  receive(summary: Summary): void {
    this.#latest = summary;
    const { ui, heldBack } = this.#state;
    this.#update(ui.paused ? { heldBack: heldBack + 1 } : { summary }, 'regular');
  }

  say(text: string, tone: Message['tone']): void {
    const until = this.options.now() + MESSAGE_TIME;
    this.#update({ message: { text, tone, until } });
  }

  resize(size: Size): void {
    this.#update({ size });
  }

  end(): void {
    this.#update({ ending: true });
  }

  stop(): void {
    this.#frames.stop();
  }

  #update(change: Partial<Snapshot>, when: 'soon' | 'regular' = 'soon'): void {
    this.#state = { ...this.#state, ...change };
    this.#frames.request(when);
  }

  #publish(): void {
    const { player } = this.options;
    const now = this.options.now();
    const { ui, message } = this.#state;
    this.#state = {
      ...this.#state,
      // The time of a paused display does not advance.
      ...(!ui.paused && { now }),
      message: message !== undefined && message.until <= now ? undefined : message,
      player: player && { speed: player.speed, isPaused: player.isPaused },
    };
    this.#show(this.#state);
  }

  #show(snapshot: Snapshot): void {
    this.#published = snapshot;
    for (const listener of this.#listeners) listener();
  }
}

/** Reports whether the screen has the body that the next key is about. A key that the user types into a line is about none. */
function isOnScreen(state: Snapshot, drawn: Snapshot): boolean {
  const { command, filterBefore } = state.ui;
  const isTyping = command !== undefined || filterBefore !== undefined;
  return isTyping || bodyOf(state) === bodyOf(drawn);
}

/** Names what the body of a view shows. */
function bodyOf(snapshot: Snapshot): string {
  const view = viewName(snapshot);
  const container = view === 'logs' ? chosenContainer(snapshot)?.container.name : '';
  return [view, podInView(snapshot)?.key, container, filterOf(snapshot)].join(' ');
}

/** Milliseconds between two frames: after a key, after an event, and when only time passes. */
const SOON = 100;
const REGULAR = 250;
/** The largest share of the time that may go into frames that no key has requested. */
const MAX_LOAD = 0.02;
const MAX_PAUSE = 1000;

/** Decides when to draw: at most ten times a second, and less often where drawing takes long. */
export class FrameTimer {
  #timer: Timer | undefined;
  #afterDrawing: Timer | undefined;
  #due = Infinity;
  #last = -Infinity;
  #pause = REGULAR;
  #stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly draw: () => void,
  ) {}

  /** Asks for a frame: `soon` where the user waits for it. */
  request(when: 'soon' | 'regular'): void {
    if (this.#stopped) return;
    const now = this.clock.now();
    const due = Math.max(now, this.#last + (when === 'soon' ? SOON : this.#pause));
    if (due >= this.#due) return;
    this.#timer?.cancel();
    this.#due = due;
    this.#timer = this.clock.setTimeout(() => this.#fire(), due - now);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#afterDrawing?.cancel();
  }

  #fire(): void {
    this.#due = Infinity;
    const begin = this.clock.now();
    this.#last = begin;
    this.draw();
    // React continues to draw after this has returned.
    this.#afterDrawing = this.clock.setTimeout(() => this.#rest(this.clock.now() - begin), 0);
  }

  #rest(cost: number): void {
    this.#pause = Math.min(MAX_PAUSE, Math.max(REGULAR, cost / MAX_LOAD));
    // Time passes: ages and countdowns change without any event.
    this.request('regular');
  }
}
