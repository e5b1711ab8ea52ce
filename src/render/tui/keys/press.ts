import type { Snapshot } from '../store/snapshot.js';
import { currentView } from '../views/current-view.js';
import type { Pressed } from '../views/view.js';
import { pasteInFilter, pressInFilter } from './filter-keys.js';
import { pressAnywhere } from './global-keys.js';
import { PASTED } from './key-reader.js';
import type { KeyName } from './keys-of.js';
import { scroll } from './scroll.js';

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
