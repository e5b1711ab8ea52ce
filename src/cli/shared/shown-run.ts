import type { Clock } from '../../clock/clock.js';
import type { IsSimulated } from '../../diagnosis/outlook.js';
import type { Player } from '../../render/tui/store/state.js';
import type { TuiActions } from '../../render/tui/tui.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceHeader } from '../../trace/trace-record.js';
import type { Io } from './io.js';

/** The terminal that the process was started in. */
export const TERMINAL = '/dev/tty';

export const OUTPUTS = ['lines', 'json', 'yaml'] as const;
export type Output = (typeof OUTPUTS)[number];

/** Settings of a run's display. */
export interface ShowFlags {
  readonly output?: Output;
  readonly plain?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  readonly hints?: boolean;
  readonly verbose?: boolean;
  readonly logs?: boolean;
}

export interface RunRendererInput {
  readonly flags: ShowFlags;
  /** The command's arguments: `-` is standard input. */
  readonly paths: readonly string[];
  readonly io: Io;
  readonly run: ShownRun;
  readonly clock: Clock;
  /** The trace's first line. */
  readonly header: TraceHeader;
  readonly actions: RunActions;
  /** Plays the trace, where it is shown again. */
  readonly player?: Player;
  /** False: the terminal UI prints nothing when it ends. */
  readonly isSummarized?: boolean;
}

/** Restarts of the other containers are only simulated; those of a cluster's kubelet are real. */
export function isSimulatedIn({ target, realRestarts = [] }: TraceHeader): IsSimulated {
  return (pod, container) =>
    target !== 'cluster' && !pod.endsWith('@cluster') && !realRestarts.includes(container);
}

/** A run, live or replayed. */
export interface ShownRun {
  readonly summary: Summary;
  /** Seconds since the trace began. */
  readonly now: number;
}

/** Actions of the user on the run that is shown. */
export type RunActions = Pick<TuiActions, 'trigger' | 'restart'>;
