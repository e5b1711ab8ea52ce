import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import { type Tab, TABS, type Ui, withOverlay } from '../store/ui.js';
import { chosenPod } from '../views/pods/chosen-pod.js';
import type { Pressed } from '../views/view.js';
import type { KeyName } from './keys-of.js';
import { pressOnTarget } from './target-keys.js';

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
