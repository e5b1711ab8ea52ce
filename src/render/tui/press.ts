import { graphemes } from '../text/line.js';
import { type KeyName, PASTED } from './keys.js';
import { chosenTarget, podInView, type RowTarget } from './selection.js';
import { type Snapshot, type Tab, TABS, type Ui, withOverlay } from './state.js';
import { currentView } from './views/current-view.js';
import { chosenPod } from './views/pods-view.js';
import { placeOf, type Pressed, viewHeight, type ViewKind } from './views/view.js';

/** What a key does: what the terminal's user is used to first, then what the view knows, then what holds anywhere. */
export function press(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  switch (key) {
    case 'ctrl-c':
      return { ui, effect: { kind: 'interrupt' } };
    case 'ctrl-z':
      return { ui, effect: { kind: 'suspend' } };
    case 'ctrl-l':
      return { ui, effect: { kind: 'redraw' } };
  }
  if (key.startsWith(PASTED)) return { ui: pasteInFilter(ui, key.slice(PASTED.length)) };
  if (ui.filterBefore !== undefined) return { ui: pressInFilter(ui, key) };
  const kind = currentView(snapshot);
  const own = kind.press?.(snapshot, key);
  if (own !== undefined) return own;
  const scrolled = scroll(kind, snapshot, key);
  return scrolled === undefined ? pressAnywhere(snapshot, key) : { ui: scrolled };
}

/** Keys that hold in every view. */
export function pressAnywhere(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  switch (key) {
    case 'q':
      return { ui, effect: { kind: 'quit' } };
    case '?':
      return { ui: toggleHelp(ui) };
    case 'esc':
      return { ui: back(ui) };
    case '/':
      return { ui: { ...ui, filterBefore: ui.filter } };
    case ' ':
    case 'u':
      return { ui: { ...ui, paused: !ui.paused } };
    case 'w':
      return { ui: { ...ui, wraps: !ui.wraps } };
    case 'ctrl-s':
      return { ui, effect: { kind: 'save' } };
    default: {
      const tab = tabOf(ui, key);
      return tab === undefined ? pressOnTarget(snapshot, key) : { ui: toTab(snapshot, tab) };
    }
  }
}

function toggleHelp(ui: Ui): Ui {
  const shown = ui.overlays.at(-1)?.kind === 'help';
  return shown ? back(ui) : withOverlay(ui, { kind: 'help' });
}

/** One step out: of what lies over, of the filter, of the pod. */
function back(ui: Ui): Ui {
  if (ui.overlays.length > 0) return { ...ui, overlays: ui.overlays.slice(0, -1) };
  if (ui.filter !== '') return { ...ui, filter: '' };
  return ui.tab === 'pod' ? { ...ui, pod: undefined } : { ...ui, tab: 'pod' };
}

function tabOf({ tab }: Ui, key: KeyName): Tab | undefined {
  const at = TABS.indexOf(tab);
  switch (key) {
    case 'tab':
    case ']':
      return TABS[(at + 1) % TABS.length];
    case 'shift-tab':
    case '[':
      return TABS.at(at - 1);
    case 'e':
      return 'events';
    case 'y':
      return 'status';
    case 'l':
      return 'logs';
    default:
      return /^[1-5]$/.test(key) ? TABS[Number(key) - 1] : undefined;
  }
}

/** From the list of pods, the other tabs are those of the chosen one. */
function toTab(snapshot: Snapshot, tab: Tab): Ui {
  const { ui } = snapshot;
  const pod = podInView(snapshot) ?? chosenPod(snapshot);
  return { ...ui, tab, overlays: [], pod: tab === 'pod' ? ui.pod : pod?.key };
}

/** Keys that do something to, or tell something of, the chosen container or probe. */
export function pressOnTarget(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  const pod = podInView(snapshot);
  const target = pod && chosenTarget(pod, snapshot);
  if (pod === undefined || target === undefined) return { ui };
  return pressOn(snapshot, pod.key, target, key);
}

function pressOn(
  { ui, about }: Snapshot,
  pod: string,
  { container, probe }: RowTarget,
  key: KeyName,
): Pressed {
  const own = { pod, container: container.name };
  const ofProbe = probe === undefined ? undefined : { ...own, probe: probe.type };
  switch (key) {
    case 't':
      return ofProbe === undefined
        ? { ui, effect: { kind: 'say', text: 'choose a probe first (j, k)' } }
        : { ui, effect: { kind: 'trigger', ...ofProbe } };
    case 'x':
      return ofProbe === undefined
        ? { ui, effect: { kind: 'say', text: 'choose a probe first (j, k)' } }
        : { ui: withOverlay(ui, { kind: 'explain', ...ofProbe }) };
    case 'd':
      return { ui: withOverlay(ui, { kind: 'describe', ...(ofProbe ?? own) }) };
    case 'enter':
      return {
        ui: withOverlay(
          ui,
          ofProbe === undefined ? { kind: 'describe', ...own } : { kind: 'attempt', ...ofProbe },
        ),
      };
    case 'r':
      // What ends nothing real is not asked about.
      return about.replayLength !== undefined || about.isSimulated(pod, container.name)
        ? { ui, effect: { kind: 'restart', ...own } }
        : { ui: withOverlay(ui, { kind: 'confirmRestart', ...own }) };
    default:
      return { ui };
  }
}

/** A key while the filter is typed. */
export function pressInFilter(ui: Ui, key: KeyName): Ui {
  switch (key) {
    case 'enter':
      return { ...ui, filterBefore: undefined };
    case 'esc':
      return { ...ui, filter: ui.filterBefore ?? '', filterBefore: undefined };
    case 'backspace':
      return { ...ui, filter: graphemes(ui.filter).slice(0, -1).join('') };
    case 'ctrl-u':
      return { ...ui, filter: '' };
    default:
      // Names of keys are longer than the one character of what can be typed.
      return graphemes(key).length === 1 ? { ...ui, filter: ui.filter + key } : ui;
  }
}

/** A pasted text goes into the filter while that is typed, as one line; else nowhere. */
export function pasteInFilter(ui: Ui, text: string): Ui {
  const one = text.trim().replaceAll(/\s+/g, ' ');
  return ui.filterBefore === undefined ? ui : { ...ui, filter: ui.filter + one };
}

/** Moves a view's body; undefined for keys that do not. */
export function scroll(kind: ViewKind, snapshot: Snapshot, key: KeyName): Ui | undefined {
  const height = viewHeight(snapshot);
  const view = kind.show(snapshot, height);
  const place = placeOf(view, snapshot, height);
  const to = target(key, place.start, place.height, place.last);
  if (to === undefined) return undefined;
  const { ui } = snapshot;
  const start = Math.max(0, Math.min(place.last, to));
  const { id, follows = false, gone = 0 } = view.body;
  const kept = follows && start === place.last ? 'end' : start + gone;
  return { ...ui, scroll: { ...ui.scroll, [id]: kept } };
}

function target(key: KeyName, start: number, height: number, last: number): number | undefined {
  switch (key) {
    case 'j':
    case 'down':
      return start + 1;
    case 'k':
    case 'up':
      return start - 1;
    case 'ctrl-f':
    case 'pgdn':
      return start + Math.max(1, height - 1);
    case 'ctrl-b':
    case 'pgup':
      return start - Math.max(1, height - 1);
    case 'ctrl-d':
      return start + Math.ceil(height / 2);
    case 'ctrl-u':
      return start - Math.ceil(height / 2);
    case 'g':
    case 'home':
      return 0;
    case 'G':
    case 'end':
      return last;
    default:
      return undefined;
  }
}
