import type { ContainerView, RunView } from '../../../../trace/summary/container-view.js';
import { type Span, span, type Tone } from '../../../text/line.js';
import { cellOf, timeOf, type TimeWindow } from './window.js';

interface Mark {
  readonly sign: string;
  readonly tone: Tone;
}

/** What a container did, and what was done to it. */
export function containerLane(
  container: ContainerView,
  addedAt: number,
  now: number,
  window: TimeWindow,
): Span[] {
  const marks = marksOf(container, window);
  return Array.from({ length: window.width }, (_, index) => {
    const time = Math.min(now, timeOf(index, window));
    const mark = marks.get(index);
    if (mark !== undefined) return span(mark.sign, mark.tone);
    const beyond = cellOf(now, window) < index || time < addedAt;
    return beyond ? span(' ') : stateCell(container, time);
  });
}

/** Starts, TERM and ends, by cell; a run that ends and one that starts in the same cell are a restart. */
function marksOf({ runs }: ContainerView, window: TimeWindow): Map<number, Mark> {
  const marks = new Map<number, Mark>();
  const put = (time: number | undefined, sign: string, tone: Tone): void => {
    const index = time === undefined ? -1 : cellOf(time, window);
    if (index < 0 || index >= window.width) return;
    const there = marks.get(index)?.sign;
    const restart = sign === 'S' && (there === 'E' || there === 'R');
    marks.set(index, restart ? { sign: 'R', tone: 'bad' } : { sign, tone });
  };
  for (const run of runs) {
    put(run.startedAt, 'S', 'strong');
    put(run.stop?.at, 'T', 'bad');
    put(run.endedAt, 'E', run.exitCode === 0 ? 'strong' : 'bad');
  }
  return marks;
}

function stateCell(container: ContainerView, time: number): Span {
  const run = container.runs.findLast(
    ({ startedAt, endedAt }) => (startedAt ?? endedAt ?? 0) <= time,
  );
  if (run === undefined) return span('·', 'dim');
  if (run.endedAt !== undefined && run.endedAt <= time) return endedCell(run, time);
  if (run.stop !== undefined && run.stop.at <= time) return span('▒', 'bad');
  const state = container.states.findLast(({ t }) => t <= time);
  // The status follows a second or so later: until then it speaks of the run before.
  if (state === undefined || state.t < (run.startedAt ?? 0)) return span('▂', 'warn');
  if (state.ready) return span('█', 'good');
  return state.started ? span('▄', 'warn') : span('▂', 'warn');
}

function endedCell({ backOff, exitCode }: RunView, time: number): Span {
  const waits = backOff !== undefined && backOff.since <= time;
  if (waits) return span('░', 'bad');
  return exitCode === 0 ? span('·', 'dim') : span('·', 'bad');
}
