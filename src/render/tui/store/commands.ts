import { podInView, withTab } from './selection.js';
import { type Pressed, type Snapshot, type Tab, TABS, withChosen, withOverlay } from './state.js';

const NAMES = ['pods', ...TABS, 'keys', 'quit'];

/** The effect of a command behind `:`, such as `events`, `pod web`, `logs app` or `q`. */
export function runCommand(snapshot: Snapshot, text: string): Pressed {
  const { ui } = snapshot;
  const [word = '', argument = ''] = text.trim().split(/\s+/);
  if (word === '') return { ui };
  const name = NAMES.find((one) => one === word) ?? NAMES.find((one) => one.startsWith(word));
  const say = (told: string): Pressed => ({ ui, effect: { kind: 'say', text: told } });
  switch (name) {
    case undefined:
      return say(`no command ${word}; there are ${NAMES.join(', ')}`);
    case 'quit':
      return { ui, effect: { kind: 'quit' } };
    case 'keys':
      return { ui: withOverlay(ui, { kind: 'help' }) };
    case 'pods':
      return { ui: { ...ui, pod: undefined, tab: 'pod', overlays: [] } };
    default:
      return argument === ''
        ? { ui: withTab(snapshot, name as Tab) }
        : (jumpTo(snapshot, name as Tab, argument) ?? say(`nothing is named ${argument}`));
  }
}

/** To a tab of a pod, or of a container of the pod in view. */
function jumpTo(snapshot: Snapshot, tab: Tab, name: string): Pressed | undefined {
  const { summary, ui } = snapshot;
  const open = podInView(snapshot);
  const container = open?.containers.find((one) => one.name.startsWith(name));
  const pod =
    summary.pods.find(({ key, object }) => [key, object.metadata.name].includes(name)) ??
    summary.pods.find(({ object }) => object.metadata.name.startsWith(name));
  if (open !== undefined && container !== undefined && tab !== 'pod') {
    return { ui: { ...withChosen(ui, open.key, container.name), tab, overlays: [] } };
  }
  return pod && { ui: { ...ui, pod: pod.key, tab, overlays: [] } };
}
