import { graphemes } from '../../text/line.js';
import { type Binding, BINDINGS, LANES, QUESTIONS } from './bindings.js';
import { runCommand } from './commands.js';
import { CLICK, type KeyName, PASTED } from './key-reader.js';
import { listInView } from './lists.js';
import {
  chosenPod,
  filterOf,
  podInView,
  viewBelow,
  viewName,
  withFilter,
  withTab,
} from './selection.js';
import { type Pressed, type Snapshot, tabAt, type Ui, withChosen } from './state.js';
import { hasLanes } from './timeline.js';

/** The effect of a key. The pods that were chosen or open before it and after it have been looked at. */
export function press(snapshot: Snapshot, key: KeyName): Pressed {
  const pressed = pressKey(snapshot, key);
  const shown = [snapshot, { ...snapshot, ui: pressed.ui }].map(
    (each) => (podInView(each) ?? chosenPod(each))?.key ?? '',
  );
  const looks = Object.fromEntries(shown.map((pod) => [pod, snapshot.now]));
  return { ...pressed, ui: { ...pressed.ui, lookedAt: { ...pressed.ui.lookedAt, ...looks } } };
}

function pressKey(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  const typed = typedKey(key);
  if (!ALWAYS.includes(key)) {
    if (ui.command !== undefined) return pressInCommand(snapshot, ui.command, typed);
    if (ui.filterBefore !== undefined) return { ui: pressInFilter(snapshot, typed) };
  }
  if (key.startsWith(CLICK)) return click(snapshot, key) ?? { ui };
  for (const binding of bindingsOf(snapshot)) {
    const pressed = binding.keys.includes(key) ? binding.act(snapshot, key) : undefined;
    if (pressed !== undefined) return pressed;
  }
  return { ui };
}

/** Returns the text that a key adds while the user types; a pasted text becomes one row. */
function typedKey(key: KeyName): KeyName | { readonly text: string } {
  if (key.startsWith(PASTED)) {
    return { text: key.slice(PASTED.length).trim().replaceAll(/\s+/g, ' ') };
  }
  // Names of keys are longer than the one character of what can be typed.
  return graphemes(key).length === 1 ? { text: key } : key;
}

/** Characters that can be typed: each key reads the whole text again. */
const MAX_TYPED = 10_000;

/** A text after a key; undefined for keys that do not change it. */
function edited(text: string, key: KeyName | { readonly text: string }): string | undefined {
  if (typeof key === 'object') {
    const room = Math.max(0, MAX_TYPED - text.length);
    return text + Array.from(key.text).slice(0, room).join('');
  }
  if (key === 'ctrl-u') return '';
  return key === 'backspace' ? graphemes(text).slice(0, -1).join('') : undefined;
}

function pressInCommand(
  snapshot: Snapshot,
  command: string,
  key: ReturnType<typeof typedKey>,
): Pressed {
  const ui = { ...snapshot.ui, command: undefined };
  if (key === 'enter') return runCommand({ ...snapshot, ui }, command);
  if (key === 'esc') return { ui };
  return { ui: { ...ui, command: edited(command, key) ?? command } };
}

function pressInFilter(snapshot: Snapshot, key: ReturnType<typeof typedKey>): Ui {
  const { ui } = snapshot;
  if (key === 'enter') return { ...ui, filterBefore: undefined };
  if (key === 'esc') {
    return { ...withFilter(snapshot, ui.filterBefore ?? ''), filterBefore: undefined };
  }
  const filter = filterOf(snapshot);
  return withFilter(snapshot, edited(filter, key) ?? filter);
}

/** Seconds between the two clicks that open a row, at most. */
const TWO_CLICKS = 0.5;

/** Chooses the row under the mouse, or the tab; a click on a chosen row opens it, and so do two clicks at one place. */
function click(snapshot: Snapshot, key: KeyName): Pressed | undefined {
  const [x = 0, y = 0] = key.slice(CLICK.length).split(' ').map(Number);
  const { ui, size, body, now } = snapshot;
  if (y === size.rows - 1) {
    const tab = tabAt(x, ui, size);
    return tab && { ui: withTab(snapshot, tab) };
  }
  const list = listInView(snapshot);
  const id = body?.ids[y - body.top + body.start];
  const isInside =
    body !== undefined &&
    y >= body.top &&
    y < body.top + body.height &&
    x < body.left + body.columns;
  if (list === undefined || id === undefined || !isInside) return undefined;
  const isSecond = ui.clicked?.key === key && now - ui.clicked.at <= TWO_CLICKS;
  return id === list.chosen || isSecond
    ? press(snapshot, 'enter')
    : { ui: { ...withChosen(ui, list.id, id), clicked: { key, at: now } } };
}

/** The terminal's usual keys, whatever is on the screen. */
const ALWAYS: readonly KeyName[] = ['ctrl-c', 'ctrl-z', 'ctrl-l'];
/** The keys that a question leaves as they are. */
const BESIDE_QUESTIONS: readonly KeyName[] = [...ALWAYS, 'esc', '?'];

/** The keys of a replay, or of any other run, with those of the timeline where there is one. */
export function bindingsOfRun(snapshot: Snapshot): readonly Binding[] {
  const replays = snapshot.context.replayLength !== undefined;
  const pod = podInView(snapshot);
  const isThere = viewBelow(snapshot) !== 'pod' || (pod !== undefined && hasLanes(pod, snapshot));
  return BINDINGS.filter(
    ({ isReplay = replays, views }) => isReplay === replays && (isThere || views !== LANES),
  );
}

export function bindingsOf(snapshot: Snapshot): readonly Binding[] {
  const view = viewName(snapshot);
  return bindingsOfRun(snapshot).filter(({ views, keys }) =>
    views === undefined
      ? // A question waits for its answer.
        !QUESTIONS.includes(view) || keys.some((key) => BESIDE_QUESTIONS.includes(key))
      : views.includes(view),
  );
}

/** Returns the keys of a binding as users know them. */
export function labelOf({ keys, label = keys[0] }: Binding, snapshot: Snapshot): string {
  return typeof label === 'string' ? label : label(snapshot);
}
