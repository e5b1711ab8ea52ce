import { orTimeout } from '../../clock/clock.js';
import { type OnLine, ProcessOutput } from '../process-output.js';
import type { Engine, LogsFrom } from './engine.js';
import type { Inspected } from './inspect.js';

/** Milliseconds to wait for a container's last output once it has ended. */
const DRAIN_LIMIT = 500;

export interface ContainerOutput {
  /** The last lines. */
  tail(): string;
  /** Resolves when all output of a container that has ended has arrived. */
  drain(): Promise<void>;
  stop(): void;
}

export function followOutput(
  engine: Engine,
  container: Pick<Inspected, 'id' | 'tty'>,
  from: LogsFrom,
  onLine: OnLine,
): ContainerOutput {
  const { clock } = engine.cli;
  const stream = engine.logs(container, from);
  const output = new ProcessOutput(clock, stream, onLine);
  const stop = (): void => {
    stream.stop();
    output.end();
  };
  const drain = async (): Promise<void> => {
    output.drain();
    await orTimeout(clock, stream.ended, DRAIN_LIMIT);
    stop();
  };
  return { tail: () => output.tail(), drain, stop };
}
