import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ensureImage } from './engine.js';

const SCRIPT = resolve(import.meta.dirname, '../../.ci/engine');

interface OwnEngineOptions {
  /** Of its disk, as `mount` takes it. */
  readonly size?: string;
  /** A command that runs it. */
  readonly by?: readonly string[];
  readonly program?: 'docker' | 'podman' | 'rootless';
}

/** An engine of one test's own, to be killed, or to run out of disk. */
export class OwnEngine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kprobe-engine-'));
  readonly #data = join(this.#folder, 'data');
  /** With what the CLI, and kprobe, find it. */
  readonly env: NodeJS.ProcessEnv;

  readonly #options: OwnEngineOptions;

  constructor(options: OwnEngineOptions = {}) {
    const { size, program = 'docker' } = options;
    this.#options = options;
    mkdirSync(this.#data);
    if (size !== undefined) run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.#data);
    const variables = this.start().trim().split('\n');
    const entries = variables.map((line) => line.split('=') as [string, string]);
    this.env = { ...process.env, ...Object.fromEntries(entries) };
    ensureImage({ env: this.env, program: program === 'docker' ? 'docker' : 'podman' });
  }

  /** Starts it, also again. Returns the variables that it printed. */
  start(): string {
    const { by = [], program = 'docker' } = this.#options;
    const [file, ...args] = [...by, SCRIPT, 'start', this.#folder, program];
    return run(file, ...args);
  }

  /** As an administrator stops it. */
  stop(): void {
    run(SCRIPT, 'stop', this.#folder);
  }

  /** Sends the daemon a signal; its containers live on. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(Number(readFileSync(join(this.#folder, 'pid'), 'utf8')), name);
  }

  /** Ends it, and takes away its files. */
  remove(): void {
    run(SCRIPT, 'remove', this.#folder);
  }
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
