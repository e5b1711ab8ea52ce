import type { EventEmitter } from 'node:events';
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

import { escapeControl } from '../text/escape.js';
import { main } from './program.js';
import { EXIT } from './shared/exit-code.js';
import { isAbort, machineErrorMessage, systemErrorText } from './shared/file-errors.js';
import { commandName, type Io, streamExitCode } from './shared/io.js';

const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
  SIGQUIT: EXIT.quit,
} as const;

/** Milliseconds. */
const EXIT_DELAY = 500;
/** Characters. */
const MAX_BUG_MESSAGE = 200;

const stopping = new AbortController();

for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    // A second signal does not wait for a clean end. A terminal that closes sends several, and has no user who waits.
    if (stopping.signal.aborted && signal !== 'SIGHUP') process.exit(code);
    stopping.abort(code);
  });
}

// Node would open its debugger on a port.
process.on('SIGUSR1', () => undefined);

const terminals = [0, 1, 2].filter((stream) => isatty(stream));

// At its end, Node resets the terminals of its standard streams, and aborts if one of them has vanished. It skips closed streams.
process.on('exit', () => {
  for (const stream of terminals) if (!isatty(stream)) closeSync(stream);
});

/** Handles errors of a standard stream. Node creates the stream when it is first used, which a start need not wait for. */
function withErrorHandler<S extends EventEmitter>(stream: S): S {
  if (stream.listeners('error').includes(onStreamError)) return stream;
  return stream.on('error', onStreamError);
}

let isFullReported = false;

/** Ends kprobe when its output cannot be written, and reports a full disk. */
function onStreamError(error: NodeJS.ErrnoException): void {
  // Standard input is closed when the process is to end; its readers get an error.
  if (isAbort(error)) return;
  const code = streamExitCode(error);
  if (code === undefined) throw error;
  if (code === EXIT.undetermined && !isFullReported) {
    isFullReported = true;
    process.exitCode = code;
    process.stderr.write(`kprobe: cannot write the output: ${systemErrorText(error)}\n`);
  }
  stopping.abort(code);
}

process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  // Node asks a terminal that has vanished for its size, also for a stream that nobody has used.
  if (error.syscall === 'getWindowSize') return onStreamError(error);
  const machine = machineErrorMessage(error);
  process.exitCode = machine === undefined ? EXIT.bug : EXIT.undetermined;
  stopping.abort(process.exitCode);
  const text = machine ?? `kprobe: this is a bug in kprobe; please report it\n${bugText(error)}\n`;
  // The screen has been restored by then.
  process.on('exit', () => process.stderr.write(text));
});

/** Returns a bug's stack, and little of its message, which may quote a manifest and its secrets. */
function bugText({ name, message, stack = '' }: Error): string {
  const [calls = ''] = /\n {4}at [^]*/.exec(stack) ?? [];
  return `${name}: ${escapeControl(message).slice(0, MAX_BUG_MESSAGE)}${calls}`;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const problem = `the current folder: ${systemErrorText(error)}: change to another one`;
    process.stderr.write(`kprobe: ${problem}\n`);
    process.exit(EXIT.usage);
  }
}

const cwd = currentFolder();

const io: Io = {
  get stdin() {
    return withErrorHandler(process.stdin);
  },
  get stdout() {
    return withErrorHandler(process.stdout);
  },
  get stderr() {
    return withErrorHandler(process.stderr);
  },
  get notes() {
    return withErrorHandler(process.stderr);
  },
  env: process.env,
  cwd,
  worker: (name) => new URL(`./${name}.js`, import.meta.url),
  name: commandName(process.argv[1] ?? ''),
  main,
  host: {
    env: process.env,
    cwd,
    kill: (pid, signal) => process.kill(pid, signal),
  },
  signal: stopping.signal,
};

void main(process.argv.slice(2), io)
  .then((code) => (process.exitCode ??= code))
  // Nothing is left to do, also after a bug: an open handle may delay the exit only briefly.
  .finally(() => setTimeout(() => process.exit(), EXIT_DELAY).unref());
