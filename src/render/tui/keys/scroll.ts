import type { Snapshot } from '../store/snapshot.js';
import type { Ui } from '../store/ui.js';
import { placeOf, viewHeight } from '../views/layout.js';
import type { ViewKind } from '../views/view.js';
import type { KeyName } from './keys-of.js';

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
