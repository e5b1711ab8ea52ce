import stringWidth from 'string-width';

/** Printable ASCII, and those of our own signs that a terminal shows in one column. */
const NARROW = /^[\x20-\x7e\xb7\u2013\u2026\u2190-\u21ff\u2500-\u25ff\u2713\u2717]*$/;

/** The columns that a terminal needs for a text without control characters. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

const segmenter = new Intl.Segmenter();

/** What a reader takes for its characters: each with its combining marks. */
export function graphemes(text: string): string[] {
  if (NARROW.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** As much from the text's begin as fits. */
export function takeWidth(text: string, width: number): string {
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
