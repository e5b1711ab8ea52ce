import type { Summary } from '../../../trace/summary/summary.js';
import type { Look } from '../../text/paint.js';
import type { Size } from '../screen/terminal.js';
import type { Ui } from './ui.js';

/** Everything that a frame shows. */
export interface Snapshot {
  readonly summary: Summary;
  /** Seconds since the trace began. */
  readonly now: number;
  readonly ui: Ui;
  readonly size: Size;
  readonly about: About;
  /** Lines of the trace that have come since the display was paused. */
  readonly heldBack: number;
  readonly message: Message | undefined;
  /** The run is being ended. */
  readonly ending: boolean;
}

/** What an action came to; shown for a while. */
export interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** In the run's seconds. */
  readonly until: number;
}

/** What stays the same during a run. */
export interface About {
  /** `attached`, `process`, or what else stands for the containers. */
  readonly target: string;
  /** Whether a container's restarts only happen on paper. */
  readonly isSimulated: (pod: string, container: string) => boolean;
  /** As in `1.36`. */
  readonly kubeletVersion: string;
  /** Whether hints are shown. */
  readonly hints: boolean;
  readonly look: Look;
  /** Seconds of the trace that is shown again; undefined where the run is a live one. */
  readonly replayLength: number | undefined;
}
