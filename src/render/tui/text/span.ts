import { escapeControl } from '../../escape.js';

/** What a piece of text means; the painter knows how that looks. */
export type Tone =
  | 'plain'
  /** Less worth than the rest. */
  | 'dim'
  | 'strong'
  | 'good'
  | 'bad'
  | 'warn'
  /** What stands out without being good or bad. */
  | 'info'
  /** Under the cursor. */
  | 'cursor';

declare const safe: unique symbol;
/** A text in which every control character is escaped. */
export type SafeText = string & { readonly [safe]: true };

export interface Span {
  readonly text: SafeText;
  readonly tone: Tone;
}

/** One row of the screen, or a part of one. */
export type Line = readonly Span[];

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** The only way to a span: whatever the text's origin, it can no longer steer a terminal. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return { text: safeText(text), tone };
}

export function safeText(text: string): SafeText {
  return (PRINTABLE_ASCII.test(text) ? text : escapeControl(text)) as SafeText;
}
