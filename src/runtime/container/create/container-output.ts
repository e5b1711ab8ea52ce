import { orTimeout } from '../../../clock/clock.js';
import { type OnLine, ProcessOutput } from '../../process-output.js';
import type { EngineCli } from '../engine-cli.js';

/** Milliseconds to wait for a container's last output once it has ended. */
const DRAIN_LIMIT = 500;

export interface ContainerOutput {
  /** The last lines. */
  tail(): string;
  /** Resolves when all output of a container that has ended has arrived. */
  drain(): Promise<void>;
  stop(): void;
}

/** Reads the output of a container from its start to its end. */
export function followOutput(cli: EngineCli, id: string, onLine: OnLine): ContainerOutput {
  const stream = cli.stream(['logs', '--follow', id]);
  const output = new ProcessOutput(cli.clock, stream, onLine);
  const stop = (): void => {
    stream.stop();
    output.end();
  };
  const drain = async (): Promise<void> => {
    output.drain();
    await orTimeout(cli.clock, stream.ended, DRAIN_LIMIT);
    stop();
  };
  return { tail: () => output.tail(), drain, stop };
}
