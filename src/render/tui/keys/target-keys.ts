import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import { withOverlay } from '../store/ui.js';
import { chosenTarget, type RowTarget } from '../views/pod/row-target.js';
import type { Pressed } from '../views/view.js';
import type { KeyName } from './keys-of.js';

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
