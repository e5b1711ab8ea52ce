import type { TraceLine } from '../trace/trace-line.js';
import { type Obstacle, Obstacles } from './obstacle.js';

/** What one run of a pod came to. Times are in seconds. */
export interface RunFigures {
  /** When the pod was ready for the first time; null when it never was. */
  readonly readyAfter: number | null;
  /** Restarts of all containers. */
  readonly restarts: number;
  /** How long it was not ready, after it had been for the first time; null when it never was. */
  readonly unready: number | null;
  /** Whether a restart was put off by a back-off. */
  readonly crashLooped: boolean;
  /** Whether it was ready, or had succeeded, in the end. */
  readonly good: boolean;
  /** What kept it from that. */
  readonly obstacles: readonly Obstacle[];
}

/** Takes the lines of one run. */
export class FiguresOfRun {
  #ready = false;
  #firstReady: number | undefined;
  #unready = 0;
  #lost = 0;
  #restarts = 0;
  #crashLooped = false;
  #phase = '';
  readonly #obstacles = new Obstacles();

  line(line: TraceLine): void {
    switch (line.kind) {
      case 'status':
        this.#phase = line.phase;
        this.#obstacles.status(line);
        this.#turn(line.conditions['Ready'] === 'True', line.t);
        break;
      case 'event':
        this.#obstacles.event(line);
        break;
      case 'pod':
        this.#obstacles.pod(line.object);
        break;
      case 'started':
        if (line.run > 0) this.#restarts++;
        break;
      case 'backOff':
        this.#crashLooped = true;
        break;
      default:
    }
  }

  end(seconds: number): RunFigures {
    const ready = this.#ready;
    if (!ready && this.#firstReady !== undefined) this.#turn(true, seconds);
    const good = ready || this.#phase === 'Succeeded';
    return {
      readyAfter: this.#firstReady ?? null,
      restarts: this.#restarts,
      unready: this.#firstReady === undefined ? null : this.#unready,
      crashLooped: this.#crashLooped,
      good,
      obstacles: good ? [] : this.#obstacles.found(),
    };
  }

  #turn(ready: boolean, t: number): void {
    if (ready === this.#ready) return;
    this.#ready = ready;
    if (!ready) this.#lost = t;
    else if (this.#firstReady === undefined) this.#firstReady = t;
    else this.#unready += t - this.#lost;
  }
}
