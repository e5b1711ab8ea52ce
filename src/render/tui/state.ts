import type { ProbeType } from '../../kubelet/event.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { Look } from '../text/paint.js';
import type { Size } from './screen.js';

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

/** What the user has chosen to see. */
export interface Ui {
  readonly tab: Tab;
  /** The pod that is looked into; the list of all when it is undefined and there are several. */
  readonly pod: string | undefined;
  /** What lies over the tab, the last one on top. */
  readonly overlays: readonly Overlay[];
  /** What is chosen in each list, by its key: a pod in the list of pods, a container or probe in a pod. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The first row shown of what scrolls; `end` follows what is added. */
  readonly scroll: Readonly<Record<string, number | 'end'>>;
  readonly filter: string;
  /** While the filter is typed: what it was before. */
  readonly filterBefore: string | undefined;
  readonly timeline: TimelineUi;
  readonly paused: boolean;
  /** Long lines go on below. */
  readonly wraps: boolean;
}

export type Tab = 'pod' | 'timeline' | 'events' | 'status' | 'logs';
export const TABS: readonly Tab[] = ['pod', 'timeline', 'events', 'status', 'logs'];

export type Overlay =
  | { readonly kind: 'help' }
  /** An attempt; the probe's latest one when it is not said which. */
  | (OfProbe & { readonly kind: 'attempt'; readonly startedAt?: number })
  /** A probe's description, or a container's. */
  | {
      readonly kind: 'describe';
      readonly pod: string;
      readonly container: string;
      readonly probe?: ProbeType;
    }
  | (OfProbe & { readonly kind: 'explain' })
  /** Whether to restart a container for real. */
  | { readonly kind: 'confirmRestart'; readonly pod: string; readonly container: string };

export interface OfProbe {
  readonly pod: string;
  readonly container: string;
  readonly probe: ProbeType;
}

/** What part of time the timeline shows. */
export interface TimelineUi {
  /** Into `ZOOMS`. */
  readonly zoom: number;
  /** The right margin in seconds of the trace, or `now` for follow mode. */
  readonly end: number | 'now';
  /** The attempt under the cursor, by when it began; undefined for the latest. */
  readonly cursor: number | undefined;
}

export const FIRST_UI: Ui = {
  tab: 'pod',
  pod: undefined,
  overlays: [],
  chosen: {},
  scroll: {},
  filter: '',
  filterBefore: undefined,
  timeline: { zoom: 2, end: 'now', cursor: undefined },
  paused: false,
  wraps: true,
};

/** Puts something over what is shown. */
export function withOverlay(ui: Ui, overlay: Overlay): Ui {
  return { ...ui, overlays: [...ui.overlays, overlay] };
}

export function withChosen(ui: Ui, list: string, chosen: string): Ui {
  return { ...ui, chosen: { ...ui.chosen, [list]: chosen } };
}

/** What a key asks for beyond the display. */
export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'redraw' }
  /** Saves the trace so far. */
  | { readonly kind: 'save' }
  | (OfProbe & { readonly kind: 'trigger' })
  | { readonly kind: 'restart'; readonly pod: string; readonly container: string }
  /** Nothing is done; the user is told why. */
  | { readonly kind: 'say'; readonly text: string };
