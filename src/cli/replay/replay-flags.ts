import type { ShowFlags } from '../show/show-flags.js';

/** What the command line of replay says. */
export interface ReplayFlags extends ShowFlags {
  /** Seconds of the trace in a second; Infinity is `max`. */
  readonly speed?: number;
  /** Milliseconds of the trace that are shown. */
  readonly until?: number;
  readonly partial?: boolean;
  /** `app.livenessProbe.timeoutSeconds=2`. */
  readonly set?: readonly string[];
}
