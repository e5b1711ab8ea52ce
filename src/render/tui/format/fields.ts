import { type Line, span, type Tone, wrapText } from '../../text/line.js';

/** Columns that a field's name takes. */
export const FIELD_WIDTH = 12;

/** A named value; what is too long for a row goes on below. */
export function field(name: string, value: string, width: number, tone: Tone = 'plain'): Line[] {
  const rows = wrapText(value, Math.max(1, width - FIELD_WIDTH));
  return rows.map((row, index) => [
    span((index === 0 ? name : '').padEnd(FIELD_WIDTH), 'dim'),
    span(row, tone),
  ]);
}

export function heading(text: string): Line {
  return [span(text, 'info')];
}

/** A text of several lines, indented; long ones wrapped, or left to be cut off. */
export function indented(text: string, width: number, wraps: boolean): Line[] {
  const lines = text.replace(/(\r?\n)+$/, '').split(/\r?\n/);
  return lines
    .flatMap((one) => (wraps ? wrapText(one, Math.max(1, width - 2)) : [one]))
    .map((one) => [span('  '), span(one)]);
}
