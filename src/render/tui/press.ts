import { isPast } from '../../diagnosis/diagnosis.js';
import { graphemes } from '../text/line.js';
import { type KeyName, moveTo, PASTED } from './keys.js';
import { chosenTarget, podInView, rowOf, troublesOf } from './selection.js';
import {
  readsOnly,
  type Snapshot,
  type Tab,
  TABS,
  type Ui,
  withChosen,
  withoutOverlay,
  withOverlay,
} from './state.js';
import { currentView } from './views/current-view.js';
import { chosenPod } from './views/pods-view.js';
import { placeOf, type Pressed, viewHeight, type ViewKind } from './views/view.js';

/** The effect of a key: first the terminal's usual keys, then those of the view, then those of every view. */
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
  const view = currentView(snapshot);
  const own = view.press?.(snapshot, key);
  if (own !== undefined) return own;
  const scrolled = scroll(view, snapshot, key);
  return scrolled === undefined ? pressAnywhere(snapshot, key) : { ui: scrolled };
}

function pressInFilter(ui: Ui, key: KeyName): Ui {
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

/** A pasted text goes into the filter while the user types that, as one line; else nowhere. */
function pasteInFilter(ui: Ui, text: string): Ui {
  const one = text.trim().replaceAll(/\s+/g, ' ');
  return ui.filterBefore === undefined ? ui : { ...ui, filter: ui.filter + one };
}

/** Moves a view's body; undefined for keys that do not. */
function scroll(kind: ViewKind, snapshot: Snapshot, key: KeyName): Ui | undefined {
  const height = viewHeight(snapshot);
  const view = kind.show(snapshot, height);
  const place = placeOf(view, snapshot, height);
  const isHalf = key === 'ctrl-d' || key === 'ctrl-u';
  const move = isHalf ? (key === 'ctrl-d' ? 'pgdn' : 'pgup') : key;
  const page = isHalf ? Math.ceil(place.height / 2) : place.height - 1;
  const start = moveTo(move, place.start, place.last, page);
  if (start === undefined) return undefined;
  const { ui } = snapshot;
  const { id = '', follows = false, gone = 0 } = view.body ?? {};
  const kept = follows && start === place.last ? 'end' : start + gone;
  return { ...ui, scroll: { ...ui.scroll, [id]: kept } };
}

function pressAnywhere(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  switch (key) {
    case 'q':
      return { ui, effect: { kind: 'quit' } };
    case '?':
      return {
        ui: ui.overlays.at(-1)?.kind === 'help' ? back(ui) : withOverlay(ui, { kind: 'help' }),
      };
    case 'esc':
      return { ui: back(ui) };
    case '/':
      return { ui: { ...ui, filterBefore: ui.filter } };
    case ' ':
    case 'u':
      return { ui: { ...ui, paused: !ui.paused } };
    case 'w':
      return { ui: { ...ui, wraps: !ui.wraps } };
    case 'n':
      return nextTrouble(snapshot, 1);
    case 'N':
      return nextTrouble(snapshot, -1);
    case 'ctrl-s':
      return { ui, effect: { kind: 'save' } };
    default: {
      const tab = tabOf(ui, key);
      return tab === undefined ? pressOnTarget(snapshot, key) : { ui: toTab(snapshot, tab) };
    }
  }
}

/** Chooses the next row in trouble, or the one before, also in another pod. */
function nextTrouble(snapshot: Snapshot, step: 1 | -1): Pressed {
  const { ui, summary } = snapshot;
  const troubles = summary.pods.flatMap((pod) =>
    troublesOf(pod, snapshot)
      .filter((trouble) => !isPast(trouble))
      .map((trouble) => ({ pod, row: rowOf(trouble) })),
  );
  if (troubles.length === 0) return { ui, effect: { kind: 'say', text: 'no problem now' } };
  const open = podInView(snapshot);
  const chosen = open && ui.tab === 'pod' ? chosenTarget(open, snapshot)?.id : undefined;
  const at = troubles.findIndex(({ pod, row }) => pod === open && row === chosen);
  const next = troubles.at(at === -1 && step === -1 ? -1 : (at + step) % troubles.length);
  if (next === undefined) return { ui };
  const { key } = next.pod;
  return { ui: { ...withChosen(ui, key, next.row), pod: key, tab: 'pod', overlays: [] } };
}

/** One step out: of an overlay, of the filter, of the tab, of the pod. */
function back(ui: Ui): Ui {
  if (ui.overlays.length > 0) return withoutOverlay(ui);
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

function pressOnTarget(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui, about } = snapshot;
  const pod = podInView(snapshot);
  const target = pod && chosenTarget(pod, snapshot);
  if (pod === undefined || target === undefined) return { ui };
  const { container, probe } = target;
  const ref = { pod: pod.key, container: container.name };
  const probeRef = probe && { ...ref, probe: probe.type };
  const noProbe: Pressed = { ui, effect: { kind: 'say', text: 'choose a probe first (j, k)' } };
  switch (key) {
    case 't':
      return probeRef === undefined ? noProbe : { ui, effect: { kind: 'trigger', ...probeRef } };
    case 'x':
      return probeRef === undefined
        ? noProbe
        : { ui: withOverlay(ui, { kind: 'explain', ...probeRef }) };
    case 'd':
      return { ui: withOverlay(ui, { kind: 'describe', ...(probeRef ?? ref) }) };
    case 'enter':
      return {
        ui: withOverlay(
          ui,
          probeRef === undefined ? { kind: 'describe', ...ref } : { kind: 'attempt', ...probeRef },
        ),
      };
    case 'r': {
      // Nobody has to confirm what ends nothing real.
      const isSafe =
        about.replayLength !== undefined ||
        readsOnly(about) ||
        about.isSimulated(ref.pod, ref.container);
      return isSafe
        ? { ui, effect: { kind: 'restart', ...ref } }
        : { ui: withOverlay(ui, { kind: 'confirmRestart', ...ref }) };
    }
    default:
      return { ui };
  }
}
