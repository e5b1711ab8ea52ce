import { verdictOf } from '../../../trace/summary/verdict.js';
import { line, wrapText } from '../../text/line.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Row } from './view.js';

const SMALLEST = { columns: 60, rows: 15 };

export function isTooSmall({ size }: Snapshot): boolean {
  return size.columns < SMALLEST.columns || size.rows < SMALLEST.rows;
}

/** What is said where there is no room to show anything, with how things stand. */
export function tooSmallRows({ size, summary }: Snapshot): Row[] {
  const { columns, rows } = size;
  const texts = [
    `kprobe needs ${SMALLEST.columns}×${SMALLEST.rows}; this is ${columns}×${rows}.`,
    'Probing goes on. q quits.',
    '',
    ...(summary.pods.length === 0 ? [] : [verdictOf(summary).sentence]),
  ];
  return texts
    .flatMap((text) => wrapText(text, columns))
    .slice(0, rows)
    .map((text) => ({ line: line(text) }));
}
