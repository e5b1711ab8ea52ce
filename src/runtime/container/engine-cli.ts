import { existsSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';

import { execa } from 'execa';

import { type Clock, untilAborted, withTimeout } from '../../clock/clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { FirstBytes } from '../../process/processes.js';
import { definedEnv, type Host } from '../host.js';
import { ENGINE_KINDS, type EngineKind, type EngineName } from './engine-kind.js';

/** Bytes that are kept of a listing. */
export const MAX_LISTING = 4 * 1024 * 1024;
/** Milliseconds after which an engine that does not answer counts as unreachable. */
export const CALL_LIMIT = 30_000;

interface CallOptions {
  /** Milliseconds that the command may take; 0 is no limit. */
  readonly limit?: number;
  /** Written to the command's standard input. */
  readonly input?: Uint8Array | Readable;
  /** Bytes kept of each stream; the rest is discarded. */
  readonly maxOutput?: number;
  readonly signal?: AbortSignal;
}

interface RunOptions extends CallOptions {
  /** Called with each warning of a command that succeeded. */
  readonly onWarning?: (line: string) => void;
}

/** A stream of the CLI that goes on until it is stopped, such as `events` or `logs --follow`. */
export interface EngineStream {
  readonly stdout: Readable;
  readonly stderr: Readable;
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
    this.kind = ENGINE_KINDS[engine];
  }

  /** Runs a command to its end. Never rejects. */
  async call(args: readonly string[], options: CallOptions = {}): Promise<CallEnd> {
    // No process can have such an argument, but an engine's answer may contain one.
    if (args.some((arg) => arg.includes('\0'))) return { kind: 'notStarted', code: 'EINVAL' };
    const { limit = CALL_LIMIT, input, maxOutput, signal } = options;
    const child = this.#spawn(args, input);
    const stdout = new FirstBytes(child.stdout, maxOutput);
    const stderr = new FirstBytes(child.stderr, maxOutput);
    // Processes that a killed CLI has started may keep its streams open.
    const ended = signal === undefined ? child : untilAborted(signal, child, undefined);
    const waited = limit === 0 ? await ended : await withTimeout(this.clock, ended, limit);
    if (waited === 'timeout' || signal?.aborted === true) {
      child.kill();
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
  async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const end = await this.call(args, { maxOutput: MAX_LISTING, ...options });
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.kind, end);
    const warnings = new TextDecoder().decode(end.stderr.subarray(0, MAX_WARNINGS));
    for (const [, line = ''] of warnings.matchAll(WARNING)) options.onWarning?.(line);
    return new TextDecoder().decode(end.stdout).trim();
  }

  /** Runs a command on containers that may be gone or stopped already. */
  async runIfPresent(args: readonly string[], options?: CallOptions): Promise<void> {
    try {
      await this.run(args, options);
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
      stop: () => void child.kill(),
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
      // A working directory that is gone must not keep kprobe from removing its containers.
      cwd: existsSync(this.host.cwd) ? this.host.cwd : '/',
      // A CLI that hangs may ignore SIGTERM; kprobe's own end kills it too.
      killSignal: 'SIGKILL',
      stdin: input === undefined ? 'ignore' : 'pipe',
    });
    child.stdin?.on('error', () => undefined);
    if (input instanceof Readable) input.pipe(child.stdin ?? new PassThrough());
    else if (input !== undefined) child.stdin?.end(input);
    return child;
  }
}

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

const UNREACHABLE =
  /cannot connect to the docker daemon|error during connect|connection refused|connect: no such file|is the docker daemon running|unable to connect to podman/i;
const DENIED = /permission denied while trying to connect|dial unix .*: permission denied/i;
const NOT_FOUND =
  /no such (?:container|object|image|volume)|no container with (?:name|id)|image not known|not found/i;

const WARNINGS = /^WARNING: .*\n/gm;
/** A line of a warning; those with a time are podman's log about itself. */
const WARNING = /^(?!time=)(?:WARNING: )?(\S.*)$/gm;
/** Bytes of standard error that are read for warnings. */
const MAX_WARNINGS = 2048;

/** Returns true when a call failed because the engine itself is unreachable. */
export function isUnreachable(kind: EngineKind, end: CallEnd): boolean {
  switch (end.kind) {
    case 'timedOut':
    case 'notStarted':
      return true;
    case 'exited': {
      if (end.exitCode === 0) return false;
      const message = textOf(kind, end.stderr);
      return UNREACHABLE.test(message) || DENIED.test(message);
    }
  }
}

/** Returns the error of a failed call, for people and for the kubelet's events. */
export function engineError(kind: EngineKind, end: CallEnd): RuntimeError {
  switch (end.kind) {
    case 'timedOut':
      return new RuntimeError(`${kind.name} did not answer in time`);
    case 'notStarted':
      return new RuntimeError(notStarted(kind, end.code));
    case 'exited': {
      const message =
        textOf(kind, end.stderr) || `${kind.name} ended with exit code ${end.exitCode}`;
      // A web server answers with a page.
      if (message.startsWith('<')) {
        return new RuntimeError(`${kind.name} is set to a server that is not a container engine`);
      }
      if (DENIED.test(message)) {
        return new RuntimeError(`this user may not use ${kind.name}: ${message}`);
      }
      return new RuntimeError(
        message,
        NOT_FOUND.test(message) && !UNREACHABLE.test(message) ? 'notFound' : 'failed',
      );
    }
  }
}

/** Returns the error of a call to an engine's socket, by its code in Node or undici. */
export function socketError({ name }: EngineKind, endpoint: string, code: string): RuntimeError {
  if (code.endsWith('_TIMEOUT')) {
    return new RuntimeError(`${name} at ${endpoint} did not answer in time`);
  }
  if (code === 'EACCES') {
    const reason = `permission denied while trying to connect to its socket at ${endpoint}`;
    return new RuntimeError(`this user may not use ${name}: ${reason}`);
  }
  if (code.startsWith('HPE_')) {
    return new RuntimeError(`${endpoint} is not the socket of a container engine`);
  }
  return new RuntimeError(
    name === 'docker'
      ? `Cannot connect to the Docker daemon at ${endpoint}. Is the docker daemon running?`
      : `cannot connect to podman at ${endpoint}: is its service running?`,
  );
}

function notStarted({ name }: EngineKind, code: string): string {
  switch (code) {
    case 'ENOENT':
      return `${name} is not installed, or not on the PATH: install it, or choose another engine with --runtime`;
    case 'EACCES':
      return `${name} may not be run by this user`;
    default:
      return `${name} could not start: ${code}`;
  }
}

/** Returns the engine's message without the CLI's decoration. */
function textOf(kind: EngineKind, stderr: Uint8Array): string {
  const text = new TextDecoder().decode(stderr).replace(WARNINGS, '').trim();
  const [first = ''] = text.split(/\n\n|\nSee '|\nRun '|\nError: failed to start containers: /);
  return first.replace(kind.errorPrefix, '').trim();
}
