import type { Container } from '../../api/index.js';
import type { Io } from '../../cli/shared/io.js';
import type { Clock } from '../../clock/clock.js';
import { LocalExec } from '../../probe/local-exec.js';
import { markVariable, newMark, Watchdog } from '../../process/watchdog.js';
import { definedEnv } from '../../runtime/host.js';

/** Runs the commands of probes on this machine; what they leave behind is ended with kprobe. */
export function createCommandRunner(clock: Clock, { host, signal }: Pick<Io, 'host' | 'signal'>) {
  const mark = newMark('KPROBE_MARK_CONTAINER');
  const local = new LocalExec(clock, host);
  const watchdog = new Watchdog(clock, mark);
  return {
    /** The container's literal variables override those of kprobe. */
    run({ name, env = [] }: Container, command: readonly string[], timeoutSeconds: number) {
      const literal = env.flatMap((each) =>
        each.value === undefined ? [] : [[each.name, each.value] as const],
      );
      const variables = { ...Object.fromEntries(literal), ...markVariable(mark + name) };
      watchdog.start();
      const options = { env: { ...definedEnv(host), ...variables }, cwd: host.cwd };
      return local.run(command, { ...options, timeoutSeconds, signal });
    },
    /** Resolves when no command has left anything. */
    async close(): Promise<void> {
      await local.close();
      await watchdog.close();
    },
  };
}
