import type { AttemptView } from '../../../../trace/summary/probe-view.js';
import { line } from '../../../text/line.js';
import { findProbeIn, type FoundProbe } from '../../store/find-probe.js';
import type { Snapshot } from '../../store/snapshot.js';
import { filteredBody, NO_BODY, type ViewKind } from '../view.js';
import { attemptLines } from './attempt-lines.js';

/** One attempt, whole. */
export const attemptView: ViewKind = {
  title: (snapshot) => {
    const found = foundOf(snapshot);
    if (found === undefined) return 'attempt';
    const { container, probe, attempt, index } = found;
    const which =
      attempt === undefined ? 'no attempt yet' : `attempt ${index + 1} of ${probe.attempts.length}`;
    return `${container.name}/${probe.type}: ${which}`;
  },
  show(snapshot) {
    const found = foundOf(snapshot);
    if (found?.attempt === undefined) {
      return { head: [{ line: line('no attempt has ended yet', 'dim') }], body: NO_BODY, tail: [] };
    }
    const lines = attemptLines(found, found.attempt, snapshot);
    const body = filteredBody(`attempt ${found.attempt.startedAt}`, lines, snapshot.ui);
    return { head: [], body, tail: [] };
  },
  press(snapshot, key) {
    const step = { left: -1, h: -1, right: 1 }[key];
    const found = foundOf(snapshot);
    if (step === undefined || found === undefined) return undefined;
    const next = found.probe.attempts[found.index + step];
    if (next === undefined) return { ui: snapshot.ui };
    const { ui } = snapshot;
    const overlay = ui.overlays.at(-1);
    if (overlay?.kind !== 'attempt') return undefined;
    const { startedAt } = next;
    return { ui: { ...ui, overlays: [...ui.overlays.slice(0, -1), { ...overlay, startedAt }] } };
  },
  keys: [
    { key: '← →', word: 'attempts', sentence: 'the attempt before, the one after' },
    { key: 'j k', word: 'scroll', sentence: 'scroll' },
    { key: 'w', word: 'wrap', sentence: 'wrap long lines, or cut them off' },
    { key: 'esc', word: 'back', sentence: 'back' },
  ],
};

interface FoundAttempt extends FoundProbe {
  readonly attempt: AttemptView | undefined;
  readonly index: number;
}

/** The attempt that is looked at; the latest when it is not said which, or when it is no longer known. */
function foundOf({ summary, ui }: Snapshot): FoundAttempt | undefined {
  const overlay = ui.overlays.findLast(({ kind }) => kind === 'attempt');
  if (overlay?.kind !== 'attempt') return undefined;
  const found = findProbeIn(summary, overlay);
  if (found === undefined) return undefined;
  const { attempts } = found.probe;
  const at = attempts.findIndex(({ startedAt }) => startedAt === overlay.startedAt);
  const index = at === -1 ? attempts.length - 1 : at;
  return { ...found, attempt: attempts[index], index };
}
