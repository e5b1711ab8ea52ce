import { type Look, paintLine } from './tui/text/paint.js';
import type { Line } from './tui/text/span.js';

export interface PlainLook {
  readonly look: Look;
  /** Nothing but text: it does not go to a terminal. */
  readonly plain: boolean;
}

/** A line for a terminal, or for what is none. */
export function paintPlainly(parts: Line, { look, plain }: PlainLook): string {
  const shown = plain ? parts.map(({ text }) => ({ text, tone: 'plain' as const })) : parts;
  return paintLine(shown, look).trimEnd();
}
