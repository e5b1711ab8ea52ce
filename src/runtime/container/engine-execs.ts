import { type Clock, orTimeout, sleep } from '../../clock/clock.js';
import type { ExecResult } from '../../kubelet/ports.js';
import type { Host } from '../host.js';
import type { EngineCli } from './engine-cli.js';
import { execInContainer } from './engine-exec.js';
import { engineTrouble } from './engine-trouble.js';
import { endExecLeftovers } from './exec-leftovers.js';
import { ExecMarks } from './exec-mark.js';

/** Milliseconds that the end of a command is waited for once it was asked for, and between two looks. */
const END_LIMIT = 3000;
const LOOK_PERIOD = 50;
/** Milliseconds that an engine may take to say that it is there. */
const ANSWER_LIMIT = 2000;

export interface EngineExecsOptions {
  readonly cli: EngineCli;
  readonly clock: Clock;
  readonly host: Host;
}

export interface Exec {
  /** The container. */
  readonly id: string;
  readonly command: readonly string[];
  /** 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended. */
  readonly signal?: AbortSignal;
  /** What the command had started that still ran when its time was up. */
  readonly onLeft: (commands: readonly string[]) => void;
}

/** The commands that kprobe runs in containers: what they start ends with them, also when kprobe ends first. */
export class EngineExecs {
  readonly #marks = new ExecMarks();
  readonly #endings = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor(private readonly options: EngineExecsOptions) {}

  /** Resolves with how the command ended, at the timeout at the latest; what it leaves is ended after that. */
  async run({ id, command, timeoutSeconds, signal, onLeft }: Exec): Promise<ExecResult> {
    const { cli, clock } = this.options;
    const begin = clock.now();
    const mark = this.#marks.next();
    const kill = new AbortController();
    const running = execInContainer({ cli, id, command, mark, signal: kill.signal });
    const over =
      signal === undefined ? this.#over.signal : AbortSignal.any([signal, this.#over.signal]);
    const how = await this.#firstEnd(running, over, timeoutSeconds);
    if (how === 'done') return { ...(await running), elapsed: clock.now() - begin };
    const elapsed = clock.now() - begin;
    this.#track(this.#end(id, mark, running, kill).then(onLeft));
    if (how === 'aborted') {
      return { kind: 'error', message: 'the container has ended, or kprobe has' };
    }
    // An engine that hangs says nothing of the command: it is not the command that took too long.
    const trouble = await engineTrouble(cli, ANSWER_LIMIT);
    if (trouble !== undefined) return { kind: 'error', message: trouble.message };
    return { kind: 'timedOut', elapsed };
  }

  /** Ends what is under way; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#over.abort();
    await sleep(this.options.clock, 0);
    await Promise.all(this.#endings);
  }

  async #firstEnd(
    running: Promise<unknown>,
    over: AbortSignal,
    timeoutSeconds: number,
  ): Promise<'done' | 'timeout' | 'aborted'> {
    const heard = new AbortController();
    const aborted = new Promise<'aborted'>((resolve) => {
      const options = { once: true, signal: heard.signal };
      over.addEventListener('abort', () => resolve('aborted'), options);
      if (over.aborted) resolve('aborted');
    });
    const done =
      timeoutSeconds === 0
        ? running.then(() => 'done' as const)
        : orTimeout(this.options.clock, running, timeoutSeconds * 1000);
    const first = await Promise.race([done, aborted]);
    heard.abort();
    return first;
  }

  /** Looks until the CLI has seen the command end: the engine may only just have started it. */
  async #end(
    id: string,
    mark: string,
    running: Promise<unknown>,
    kill: AbortController,
  ): Promise<readonly string[]> {
    const { cli, clock, host } = this.options;
    const due = clock.now() + END_LIMIT;
    const left: string[] = [];
    do {
      left.push(...(await endExecLeftovers({ cli, host, id, mark })));
    } while ((await orTimeout(clock, running, LOOK_PERIOD)) === 'timeout' && clock.now() < due);
    kill.abort();
    // The first is the command itself.
    return left.slice(1);
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending.then(() => this.#endings.delete(ending));
  }
}

/** What a command left behind that ran out of time. */
export function leftText(name: string, commands: readonly string[]): string {
  const what = commands.join(', ');
  return `a command that ran out of time left this in ${name}, which the kubelet would have left there: ${what}`;
}
