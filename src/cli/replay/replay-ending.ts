import type { Replay } from '../../app/replay.js';
import type { Ending } from '../../render/renderer.js';
import type { Trace } from '../../trace/read-trace.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import { exitCodeOfVerdict } from '../shared/exit-code.js';

/** How a replay ends: as the run did; where less of its seconds was shown, with what had come of it by then. */
export function replayEnding(
  { end }: Pick<Trace, 'end'>,
  { summary, now }: Pick<Replay, 'summary' | 'now'>,
  whole: number,
  signal: AbortSignal,
): Ending {
  const verdict = verdictOf(summary);
  if (signal.aborted) {
    return { t: now, kind: 'interrupted', verdict, exitCode: Number(signal.reason) };
  }
  if (end === undefined || now < whole) {
    return { t: now, kind: 'goal', verdict, exitCode: exitCodeOfVerdict(verdict) };
  }
  const { at, how: kind, verdict: holds, sentence, exitCode } = end;
  return { t: at, kind, verdict: { kind: holds, sentence }, exitCode };
}
