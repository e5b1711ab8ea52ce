import { type Clock, orTimeout } from '../../../clock/clock.js';
import { type OnLine, ProcessOutput } from '../../process-output.js';
import type { EngineCli, EngineStream } from '../engine-cli.js';

/** Milliseconds to wait for a container's last output once it has ended. */
const DRAIN_LIMIT = 500;

/** The output of a container from its start to its end. */
export class ContainerOutput {
  readonly #clock: Clock;
  readonly #stream: EngineStream;
  readonly #output: ProcessOutput;

  constructor(clock: Clock, cli: EngineCli, id: string, onLine: OnLine) {
    this.#clock = clock;
    this.#stream = cli.stream(['logs', '--follow', id]);
    this.#output = new ProcessOutput(clock, this.#stream, onLine);
  }

  /** The last lines. */
  tail(): string {
    return this.#output.tail();
  }

  /** Resolves when all output of a container that has ended has arrived. */
  async drain(): Promise<void> {
    this.#output.drain();
    await orTimeout(this.#clock, this.#stream.ended, DRAIN_LIMIT);
    this.stop();
  }

  stop(): void {
    this.#stream.stop();
    this.#output.end();
  }
}
