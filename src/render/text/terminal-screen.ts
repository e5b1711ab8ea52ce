import { wrapText } from './line.js';
import { type Look, paintText } from './paint.js';
import type { Screen } from './screen.js';

/** Columns that a row has at least. */
const LEAST = 20;

/** A terminal of so many columns, with its colors. */
export function terminalScreen(look: Look, columns: number): Screen {
  return {
    paint: (text, tone) => paintText(text, tone, look),
    wrap(text, indent, start = 0) {
      if (text.length <= Math.max(LEAST, columns - start)) return text;
      return wrapText(text, Math.max(LEAST, columns - indent)).join(`\n${' '.repeat(indent)}`);
    },
  };
}
