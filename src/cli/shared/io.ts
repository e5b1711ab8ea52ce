import { type Readable, Writable } from 'node:stream';

import { untilAborted } from '../../clock/clock.js';
import { RuntimeError } from '../../kubelet/ports.js';
import type { Host } from '../../runtime/host.js';
import { maskText } from '../../secrets/credential-text.js';
import { formatSeconds } from '../../text/duration.js';
import { escapeControl, printableJson } from '../../text/escape.js';
import { EXIT } from './exit-code.js';
import type { FlagsAmong } from './options.js';

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Standard output as it is, for workflow commands and patches; `stdout` escapes what looks like a command. */
  readonly verbatim?: Writable;
  /** Stream of notes, which are neither result nor error: standard error, or nothing with `--quiet`. */
  readonly notes: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly host: Host;
  readonly worker: (name: 'attempt-worker' | 'simulate-worker' | 'rollout-worker') => URL;
  readonly name?: 'kprobe' | 'kubectl kprobe' | 'npx kprobe';
  readonly command?: string | undefined;
  /** Runs another command line in this process, for `kprobe mcp`; resolves with its exit code. */
  readonly main: (argv: readonly string[], io: Io) => Promise<number>;
  /** Milliseconds after which the caller no longer waits for the output. */
  readonly timeLimit?: number;
  /** `areComplete` becomes false when a requested output could not be written as a whole. */
  readonly outputs?: { areComplete: boolean };
  /** Aborted when the process is to end; the reason is the exit code. */
  readonly signal: AbortSignal;
}

/** Returns the command that started this program; npx finds what is not on PATH. */
export function commandName(program: string): NonNullable<Io['name']> {
  if (/[/\\]kubectl-kprobe[^/\\]*$/.test(program)) return 'kubectl kprobe';
  return /[/\\]\.bin[/\\]kprobe$/.test(program) ? 'npx kprobe' : 'kprobe';
}

export interface CommandInput<Flags> {
  /** The arguments, and after them the values of `--filename`. */
  readonly paths: readonly string[];
  readonly flags: Flags;
  /** The words after the first `--`. */
  readonly commandLine: readonly string[] | undefined;
}

const STREAM_EXIT_CODES: ReadonlyMap<string | undefined, number> = new Map([
  // As if by SIGPIPE: nobody has read the verdict.
  ['EPIPE', EXIT.brokenPipe],
  // A closed terminal.
  ['EIO', EXIT.hangup],
  // A full disk.
  ['ENOSPC', EXIT.undetermined],
  ['EDQUOT', EXIT.undetermined],
  ['EFBIG', EXIT.undetermined],
]);

/** Returns the exit code for a stream whose reader has gone or whose disk is full; undefined for other errors. */
export function streamExitCode(error: NodeJS.ErrnoException): number | undefined {
  return STREAM_EXIT_CODES.get(error.code);
}

/**
 * Writes a text; resolves when it and all before it is written, or when the reader has gone, which the stream's listener
 * handles. With nothing to write or to wait for, it leaves the stream alone: even an empty write fails on a full disk.
 */
export async function write(stream: Writable, text: string): Promise<void> {
  if (text === '' && stream.writableLength === 0) return;
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && streamExitCode(error) === undefined && !stream.destroyed) reject(error);
      else resolve();
    });
  });
}

/** Returns the stream of a format: `verbatim` for workflow commands and patches. */
export function outputStream(
  { stdout, verbatim = stdout }: Io,
  format: string | undefined,
): Writable {
  return format === 'github' || format === 'document' ? verbatim : stdout;
}

/** Reports an output that was asked for and is incomplete. */
export function reportIncomplete({ outputs, stderr }: Io, problem: string): Promise<void> {
  if (outputs !== undefined) outputs.areComplete = false;
  return write(stderr, `kprobe: ${problem}\n`);
}

/** Returns the exit code, which for a success with an incomplete output is 3. */
export function exitCodeOfOutputs(exitCode: number, { outputs }: Io): number {
  return exitCode === EXIT.success && outputs?.areComplete === false ? EXIT.undetermined : exitCode;
}

/** Returns a value as `-o json` prints it; Infinity, for a time that never comes, is null. */
export function jsonOutput(value: unknown): string {
  return `${printableJson(value, 2)}\n`;
}

/** Returns streams that drop everything but errors if `--quiet` is set. */
export function unlessQuiet({ quiet }: { readonly quiet?: true | undefined }, io: Io): Io {
  if (quiet !== true) return io;
  const discarded = { value: new Writable({ write: (_chunk, _encoding, done) => done() }) };
  return Object.create(io, { stdout: discarded, verbatim: discarded, notes: discarded }) as Io;
}

/** Warns that `--with-secrets` prints secrets. */
export async function noteSecrets(
  { withSecrets }: { readonly withSecrets?: boolean | undefined },
  io: Pick<Io, 'notes'>,
): Promise<void> {
  if (withSecrets !== true) return;
  const text = 'values of variables, credentials and tokens are not masked';
  await write(io.notes, `kprobe: --with-secrets: ${text}\n`);
}

/** Waits for work; rejects with an AbortError when the signal aborts first. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const result = await untilAborted(signal, work, ABORTED);
  if (result !== ABORTED) return result;
  throw Object.assign(new Error('aborted'), { name: 'AbortError' });
}

const ABORTED = Symbol('aborted');

/** Limits of a run, in milliseconds. */
export type RunLimits = FlagsAmong<'timeout' | 'for'>;

/**
 * Waits for what a run needs before it can start, no longer than the whole run may take. `work` gets streams whose signal
 * aborts then, and a function that ends the limit. Throws a RuntimeError with the problem and the limit.
 */
export async function withinLimits<T>(
  { timeout = Infinity, for: length = Infinity }: RunLimits,
  io: Io,
  problem: string,
  work: (io: Io, endLimit: () => void) => Promise<T>,
): Promise<T> {
  const limit = Math.min(timeout, length);
  if (limit === Infinity)
    return orAborted(
      io.signal,
      work(io, () => undefined),
    );
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), limit);
  const signal = AbortSignal.any([io.signal, ending.signal]);
  const limited = Object.create(io, { signal: { value: signal } }) as Io;
  try {
    return await orAborted(
      signal,
      work(limited, () => clearTimeout(timer)),
    );
  } catch (error) {
    if (!ending.signal.aborted || io.signal.aborted) throw error;
    const text = `${problem} within ${formatSeconds(limit / 1000)}`;
    throw new RuntimeError(text, timeout <= length ? 'timeout' : 'failed');
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds until a note says what kprobe waits for. */
const NOTE_DELAY = 3000;

/** Waits for the first answers of a cluster or an engine as `withinLimits` does, and says so. */
export async function awaitAnswer<T>(
  from: string,
  limits: RunLimits,
  io: Io,
  work: (io: Io, endLimit: () => void) => Promise<T>,
): Promise<T> {
  const text = `kprobe: waiting for ${escapeControl(maskText(from))}\n`;
  const note = setTimeout(() => io.notes.write(text), NOTE_DELAY);
  try {
    return await withinLimits(limits, io, `no answer from ${from}`, (limited, endLimit) =>
      work(limited, () => {
        clearTimeout(note);
        endLimit();
      }),
    );
  } finally {
    clearTimeout(note);
  }
}
