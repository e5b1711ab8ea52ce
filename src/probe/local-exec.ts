import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { type Clock, withTimeout } from '../clock/clock.js';
import { errnoReason, errnoText } from '../go/io-error.js';
import { type ExecResult, type FailureReason, HELD_UP } from '../kubelet/ports.js';
import { isRunnable, lookPath } from '../process/look-path.js';
import {
  endLeftovers,
  exitCodeOf,
  FirstBytes,
  type Signaller,
  type Started,
} from '../process/processes.js';
import { Deadline } from './attempt.js';

/** Milliseconds to wait for killed processes to end. */
const REAP_LIMIT = 2000;
/** The environment variable that marks all processes of a command, also those that leave its group. */
const MARK = 'KPROBE_MARK_EXEC';

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface LocalExecOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** 0 means no timeout. */
  readonly timeoutSeconds: number;
  /** Ends the command at once, as when its container ends. */
  readonly signal?: AbortSignal;
}

/** Runs commands on this machine as a container runtime runs them in a container: without a shell, in their own process group. */
export class LocalExec {
  readonly #running = new Set<Started>();
  readonly #leaving = new Set<Promise<unknown>>();

  constructor(
    private readonly clock: Clock,
    private readonly signaller: Signaller,
  ) {}

  /**
   * Runs a command until it and everything that has its output open have ended, or until the timeout. Processes that it
   * leaves behind are killed at once; the result does not wait for their end.
   */
  async run(command: readonly string[], options: LocalExecOptions): Promise<ExecResult> {
    const begin = this.clock.now();
    const { timeoutSeconds } = options;
    const limit = timeoutSeconds === 0 ? Infinity : timeoutSeconds * 1000;
    // The time limit includes the start.
    const deadline = new Deadline(this.clock, limit);
    const end = await this.#start(command, options, deadline);
    deadline.end();
    return { ...end, elapsed: this.clock.now() - begin };
  }

  /** Kills running commands; resolves when no process of any command is left, or after 2 s where one cannot be killed. */
  async close(): Promise<void> {
    for (const started of this.#running) this.#endLeftovers(started);
    while (this.#leaving.size > 0) await Promise.all(this.#leaving);
  }

  async #start(
    [name = '', ...args]: readonly string[],
    { env, cwd, signal }: LocalExecOptions,
    deadline: Deadline,
  ): Promise<ExecResult> {
    const id = this.#newID();
    const path = lookPath(name, env['PATH'], cwd);
    if (!path.ok) return startError(id, path.error, path.reason);
    const { file, shown } = path.value;
    if (!isRunnable(file)) return startError(id, `fork/exec ${shown}: exec format error`);
    const child = spawnQuietly(file, args, { argv0: name, env: { ...env, [MARK]: id }, cwd });
    if (!(child instanceof Error) && child.pid !== undefined) {
      const started = { pid: child.pid, mark: `${MARK}=${id}`, isRecent: true };
      return this.#await(child, started, deadline, signal);
    }
    const [error] = child instanceof Error ? [child] : ((await once(child, 'error')) as [Error]);
    return startError(id, `fork/exec ${shown}: ${errnoText(error)}`, errnoReason(error));
  }

  async #await(
    child: Child,
    started: Started,
    deadline: Deadline,
    signal: AbortSignal | undefined,
  ): Promise<ExecResult> {
    this.#running.add(started);
    const onAbort = (): void => this.#endLeftovers(started);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    const stdout = new FirstBytes(child.stdout);
    const stderr = new FirstBytes(child.stderr);
    const exited = new Promise<number>((resolve) => {
      child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
    });
    const timedOut = new Promise<undefined>((resolve) => deadline.onEnd(() => resolve(undefined)));
    const closed = once(child, 'close').then(() => exited);
    const exitCode = await Promise.race([closed, timedOut]);
    signal?.removeEventListener('abort', onAbort);
    // Reading a flood to its end would delay the next steps.
    child.stdout.destroy();
    child.stderr.destroy();
    this.#running.delete(started);
    this.#endLeftovers(started, exited);
    if (exitCode === undefined) return { kind: 'timedOut' };
    if (deadline.wasLate) return { kind: 'error', message: HELD_UP };
    return { kind: 'exited', exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() };
  }

  /** Kills a command's group at once, and then all other processes that it has started. */
  #endLeftovers(started: Started, exited?: Promise<unknown>): void {
    const ended = Promise.all([endLeftovers(this.clock, this.signaller, started), exited]);
    const leaving = withTimeout(this.clock, ended, REAP_LIMIT).finally(() =>
      this.#leaving.delete(leaving),
    );
    this.#leaving.add(leaving);
  }

  /** Returns a random id of containerd's form. */
  #newID(): string {
    const digit = (): string => Math.floor(this.clock.random() * 16).toString(16);
    return Array.from({ length: 64 }, digit).join('');
  }
}

/** Returns containerd's error for a command that could not be started. */
function startError(id: string, cause: string, reason?: FailureReason): ExecResult {
  const message = `failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${cause}: unknown`;
  return { kind: 'error', message: `rpc error: code = Unknown desc = ${message}`, reason };
}

function spawnQuietly(
  path: string,
  args: readonly string[],
  options: { readonly argv0: string; readonly env: Record<string, string>; readonly cwd: string },
): Child | Error {
  try {
    return spawn(path, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    // An argument that no process can have, such as one with a NUL in it.
    return Object.assign(new Error('invalid argument', { cause: error }), { code: 'EINVAL' });
  }
}
