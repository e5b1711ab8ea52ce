/** The machine that kprobe runs on, as far as a runtime needs it. */
export interface Host {
  /** kprobe's own variables; a container's lie over them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a process starts whose container's directory is not on this machine. */
  readonly cwd: string;
  /** As process.kill: a negative id is a process group; throws when there is none. */
  readonly kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
}

/** Sends a signal to what may be gone already. */
export function signal(host: Host, pid: number, name: NodeJS.Signals): void {
  try {
    host.kill(pid, name);
  } catch {
    // Gone, or not ours to end.
  }
}
