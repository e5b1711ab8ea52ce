import { PassThrough, Readable } from 'node:stream';

import { execa } from 'execa';

import { type Clock, orTimeout } from '../../clock/clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { definedEnv, type Host } from '../host.js';
import { type CallEnd, engineError } from './engine-error.js';
import { type EngineKind, engineKind, type EngineName } from './engine-kind.js';

/** Bytes kept of each stream of a command's output, by default. */
const MAX_OUTPUT = 16 * 1024;
/** Bytes of a listing. */
const MAX_LISTING = 4 * 1024 * 1024;
/** Milliseconds after which an engine that does not answer counts as unreachable. */
export const CALL_LIMIT = 30_000;

export interface CallOptions {
  /** Milliseconds; 0 is no limit. */
  readonly limit?: number;
  /** Written to the command's standard input. */
  readonly input?: Uint8Array | Readable;
  /** Bytes kept of each stream; the rest is discarded. */
  readonly maxOutput?: number;
  /** Ends the call at once. */
  readonly signal?: AbortSignal;
}

/** A stream of the CLI that goes on until it is stopped, such as `events` or `logs --follow`. */
export interface EngineStream {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** The command line of a container engine. Arguments go as they are: no shell sees them. */
export class EngineCli {
  readonly kind: EngineKind;

  constructor(
    engine: EngineName,
    readonly clock: Clock,
    readonly host: Host,
  ) {
    this.kind = engineKind(engine);
  }

  /** Runs a command to its end. Never rejects. */
  async call(args: readonly string[], options: CallOptions = {}): Promise<CallEnd> {
    const { limit = CALL_LIMIT, input, maxOutput = MAX_OUTPUT, signal } = options;
    const child = this.#spawn(args, input);
    const stdout = new FirstBytes(maxOutput);
    const stderr = new FirstBytes(maxOutput);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const kill = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    if (signal?.aborted === true) kill();
    const how =
      limit === 0
        ? await child.then(() => 'done' as const)
        : await orTimeout(this.clock, child, limit);
    signal?.removeEventListener('abort', kill);
    if (how === 'timeout') {
      kill();
      return { kind: 'timedOut' };
    }
    const { exitCode, code } = await child;
    if (exitCode === undefined && code !== undefined) return { kind: 'notStarted', code };
    return {
      kind: 'exited',
      exitCode: exitCode ?? 137,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
    };
  }

  /** Runs a command that succeeds, or throws a RuntimeError. Resolves with what it printed. */
  async run(args: readonly string[], options: CallOptions = {}): Promise<string> {
    const end = await this.call(args, { maxOutput: MAX_LISTING, ...options });
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.kind, end);
    return new TextDecoder().decode(end.stdout).trim();
  }

  /** Runs a command on containers that may be gone or stopped already. */
  async runIfPresent(args: readonly string[]): Promise<void> {
    try {
      await this.run(args);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      if (error.code !== 'notFound' && !/is not running|already in progress/.test(error.message)) {
        throw error;
      }
    }
  }

  /** Starts a command that keeps running; the caller reads its output. */
  stream(args: readonly string[]): EngineStream {
    const child = this.#spawn(args, undefined);
    return {
      stdout: child.stdout,
      stderr: child.stderr,
      ended: child.then(() => undefined),
      stop: () => void child.kill('SIGKILL'),
    };
  }

  // execa's own buffering is off: `FirstBytes` limits what is kept.
  #spawn(args: readonly string[], input: Uint8Array | Readable | undefined) {
    const child = execa(this.kind.name, args, {
      reject: false,
      buffer: false,
      stripFinalNewline: false,
      env: definedEnv(this.host),
      extendEnv: false,
      cwd: this.host.cwd,
      stdin: input === undefined ? 'ignore' : 'pipe',
    });
    child.stdin?.on('error', () => undefined);
    if (input instanceof Readable) input.pipe(child.stdin ?? new PassThrough());
    else if (input !== undefined) child.stdin?.end(input);
    return child;
  }
}

/** The first bytes of a stream. */
export class FirstBytes {
  readonly #chunks: Buffer[] = [];
  #room: number;

  constructor(max = MAX_OUTPUT) {
    this.#room = max;
  }

  push(chunk: Buffer): void {
    if (this.#room > 0) this.#chunks.push(chunk.subarray(0, this.#room));
    this.#room -= chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
