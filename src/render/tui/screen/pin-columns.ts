import { textWidth } from '../../text/line.js';

const PARTS = /\x1b\[[\d;]*m|[\x20-\x7e]+|[^\x1b\x20-\x7e]+/g;

/**
 * A painted row that says after each piece of non-ASCII at which column it goes on: terminals differ in what is wide,
 * and the columns stay where they are whatever this one thinks.
 */
export function pinColumns(row: string): string {
  let pinned = '';
  let column = 0;
  let unsure = false;
  for (const [part] of row.matchAll(PARTS)) {
    if (part.startsWith('\x1b')) {
      pinned += part;
      continue;
    }
    if (unsure) pinned += `\x1b[${column + 1}G`;
    pinned += part;
    unsure = !/^[\x20-\x7e]/.test(part);
    column += textWidth(part);
  }
  return pinned;
}
