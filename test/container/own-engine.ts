import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ensureImage } from './engine.js';

const SCRIPT = resolve(import.meta.dirname, '../../.ci/engine');

/** An engine of one test's own, to be killed, or to run out of disk. */
export class OwnEngine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kprobe-engine-'));
  readonly #data = join(this.#folder, 'data');
  /** With what the CLI, and kprobe, find it. */
  readonly env: NodeJS.ProcessEnv;

  readonly #by: readonly string[];

  /** `size` is of its disk, as `mount` takes it; `by` is a command that runs it. */
  constructor({ size, by }: { readonly size?: string; readonly by?: readonly string[] } = {}) {
    this.#by = by ?? [];
    mkdirSync(this.#data);
    if (size !== undefined) run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.#data);
    const printed = this.start();
    const [name = '', address = ''] = printed.trim().split('=');
    this.env = { ...process.env, [name]: address };
    ensureImage(this.env);
  }

  /** Starts it, also again. Returns the variable that it printed. */
  start(): string {
    const [file, ...args] = [...this.#by, SCRIPT, 'start', this.#folder];
    return run(file, ...args);
  }

  /** As an administrator stops it. */
  stop(): void {
    run(SCRIPT, 'stop', this.#folder);
  }

  /** Kills the daemon; its containers live on until it comes back. */
  kill(): void {
    process.kill(Number(readFileSync(join(this.#folder, 'pid'), 'utf8')), 'SIGKILL');
  }

  /** Ends it, and takes away its files. */
  remove(): void {
    run(SCRIPT, 'remove', this.#folder);
  }
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
