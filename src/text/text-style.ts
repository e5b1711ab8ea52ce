import type { Tone } from './line.js';

export interface TextStyle {
  readonly paint: (text: string, tone: Tone) => string;
  /** Breaks a text that begins at column `start` into rows, at spaces; all but the first begin with `indent` spaces. */
  readonly wrap: (text: string, indent: number, start?: number) => string;
}

/** A file or a pipe. `once` uses it without loading the width of characters, which only terminals need. */
export const UNPAINTED: TextStyle = { paint: (text) => text, wrap: (text) => text };
