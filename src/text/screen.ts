import type { Tone } from './line.js';

/** A terminal or a file that texts are printed on. */
export interface Screen {
  /** Paints a text whose control characters are escaped. */
  readonly paint: (text: string, tone: Tone) => string;
  /** Breaks a text that begins at column `start` into rows, at spaces; all but the first begin with `indent` spaces. */
  readonly wrap: (text: string, indent: number, start?: number) => string;
}

/** A file or a pipe. `once` starts with it, without the width of characters that terminals need. */
export const UNPAINTED: Screen = { paint: (text) => text, wrap: (text) => text };
