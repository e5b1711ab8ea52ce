import { constants } from 'node:os';

/** Who sends signals. */
export interface Signaller {
  /** As process.kill: a negative id is a process group; throws when there is none. */
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
}

/** Sends a signal to what may be gone already. */
export function signal(signaller: Signaller, pid: number, name: NodeJS.Signals): void {
  try {
    signaller.kill(pid, name);
  } catch {
    // Gone, or not ours to end.
  }
}

/** A process's end as a runtime reports it: its own exit code, or 128 and the number of the signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + constants.signals[signal];
}
