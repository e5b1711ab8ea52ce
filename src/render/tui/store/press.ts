import { graphemes } from '../../text/line.js';
import { type Binding, BINDINGS } from './bindings.js';
import { type KeyName, PASTED } from './key-reader.js';
import { filterOf, viewName, withFilter } from './selection.js';
import type { Pressed, Snapshot, Ui, ViewName } from './state.js';

/** The effect of a key. */
export function press(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  const isTyping = ui.filterBefore !== undefined;
  if (key.startsWith(PASTED)) {
    const text = key.slice(PASTED.length).trim().replaceAll(/\s+/g, ' ');
    return { ui: isTyping ? withFilter(snapshot, filterOf(snapshot) + text) : ui };
  }
  if (isTyping && !ALWAYS.includes(key)) return { ui: pressInFilter(snapshot, key) };
  for (const binding of bindingsOf(viewName(snapshot))) {
    const pressed = binding.keys.includes(key) ? binding.act(snapshot, key) : undefined;
    if (pressed !== undefined) return pressed;
  }
  return { ui };
}

/** The terminal's usual keys, whatever is on the screen. */
const ALWAYS: readonly KeyName[] = ['ctrl-c', 'ctrl-z', 'ctrl-l'];

/** The keys that work in a view. */
export function bindingsOf(view: ViewName): readonly Binding[] {
  return BINDINGS.filter(({ views, keys }) =>
    views === undefined
      ? // A question waits for its answer.
        view !== 'confirmRestart' || keys.some((key) => ALWAYS.includes(key))
      : views.includes(view),
  );
}

function pressInFilter(snapshot: Snapshot, key: KeyName): Ui {
  const { ui } = snapshot;
  const filter = filterOf(snapshot);
  switch (key) {
    case 'enter':
      return { ...ui, filterBefore: undefined };
    case 'esc':
      return { ...withFilter(snapshot, ui.filterBefore ?? ''), filterBefore: undefined };
    case 'backspace':
      return withFilter(snapshot, graphemes(filter).slice(0, -1).join(''));
    case 'ctrl-u':
      return withFilter(snapshot, '');
    default:
      // Names of keys are longer than the one character of what can be typed.
      return graphemes(key).length === 1 ? withFilter(snapshot, filter + key) : ui;
  }
}
