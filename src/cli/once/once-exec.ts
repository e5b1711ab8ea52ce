import type { Container } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import type { ExecResult } from '../../kubelet/ports.js';
import { LocalExec } from '../../probe/local-exec.js';
import { definedEnv } from '../../runtime/host.js';
import { Mark, Watchdog } from '../../runtime/watchdog.js';
import type { Io } from '../shared/io.js';

/** Runs the commands of probes on this machine. What they leave behind ends with kprobe at the latest, however that ends. */
export class OnceExec {
  readonly #io: Pick<Io, 'host' | 'signal'>;
  readonly #local: LocalExec;
  readonly #watchdog: Watchdog;
  readonly #mark = new Mark('KPROBE_MARK_CONTAINER');

  constructor(clock: Clock, io: Pick<Io, 'host' | 'signal'>) {
    this.#io = io;
    this.#local = new LocalExec(clock, io.host);
    this.#watchdog = new Watchdog(clock, this.#mark.prefix);
  }

  /** A command has its container's literal variables, over kprobe's own. */
  run(
    { name, env = [] }: Container,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    const { host, signal } = this.#io;
    const literal = env.flatMap((each) =>
      each.value === undefined ? [] : [[each.name, each.value] as const],
    );
    const mark = this.#mark.variableOf(name);
    this.#watchdog.start();
    return this.#local.run(command, {
      env: { ...definedEnv(host), ...Object.fromEntries(literal), ...mark },
      cwd: host.cwd,
      timeoutSeconds,
      signal,
    });
  }

  /** Resolves when nothing is left of any command. */
  async close(): Promise<void> {
    await this.#local.close();
    await this.#watchdog.close();
  }
}
