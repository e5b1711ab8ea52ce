import type { Clock } from '../../clock/clock.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceHeader } from '../../trace/trace-record.js';
import type { Io } from '../shared/io.js';
import type { RunActions } from './run-actions.js';
import type { ShowFlags } from './show-flags.js';

export interface RunRendererInput {
  readonly flags: ShowFlags;
  readonly io: Io;
  readonly run: ShownRun;
  readonly clock: Clock;
  /** What the trace begins with. */
  readonly header: TraceHeader;
  readonly actions: RunActions;
  /** Seconds of the trace, where it is shown again. */
  readonly replayLength?: number;
}

/** A run, live or replayed. */
export interface ShownRun {
  readonly summary: Summary;
  /** Seconds since the trace began. */
  readonly now: number;
}
