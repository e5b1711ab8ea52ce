import type { ExecResult } from '../kubelet/ports.js';

export interface LocalExecOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended: the command ends with it. */
  readonly signal: AbortSignal;
}

/** Runs a command on this machine; it resolves, always, when nothing of the command is left. */
export type LocalExec = (
  command: readonly string[],
  options: LocalExecOptions,
) => Promise<ExecResult>;
