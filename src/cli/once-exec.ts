import type { Container } from '../api/types/container.js';
import type { Clock } from '../clock/clock.js';
import type { ExecResult } from '../kubelet/ports.js';
import { LocalExec } from '../probe/exec/local-exec.js';
import type { Io } from './io.js';

export interface OnceExec {
  readonly clock: Clock;
  readonly container: Container;
  readonly command: readonly string[];
  readonly timeoutSeconds: number;
  readonly io: Pick<Io, 'host' | 'signal'>;
}

/** Runs a probe's command on this machine, with the container's literal variables over kprobe's own. */
export function execInContext(options: OnceExec): Promise<ExecResult> {
  const { clock, container, command, timeoutSeconds, io } = options;
  const own = Object.entries(io.host.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const literal = (container.env ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return new LocalExec(clock, io.host).run(command, timeoutSeconds, {
    env: Object.fromEntries([...own, ...literal]),
    cwd: io.host.cwd,
    signal: io.signal,
  });
}
