import type { Signaller } from '../process/signal.js';

/** The machine that kprobe runs on, as far as a runtime needs it. */
export interface Host extends Signaller {
  /** kprobe's own variables; a container's lie over them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a process starts whose container's directory is not on this machine. */
  readonly cwd: string;
}
