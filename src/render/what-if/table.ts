import { escapeControl } from '../escape.js';

/** Rows in columns, two spaces apart; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map(escapeControl));
  const widths = safe.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(cell.length, most[column] ?? 0)),
    [],
  );
  return safe
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `  ${line.trimEnd()}\n`)
    .join('');
}

/** A time in seconds, or that there is none. */
export function seconds(time: number | undefined): string {
  return time === undefined ? '–' : `${time.toFixed(1)} s`;
}
