import type { ExecResult } from '../kubelet/ports.js';

export interface LocalExecOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended: the command ends with it. */
  readonly signal: AbortSignal;
}

/** Runs a command; it resolves, always, when its result is known. */
export type RunCommand = (
  command: readonly string[],
  options: LocalExecOptions,
) => Promise<ExecResult>;

/** Runs commands on this machine. */
export interface LocalExec {
  readonly run: RunCommand;
  /** Ends what is running; resolves when nothing of any command is left. */
  close(): Promise<void>;
}
