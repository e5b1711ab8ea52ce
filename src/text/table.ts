import { escapeControl } from './escape.js';
import {
  elideLine,
  fitLine,
  joinLines,
  type Line,
  lineWidth,
  type Span,
  span,
  wrapLine,
} from './line.js';

/** Aligns rows in columns, two spaces apart. */
export function alignRows(rows: readonly (readonly string[])[]): string[] {
  const safe = rows.map((row) => row.map(escapeControl));
  const widths: number[] = [];
  for (const row of safe) {
    row.forEach((cell, index) => (widths[index] = Math.max(cell.length, widths[index] ?? 0)));
  }
  return safe.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function table(rows: readonly (readonly string[])[]): string {
  return alignRows(rows)
    .map((row) => `  ${row}\n`)
    .join('');
}

export interface Column {
  /** The least width at which it is shown. */
  readonly min: number;
  readonly max: number;
  /** Columns with the lowest priority are dropped first. */
  readonly priority: number;
  readonly align?: 'left' | 'right';
  /** Weight in sharing the remaining room; 1 by default. */
  readonly weight?: number;
  /** Where `tableRow` cuts a long cell: in the middle (names), or after a word (sentences); `tableRows` wraps it instead. */
  readonly cut?: 'middle' | 'word' | undefined;
}

const GAP = 1;

/** Returns the width of each column, 0 for dropped ones; remaining room is shared by the columns that can grow. */
export function columnWidths(columns: readonly Column[], width: number): number[] {
  const kept = new Set(columns);
  const needed = (): number =>
    [...kept].reduce((sum, { min }) => sum + min + GAP, 0) - (kept.size > 0 ? GAP : 0);
  while (needed() > width && kept.size > 1) {
    kept.delete(
      [...kept].reduce((least, column) => (column.priority < least.priority ? column : least)),
    );
  }
  const widths = new Map([...kept].map((column) => [column, column.min]));
  share(widths, width - needed());
  return columns.map((column) => Math.min(width, widths.get(column) ?? 0));
}

function share(widths: Map<Column, number>, left: number): void {
  for (let room = left; room > 0;) {
    const growing = [...widths].filter(([{ max }, width]) => width < max);
    if (growing.length === 0) return;
    for (const [column, width] of growing) {
      const more = Math.min(room, column.weight ?? 1, column.max - width);
      widths.set(column, width + more);
      room -= more;
    }
  }
}

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
    const cell = cells[index] ?? [];
    row.push(...fitLine(cutCell(cell, column.cut, width), width, column.align));
  });
  return row;
}

export function cutCell(cell: Line, cut: Column['cut'], width: number): Line {
  if (cut === undefined || lineWidth(cell) <= width) return cell;
  if (cut === 'middle') return elideLine(cell, width);
  const [words = []] = wrapLine(cell, width - 1);
  return [...words, span('…', 'dim')];
}

/** Returns a whole row: columns that cut long cells take as many lines as they need, up to `maxRows`. */
export function tableRows(
  cells: readonly Line[],
  columns: readonly Column[],
  widths: readonly number[],
  maxRows: number,
): Line[] {
  const wrapped = cells.map((cell, index) => {
    const rows = columns[index]?.cut ? wrapLine(cell, widths[index] ?? 0) : [cell];
    const rest = rows.slice(maxRows - 1);
    return rest.length > 1 ? [...rows.slice(0, maxRows - 1), joinLines(rest, ' ')] : rows;
  });
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, y) =>
    tableRow(
      wrapped.map((rows) => rows[y] ?? []),
      columns,
      widths,
    ),
  );
}
