import type { AttemptView, ProbeView } from '../../../../trace/summary/probe-view.js';
import { type Span, span, type Tone } from '../../../text/line.js';
import { attemptSign, attemptTone } from '../../format/attempt-result.js';
import { turnsOf } from './moments.js';
import { cellOf, type TimeWindow } from './window.js';

interface Cell {
  readonly sign: string;
  readonly tone: Tone;
  readonly worth: number;
}

const EMPTY: Cell = { sign: ' ', tone: 'plain', worth: 0 };

/** A probe's attempts, each where it ended; a long one with a line that leads there. */
export function probeLane(
  probe: ProbeView,
  now: number,
  window: TimeWindow,
  cursor: AttemptView | undefined,
): Span[] {
  const cells = Array.from({ length: window.width }, () => EMPTY);
  const put = (index: number, cell: Cell): void => {
    const there = cells[index];
    if (there !== undefined && cell.worth >= there.worth) cells[index] = cell;
  };
  const lead = (from: number, to: number): void => {
    const begin = Math.max(0, cellOf(from, window));
    const end = Math.min(window.width, cellOf(to, window));
    for (let index = begin; index < end; index++) put(index, { sign: '─', tone: 'dim', worth: 1 });
  };
  const turns = new Set(turnsOf(probe.attempts));
  for (const attempt of probe.attempts) {
    const { startedAt, endedAt } = attempt;
    if (cellOf(endedAt, window) < 0) continue;
    if (endedAt - startedAt >= window.cell / 2) lead(startedAt, endedAt);
    put(cellOf(endedAt, window), attemptCell(attempt, turns.has(attempt), attempt === cursor));
  }
  if (probe.inFlight !== undefined) {
    lead(probe.inFlight.startedAt, now);
    put(cellOf(now, window), { sign: '…', tone: 'info', worth: 2 });
  }
  return cells.map(({ sign, tone }) => span(sign, tone));
}

/** Arrows mark what changed the probe's result; of several attempts in a cell the worst shows. */
function attemptCell(attempt: AttemptView, turned: boolean, isCursor: boolean): Cell {
  const tone = isCursor ? 'cursor' : attemptTone(attempt);
  if (turned) return { sign: attempt.set === 'success' ? '↑' : '↓', tone, worth: isCursor ? 9 : 6 };
  const sign = attemptSign(attempt);
  const worth = { '✓': 3, '!': 4, '✗': 5 }[sign] ?? 3;
  return { sign, tone, worth: isCursor ? 9 : worth };
}
