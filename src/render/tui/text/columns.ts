import { fitLine } from './line.js';
import type { Line, Span } from './span.js';
import { span } from './span.js';

/** A column of a table. */
export interface Column {
  /** Narrower than this it is not worth showing. */
  readonly min: number;
  /** Wider than this it does not get, unless it grows. */
  readonly max: number;
  /** Those of least worth go first when there is no room. */
  readonly worth: number;
  readonly align?: 'left' | 'right';
}

const GAP = 1;

/** The width of each column, 0 for those that have to go. Room that is left goes to the worthiest first. */
export function columnWidths(columns: readonly Column[], width: number): number[] {
  const kept = new Set(columns);
  const needed = (): number =>
    [...kept].reduce((sum, { min }) => sum + min + GAP, 0) - (kept.size > 0 ? GAP : 0);
  while (needed() > width && kept.size > 1) {
    kept.delete([...kept].reduce((least, column) => (column.worth < least.worth ? column : least)));
  }
  let left = width - needed();
  const widths = new Map([...kept].map((column) => [column, column.min]));
  for (const column of [...kept].sort((a, b) => b.worth - a.worth)) {
    const more = Math.max(0, Math.min(left, column.max - column.min));
    widths.set(column, column.min + more);
    left -= more;
  }
  return columns.map((column) => Math.min(width, widths.get(column) ?? 0));
}

/** Cells side by side in their columns. */
export function tableRow(
  cells: readonly Line[],
  columns: readonly Column[],
  widths: readonly number[],
): Line {
  const row: Span[] = [];
  columns.forEach((column, index) => {
    const width = widths[index] ?? 0;
    if (width === 0) return;
    if (row.length > 0) row.push(span(' '.repeat(GAP)));
    row.push(...fitLine(cells[index] ?? [], width, column.align));
  });
  return row;
}
