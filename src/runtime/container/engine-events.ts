import type { Engine, EngineEvent, EventFilter } from './engine.js';

/** An engine's event stream; polling shows the same, later. */
export class EngineEvents {
  readonly #engine: Engine;
  readonly #filter: EventFilter;
  readonly #onEvent: (event: EngineEvent) => void;
  #stream: ReturnType<Engine['events']> | undefined;
  #stopped = false;

  constructor(engine: Engine, filter: EventFilter, onEvent: (event: EngineEvent) => void) {
    this.#engine = engine;
    this.#filter = filter;
    this.#onEvent = onEvent;
  }

  /** Starts listening if needed. */
  ensure(): void {
    if (this.#stream !== undefined || this.#stopped) return;
    const stream = this.#engine.events(this.#filter, this.#onEvent);
    this.#stream = stream;
    void stream.ended.then(() => {
      this.#stream = undefined;
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stream?.stop();
  }
}
