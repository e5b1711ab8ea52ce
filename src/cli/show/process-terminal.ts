import type { Size, Terminal } from '../../render/tui/screen/terminal.js';

const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

/** The terminal that the process was started in. */
export const processTerminal: Terminal = {
  input: process.stdin,
  output: process.stdout,
  size() {
    // A terminal that does not know its size says 0.
    const { columns, rows } = process.stdout;
    return columns > 0 && rows > 0 ? { columns, rows } : DEFAULT_SIZE;
  },
  write: (text) => void process.stdout.write(text),
  setRawMode(on) {
    try {
      process.stdin.setRawMode(on);
    } catch {
      // The terminal is gone, and its mode with it.
    }
  },
  suspend() {
    stopProcess(0);
  },
  onSuspend(before, after) {
    suspension = { before, after };
    process.on('SIGTSTP', stopped);
    process.on('SIGCONT', after);
    return () => {
      suspension = undefined;
      process.off('SIGTSTP', stopped);
      process.off('SIGCONT', after);
    };
  },
  onExit(restore) {
    process.on('exit', restore);
    return () => process.off('exit', restore);
  },
};

let suspension: { readonly before: () => void; readonly after: () => void } | undefined;

function stopped(): void {
  stopProcess(process.pid);
}

/** Stops the process, or with 0 the whole job, as the terminal's own Ctrl-Z would. */
function stopProcess(pid: number): void {
  suspension?.before();
  // Without a listener the signal does what it does by default.
  process.off('SIGTSTP', stopped);
  process.once('SIGCONT', () => {
    if (suspension !== undefined) process.on('SIGTSTP', stopped);
  });
  process.kill(pid, 'SIGTSTP');
}
