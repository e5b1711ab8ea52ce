import type { AttemptView } from '../../../../trace/summary/probe-view.js';
import type { Snapshot } from '../../store/snapshot.js';
import type { RowTarget } from '../pod/row-target.js';

/** The attempt under the cursor: the chosen one, or in another lane the one nearest to it in time. */
export function cursorAttempt({ probe }: RowTarget, { ui }: Snapshot): AttemptView | undefined {
  const { cursor } = ui.timeline;
  const attempts = probe?.attempts ?? [];
  if (cursor === undefined) return attempts.at(-1);
  return attempts.findLast(({ startedAt }) => startedAt <= cursor) ?? attempts[0];
}
