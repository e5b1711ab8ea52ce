import stringWidth from 'string-width';

import { escapeControl } from './escape.js';

/** Meaning of a piece of text; the painter decides its color. */
export type Tone =
  | 'plain'
  /** Less important than the rest. */
  | 'dim'
  | 'strong'
  | 'good'
  | 'bad'
  | 'warn'
  /** Stands out without being good or bad. */
  | 'info'
  | 'cursor';

declare const safe: unique symbol;
/** A text in which every control character is escaped. */
type SafeText = string & { readonly [safe]: true };

export interface Span {
  readonly text: SafeText;
  readonly tone: Tone;
}

export type Line = readonly Span[];

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Escapes the text, so that a span cannot control a terminal; there is no other way to make one. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return { text: safeText(text), tone };
}

function safeText(text: string): SafeText {
  return (PRINTABLE_ASCII.test(text) ? text : escapeControl(text)) as SafeText;
}

/** Printable Latin characters, and kprobe's signs that take one column. */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2013\u2026\u2190-\u21ff\u2260\u2264\u2500-\u25fc\u2713\u2717]*$/;

/** Returns the columns that a text without control characters takes. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Made when first needed: it takes 10 ms. */
let segmenter: Intl.Segmenter | undefined;

export function graphemes(text: string): string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function takeWidth(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, width));
  let taken = '';
  let left = width;
  for (const grapheme of graphemes(text)) {
    left -= textWidth(grapheme);
    if (left < 0) break;
    taken += grapheme;
  }
  return taken;
}

const ELLIPSIS = span('…', 'dim');

export function line(text: string, tone: Tone = 'plain'): Line {
  return [span(text, tone)];
}

export function lineWidth(parts: Line): number {
  return parts.reduce((sum, { text }) => sum + textWidth(text), 0);
}

export function lineText(parts: Line): string {
  return parts.map(({ text }) => text).join('');
}

/** Cuts a line at `width` columns, with an ellipsis. */
export function clipLine(parts: Line, width: number): Line {
  if (lineWidth(parts) <= width) return parts;
  if (width <= 0) return [];
  return [...takeLine(parts, width - 1), ELLIPSIS];
}

/** Cuts a line to `width` columns in its middle, so that names, codes and ends stay. */
export function elideLine(parts: Line, width: number): Line {
  if (lineWidth(parts) <= width) return parts;
  // Messages begin with what fails, and names differ at their ends.
  const tail = Math.floor((width - 1) * 0.4);
  if (tail < 1) return clipLine(parts, width);
  const turned = (line: Line): Line =>
    line.toReversed().map(({ text, tone }) => {
      return { text: graphemes(text).reverse().join('') as SafeText, tone };
    });
  const begin = takeWords(parts, width - 1 - tail);
  const end = takeWords(turned(parts), width - 1 - lineWidth(begin));
  return [...begin, ELLIPSIS, ...turned(end)];
}

/** Cuts no word where that costs at most a fifth of the width. */
function takeWords(parts: Line, width: number): Line {
  const words = lineWidth(wrapLine(parts, width)[0] ?? []);
  return takeLine(parts, words < 0.8 * width ? width : words);
}

/** Returns the row under the cursor, over its whole width. */
export function chosenLine(parts: Line, width: number): Line {
  return fitLine(parts, width).map(({ text }) => ({ text, tone: 'cursor' }));
}

function takeLine(parts: Line, width: number): Line {
  let left = width;
  return parts.map(({ text, tone }) => {
    const part = takeWidth(text, left);
    // Nothing after a cut part is shown, even where it would fit.
    left = part === text ? left - textWidth(part) : 0;
    return { text: part as SafeText, tone };
  });
}

export function fitLine(parts: Line, width: number, align: 'left' | 'right' = 'left'): Line {
  const clipped = clipLine(parts, width);
  const pad = width - lineWidth(clipped);
  if (pad <= 0) return clipped;
  const blank = span(' '.repeat(pad));
  return align === 'left' ? [...clipped, blank] : [blank, ...clipped];
}

/** Joins lines with a text between those that are not empty. */
export function joinLines(lines: readonly Line[], between = '  '): Line {
  return lines
    .filter((parts) => parts.length > 0)
    .flatMap((parts, index) => (index === 0 ? parts : [span(between), ...parts]));
}

/** Joins lines into rows of at most `width` columns, two spaces apart, without breaking any. */
export function flowLines(lines: readonly Line[], width: number): Line[] {
  const rows: Line[] = [];
  for (const part of lines) {
    const row = rows.at(-1);
    const longer = row === undefined ? part : [...row, span('  '), ...part];
    if (row !== undefined && lineWidth(longer) > width) rows.push(part);
    else rows.splice(-1, 1, longer);
  }
  return rows;
}

/** Returns a text beside a heading; further rows are indented. */
export function hangingRows(head: Span, text: string, width: number, tone: Tone = 'plain'): Line[] {
  const indent = textWidth(head.text);
  return wrapText(text, Math.max(1, width - indent)).map((row, index) => [
    index === 0 ? head : span(' '.repeat(indent), head.tone),
    span(row, tone),
  ]);
}

/** Breaks a line into rows of at most `width` columns, in the tone of its first part. */
export function wrapLine(parts: Line, width: number): Line[] {
  if (lineWidth(parts) <= width) return [parts];
  return wrapText(lineText(parts), width).map((row) => line(row, parts[0]?.tone));
}

/** Ends of words, but not between a number and its unit, nor within a range. */
const WORD_END = /(?<= )(?<!\d (?=(?:s|ms|%|×)(?!\w)))(?<!\d (?=– \d))(?<!\d – (?=\d))/;

/** Escapes a text and breaks it into rows of at most `width` columns, at spaces where possible. */
export function wrapText(text: string, width: number): string[] {
  if (width <= 0) return [];
  const rows: string[] = [];
  let row = '';
  for (const word of safeText(text).split(WORD_END)) {
    if (textWidth(row) + textWidth(word.trimEnd()) > width && row !== '') {
      rows.push(row.trimEnd());
      row = '';
    }
    let rest = word;
    while (textWidth(rest.trimEnd()) > width) {
      const head = takeWidth(rest, width) || (graphemes(rest)[0] ?? '');
      rows.push(head);
      rest = rest.slice(head.length);
    }
    row += rest;
  }
  return row.trimEnd() === '' && rows.length > 0 ? rows : [...rows, row.trimEnd()];
}
