import type { EventEmitter } from 'node:events';

import { main } from './program.js';
import { EXIT } from './shared/exit-code.js';
import { isAbort, machineErrorMessage, problemOf } from './shared/file-errors.js';
import { codeOfGone, commandName, type Io } from './shared/io.js';

const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
  SIGQUIT: EXIT.quit,
} as const;

/** Milliseconds. */
const LAST_MOMENT = 500;

const stopping = new AbortController();

for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    // A second signal does not wait for a clean end. A terminal that closes sends several, and nobody waits there.
    if (stopping.signal.aborted && signal !== 'SIGHUP') process.exit(code);
    stopping.abort(code);
  });
}

/** Handles errors of a standard stream. Node creates the stream when it is first used, which a start need not wait for. */
function watched<S extends EventEmitter>(stream: S): S {
  if (stream.listeners('error').includes(onStreamError)) return stream;
  return stream.on('error', onStreamError);
}

let isFullTold = false;

/** Ends kprobe when its output cannot be written, and reports a full disk. */
function onStreamError(error: NodeJS.ErrnoException): void {
  // Standard input is closed when the process is to end; its readers get an error.
  if (isAbort(error)) return;
  const code = codeOfGone(error);
  if (code === undefined) throw error;
  if (code === EXIT.undetermined && !isFullTold) {
    isFullTold = true;
    process.exitCode = code;
    process.stderr.write(`kprobe: cannot write the output: ${problemOf(error)}\n`);
  }
  stopping.abort(code);
}

process.on('uncaughtException', (error) => {
  const machine = machineErrorMessage(error);
  process.exitCode = machine === undefined ? EXIT.bug : EXIT.undetermined;
  stopping.abort(process.exitCode);
  const text =
    machine ?? `kprobe: this is a bug in kprobe; please report it\n${error.stack ?? ''}\n`;
  // The screen has been restored by then.
  process.on('exit', () => process.stderr.write(text));
});

const io: Io = {
  get stdin() {
    return watched(process.stdin);
  },
  get stdout() {
    return watched(process.stdout);
  },
  get stderr() {
    return watched(process.stderr);
  },
  get notes() {
    return watched(process.stderr);
  },
  env: process.env,
  cwd: process.cwd(),
  worker: (name) => new URL(import.meta.resolve(`./${name}.js`)),
  name: commandName(process.argv[1] ?? ''),
  main,
  host: {
    env: process.env,
    cwd: process.cwd(),
    kill: (pid, signal) => process.kill(pid, signal),
  },
  signal: stopping.signal,
};

const code = await main(process.argv.slice(2), io);
process.exitCode ??= code;
// Nothing is left to do: an open handle may delay the exit only briefly.
setTimeout(() => process.exit(), LAST_MOMENT).unref();
