import { constants } from 'node:os';

/** Sends signals; `process` is one. */
export interface Signaller {
  /** As process.kill: a negative id is a process group; throws when there is none. */
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
}

/** Sends a signal to a process that may have ended already. */
export function signal(signaller: Signaller, pid: number, name: NodeJS.Signals): void {
  try {
    signaller.kill(pid, name);
  } catch {
    // It has ended, or belongs to another user.
  }
}

/** Returns the exit code that a runtime reports: the process's own, or 128 plus the number of its signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + constants.signals[signal];
}
