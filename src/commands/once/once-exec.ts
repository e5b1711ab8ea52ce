import type { Container } from '../../api/index.js';
import type { Io } from '../../cli/shared/io.js';
import type { Clock } from '../../clock/clock.js';
import { LocalExec } from '../../probe/local-exec.js';
import { definedEnv } from '../../runtime/host.js';
import { markVariable, newMark, Watchdog } from '../../runtime/watchdog.js';

/** Runs the commands of probes on this machine. What they leave behind ends with kprobe at the latest, however that ends. */
export function createCommands(clock: Clock, { host, signal }: Pick<Io, 'host' | 'signal'>) {
  const mark = newMark('KPROBE_MARK_CONTAINER');
  const local = new LocalExec(clock, host);
  const watchdog = new Watchdog(clock, mark);
  return {
    /** A command has its container's literal variables, over kprobe's own. */
    run({ name, env = [] }: Container, command: readonly string[], timeoutSeconds: number) {
      const literal = env.flatMap((each) =>
        each.value === undefined ? [] : [[each.name, each.value] as const],
      );
      const own = { ...Object.fromEntries(literal), ...markVariable(mark + name) };
      watchdog.start();
      const options = { env: { ...definedEnv(host), ...own }, cwd: host.cwd };
      return local.run(command, { ...options, timeoutSeconds, signal });
    },
    /** Resolves when nothing is left of any command. */
    async close(): Promise<void> {
      await local.close();
      await watchdog.close();
    },
  };
}
