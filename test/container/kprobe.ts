import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '../../bin/kprobe.js');
/** Milliseconds that a condition is waited for. */
const LIMIT = 120_000;

/** Runs kprobe as a process, in lines; `by` is a command that runs it, and `bin` another copy of Node and kprobe. */
export function startKprobe(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  by: readonly string[] = [],
  bin: readonly string[] = [process.execPath, BIN],
): Kprobe {
  const [file = '', ...rest] = [...by, ...bin, ...args];
  const child = spawn(file, rest, {
    env,
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Kprobe(child);
}

/** A run of kprobe, and what it has printed. */
export class Kprobe {
  readonly exitCode: Promise<number>;
  output = '';
  #onOutput: () => void = () => undefined;
  #isOver = false;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        this.#onOutput();
      });
    }
    this.exitCode = new Promise((resolveCode) => {
      child.once('close', (code) => {
        this.#isOver = true;
        this.#onOutput();
        resolveCode(code ?? -1);
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /**
   * Waits until this has been printed. Lines of the two streams of a container come in any order:
   * wait for each text, also for one that the container wrote before another.
   */
  until(text: RegExp | string, limit = LIMIT): Promise<void> {
    const isPrinted = (): boolean =>
      typeof text === 'string' ? this.output.includes(text) : text.test(this.output);
    return new Promise((done, fail) => {
      const give = (why: string): void =>
        fail(new Error(`${why}: ${String(text)}\n${this.output}`));
      const timer = setTimeout(() => give('not printed in time'), limit);
      const look = (): void => {
        if (!isPrinted() && !this.#isOver) return;
        clearTimeout(timer);
        this.#onOutput = () => undefined;
        if (isPrinted()) done();
        else give('kprobe ended before it printed');
      };
      this.#onOutput = look;
      look();
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it as Ctrl-C does, and waits. */
  async end(): Promise<number> {
    if (!this.#isOver) this.child.kill('SIGINT');
    return this.exitCode;
  }
}
