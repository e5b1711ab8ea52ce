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
