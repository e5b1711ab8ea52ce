import { rowTargets } from '../pod/pod-table.js';
import { chosenTarget } from '../pod/pod-view.js';
import type { Effect } from '../store/effect.js';
import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Ui } from '../store/ui.js';
import type { KeyName } from './keys-of.js';

export interface Pressed {
  readonly ui: Ui;
  readonly effect?: Effect;
}

/** What a key does. */
export function press(snapshot: Snapshot, key: KeyName): Pressed {
  const { ui } = snapshot;
  switch (key) {
    case 'ctrl-c':
      return { ui, effect: { kind: 'interrupt' } };
    case 'ctrl-z':
      return { ui, effect: { kind: 'suspend' } };
    case 'q':
      return { ui, effect: { kind: 'quit' } };
    case '?':
      return { ui: { ...ui, overlays: ui.overlays.length > 0 ? [] : [{ kind: 'help' }] } };
    case 'esc':
      return { ui: { ...ui, overlays: ui.overlays.slice(0, -1) } };
    default:
      return { ui: choose(snapshot, key) };
  }
}

function choose(snapshot: Snapshot, key: KeyName): Ui {
  const { ui } = snapshot;
  const pod = podInView(snapshot);
  if (pod === undefined) return ui;
  const targets = rowTargets(pod, ui.filter);
  const at = targets.findIndex(({ id }) => id === chosenTarget(pod, snapshot));
  const to = moved(at, targets.length, key);
  const id = to === undefined ? undefined : targets[to]?.id;
  return id === undefined ? ui : { ...ui, chosen: { ...ui.chosen, [pod.key]: id } };
}

function moved(at: number, count: number, key: KeyName): number | undefined {
  switch (key) {
    case 'j':
    case 'down':
      return Math.min(count - 1, at + 1);
    case 'k':
    case 'up':
      return Math.max(0, at - 1);
    case 'g':
    case 'home':
      return 0;
    case 'G':
    case 'end':
      return count - 1;
    default:
      return undefined;
  }
}
