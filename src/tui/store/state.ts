import type { IsSimulated } from '../../diagnosis/outlook.js';
import type { Theme } from '../../text/paint.js';
import type { ProbeType } from '../../trace/event.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { KeyName } from './key-reader.js';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Screens with fewer rows show less of each thing, and no ornaments. */
export const LOW_ROWS = 20;

export interface Snapshot {
  readonly summary: Summary;
  /** Seconds since the trace began. */
  readonly now: number;
  readonly ui: Ui;
  readonly size: Size;
  readonly context: RunContext;
  /** The state of a replay; absent for a live run. */
  readonly player?: PlayerState | undefined;
  /** Lines of the trace since the display was paused. */
  readonly heldBack: number;
  readonly message: Message | undefined;
  /** True while kprobe stops what it has started. */
  readonly ending: boolean;
  /** The body that scrolls, as it was last laid out. */
  readonly body: BodyPlace | undefined;
}

export interface BodyPlace {
  /** The key under which its scroll position is kept. */
  readonly id: string;
  /** The first row shown, and the greatest that it can be. */
  readonly start: number;
  readonly last: number;
  readonly height: number;
  /** All rows of the body. */
  readonly rows: number;
  /** The items that the filter lets through, and all. */
  readonly shown: number;
  readonly total: number;
  /** Row and column of the list on the screen. */
  readonly top: number;
  readonly left: number;
  readonly columns: number;
  /** For each row, the item of the list that it belongs to; undefined for other rows. */
  readonly ids: readonly (string | undefined)[];
  /** The parts that contain what the user looks for, with their first rows. */
  readonly matches: readonly { readonly key: string; readonly top: number }[];
  /** Shows its end until the user scrolls. */
  readonly follows: boolean;
  /** Rows before the first one that are no longer kept. */
  readonly gone: number;
}

export interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** When it disappears, in seconds of the run. */
  readonly until: number;
}

/** Stays the same during a run. */
export interface RunContext {
  readonly target: string;
  /** True where a container's restarts are only simulated. */
  readonly isSimulated: IsSimulated;
  /** The release, such as `1.36`. */
  readonly kubeletVersion: string;
  readonly hints: boolean;
  /** True where a key tries changes against servers that kprobe has not started. */
  readonly triesOnKey: boolean;
  readonly theme: Theme;
  /** Seconds of a replayed trace; undefined for a live run. */
  readonly replayLength: number | undefined;
}

export interface PlayerState {
  /** Seconds of the trace per second; Infinity where all was shown at once. */
  readonly speed: number;
  readonly isPaused: boolean;
}

/** Plays a recorded trace. */
export interface Player extends PlayerState {
  /** Seconds of the trace. */
  readonly length: number;
  togglePause(): void;
  faster(): void;
  slower(): void;
  /** Goes forward by this number of seconds of the trace, or back if it is negative. */
  seek(seconds: number): void;
}

/** Returns whether the pods are those of a cluster, of which kprobe only reads. */
export function readsOnly({ target }: RunContext): boolean {
  return target === 'cluster';
}

/** Returns whether kprobe can probe and restart: neither what a cluster runs, nor what was recorded. */
export function canAct(context: RunContext): boolean {
  return context.replayLength === undefined && !readsOnly(context);
}

export interface Ui {
  readonly tab: Tab;
  /** The open pod; where there are several and it is undefined, their list is shown. */
  readonly pod: string | undefined;
  /** Shown over the tab, the last one on top. */
  readonly overlays: readonly Overlay[];
  /** The chosen row of each list, by its key: a pod in the list of pods, a container or probe in a pod, a match in logs. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The first row shown of each body; `end` follows what is added. */
  readonly scroll: Readonly<Record<string, number | 'end'>>;
  readonly filters: Readonly<Partial<Record<ViewName, string>>>;
  /** The filter before the user began to type one; undefined otherwise. */
  readonly filterBefore: string | undefined;
  /** The text that the user types behind `:`; undefined otherwise. */
  readonly command: string | undefined;
  readonly sorting: Readonly<Partial<Record<ViewName, Sorting>>>;
  /** The pods that are listed. */
  readonly scope: Scope;
  /** When each pod was last chosen or open, and when Esc said that all were seen, in seconds of the run. */
  readonly lookedAt: Readonly<Record<string, number>>;
  readonly allSeenAt: number;
  readonly timeline: TimelineUi;
  readonly paused: boolean;
  /** The latest click on a row and its time: the list may move below the mouse before the second click of two. */
  readonly clicked: { readonly key: string; readonly at: number } | undefined;
  /** True while kprobe takes clicks and the wheel; otherwise the terminal uses them to select text. */
  readonly hasMouse: boolean;
  /** Views in which the user has switched wrapping on or off. */
  readonly wraps: Readonly<Partial<Record<ViewName, boolean>>>;
}

export interface Sorting {
  /** Index of the order in those of the list. */
  readonly order: number;
  readonly isReversed: boolean;
}

/** The limits of the list of pods; an empty scope lists all. */
export interface Scope {
  readonly namespace?: string;
  /** `deployment/web` */
  readonly workload?: string;
}

export type Tab = 'pod' | 'timeline' | 'events' | 'status' | 'logs';
export const TABS: readonly Tab[] = ['pod', 'timeline', 'events', 'status', 'logs'];

export interface ContainerRef {
  readonly pod: string;
  readonly container: string;
}

export interface ProbeRef extends ContainerRef {
  readonly probe: ProbeType;
}

type Overlay =
  | { readonly kind: 'help' }
  /** The attempt that began at `startedAt`, or the probe's latest one. */
  | (ProbeRef & { readonly kind: 'attempt'; readonly startedAt?: number })
  | (ContainerRef & { readonly kind: 'describe'; readonly probe?: ProbeType })
  | (ProbeRef & { readonly kind: 'explain' })
  | (ProbeRef & { readonly kind: 'copy' })
  | (ContainerRef & { readonly kind: 'confirmRestart' });

export type ViewName = 'pods' | Tab | Overlay['kind'];

export interface TimelineUi {
  /** Index into `ZOOMS`. */
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
  filters: {},
  filterBefore: undefined,
  command: undefined,
  sorting: {},
  scope: {},
  lookedAt: {},
  allSeenAt: 0,
  clicked: undefined,
  hasMouse: true,
  timeline: { zoom: 2, end: 'now', cursor: undefined },
  paused: false,
  wraps: {},
};

export interface Pressed {
  readonly ui: Ui;
  /** A key that is pressed once the view that this one opens is laid out. */
  readonly then?: KeyName;
  readonly effect?: Effect;
}

export type Effect =
  | { readonly kind: 'quit' | 'interrupt' | 'suspend' | 'redraw' | 'save' }
  | (ProbeRef & { readonly kind: 'trigger' | 'try' })
  | (ContainerRef & { readonly kind: 'restart' | 'followLog' })
  | { readonly kind: 'play'; readonly do: 'togglePause' | 'faster' | 'slower' }
  | { readonly kind: 'seek'; readonly seconds: number }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'mouse'; readonly on: boolean }
  | { readonly kind: 'copy'; readonly name: string; readonly text: string };

export function withOverlay(ui: Ui, overlay: Overlay): Ui {
  return { ...ui, overlays: [...ui.overlays, overlay] };
}

export function withoutOverlay(ui: Ui): Ui {
  return { ...ui, overlays: ui.overlays.slice(0, -1) };
}

export function overlayOf<K extends Overlay['kind']>(
  { overlays }: Ui,
  kind: K,
): Extract<Overlay, { kind: K }> | undefined {
  return overlays.findLast(
    (overlay): overlay is Extract<Overlay, { kind: K }> => overlay.kind === kind,
  );
}

export function withChosen(ui: Ui, list: string, chosen: string): Ui {
  return { ...ui, chosen: { ...ui.chosen, [list]: chosen } };
}

/** The tabs of a row `[1 pod]─ 2 timeline ─ …`; on a low screen, which has the keys beside it, of `[1 pod] 2  3 …`. */
export function tabTexts({ tab: current }: Ui, { rows }: Size): readonly string[] {
  return TABS.map((tab, index) => {
    if (tab === current) return `[${index + 1} ${tab}]`;
    return rows < LOW_ROWS ? ` ${index + 1} ` : ` ${index + 1} ${tab} `;
  });
}

/** Returns the text between two tabs. */
export function tabGap({ rows }: Size): string {
  return rows < LOW_ROWS ? '' : '─';
}

/** Returns the tab at a column of their row. */
export function tabAt(column: number, ui: Ui, size: Size): Tab | undefined {
  const gap = tabGap(size).length;
  let end = -gap;
  const index = tabTexts(ui, size).findIndex((text) => column < (end += gap + text.length));
  return TABS[index];
}
