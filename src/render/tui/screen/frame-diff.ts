import { pinColumns } from './pin-columns.js';

/** What turns the rows on the screen into those that are to be there. Empty when they are the same. */
export function frameDiff(before: readonly string[], after: readonly string[]): string {
  const height = Math.max(before.length, after.length);
  let written = '';
  for (let y = 0; y < height; y++) {
    const row = after[y] ?? '';
    if (row === before[y]) continue;
    // Erased first: at the right margin, erasing afterwards would take the last character away.
    written += `\x1b[${y + 1};1H\x1b[2K${pinColumns(row)}`;
  }
  return written;
}
