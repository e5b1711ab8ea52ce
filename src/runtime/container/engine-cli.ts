import type { Readable, Writable } from 'node:stream';

import { execa } from 'execa';

import { type Clock, orTimeout } from '../../clock/clock.js';
import { definedEnv, type Host } from '../host.js';
import type { EngineKind } from './engine-kind.js';

/** Bytes kept of each stream of a command's output, by default. */
const MAX_OUTPUT = 16 * 1024;
/** Milliseconds after which an engine that does not answer counts as unreachable. */
const CALL_LIMIT = 30_000;

export interface EngineCliOptions {
  readonly kind: EngineKind;
  readonly clock: Clock;
  readonly host: Host;
}

export interface CallOptions {
  /** Milliseconds; 0 is no limit. */
  readonly limit?: number;
  /** Written to the command's standard input. */
  readonly input?: Uint8Array;
  /** Bytes kept of each stream; the rest is discarded. */
  readonly maxOutput?: number;
  /** Ends the call at once. */
  readonly signal?: AbortSignal;
}

/** The result of a CLI call. */
export type CallEnd =
  | {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
    }
  | { readonly kind: 'timedOut' }
  /** The CLI itself could not be started. */
  | { readonly kind: 'notStarted'; readonly code: string };

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
  readonly #options: EngineCliOptions;
  readonly kind: EngineKind;

  constructor(options: EngineCliOptions) {
    this.#options = options;
    this.kind = options.kind;
  }

  /** Runs a command to its end. Never rejects. */
  async call(args: readonly string[], options: CallOptions = {}): Promise<CallEnd> {
    const { limit = CALL_LIMIT, input, maxOutput = MAX_OUTPUT, signal } = options;
    const child = this.#spawn(args, input);
    const [stdout, stderr] = [new Captured(maxOutput), new Captured(maxOutput)];
    child.stdout.on('data', (chunk: Uint8Array) => stdout.add(chunk));
    child.stderr.on('data', (chunk: Uint8Array) => stderr.add(chunk));
    const kill = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    if (signal?.aborted === true) kill();
    const how =
      limit === 0
        ? await child.then(() => 'done' as const)
        : await orTimeout(this.#options.clock, child, limit);
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
      stdout: stdout.bytes,
      stderr: stderr.bytes,
    };
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

  /** Starts a command that talks over its standard input and output. */
  pipe(args: readonly string[]): ReturnType<EngineCli['stream']> & { readonly stdin: Writable } {
    const child = execa(this.kind.binary, args, { ...this.#spawnOptions(), stdin: 'pipe' });
    return {
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      ended: child.then(() => undefined),
      stop: () => void child.kill('SIGKILL'),
    };
  }

  // execa's own buffering is off: Captured limits what is kept.
  #spawnOptions() {
    return {
      reject: false,
      buffer: false,
      stripFinalNewline: false,
      env: definedEnv(this.#options.host),
      extendEnv: false,
      cwd: this.#options.host.cwd,
    } as const;
  }

  #spawn(args: readonly string[], input: Uint8Array | undefined) {
    const child = execa(this.kind.binary, args, {
      ...this.#spawnOptions(),
      stdin: input === undefined ? 'ignore' : 'pipe',
    });
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
    return child;
  }
}

/** The first bytes of a stream. */
class Captured {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  add(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#max - this.#length);
    if (kept.length === 0) return;
    this.#chunks.push(kept);
    this.#length += kept.length;
  }
}
