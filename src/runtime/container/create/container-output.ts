import { type Clock, orTimeout } from '../../../clock/clock.js';
import { type OnLine, ProcessOutput } from '../../process-output.js';
import type { EngineCli, EngineStream } from '../engine-cli.js';

/** Milliseconds that the last output of a container may take to arrive once it has ended. */
const DRAIN_LIMIT = 500;

/** What a container writes, from its start to its end. */
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

  /** The container has ended: resolves when what it wrote has come. */
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
