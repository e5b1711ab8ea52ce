import { type Line, textWidth, type Tone, wrapText } from './line.js';
import type { TextStyle } from './text-style.js';

export interface Theme {
  readonly color: boolean;
  readonly unicode: boolean;
}

/** The terminal's 16 colors, which fit its background. */
const COLORED: Readonly<Record<Tone, string>> = {
  plain: '',
  dim: '2',
  strong: '1',
  good: '32',
  bad: '31',
  warn: '33',
  info: '36',
  cursor: '7',
};

const COLORLESS: Readonly<Record<Tone, string>> = {
  ...COLORED,
  good: '',
  bad: '1',
  warn: '1',
  info: '',
};

/** kprobe's signs, and their ASCII replacements of the same width; other characters become `?`. */
const SIGNS = '✓✗…→←≠≤↳↑↓▸▼▲·–×│╷─┌┐└┘├┤┬┴█▇▆▅▄▃▂▁░▒▓';
const ASCII = '+x~><!<`^v*v^--x||-++++++++###==--_.:%';

export function paintLine(parts: Line, theme: Theme): string {
  return parts.map(({ text, tone }) => paintText(text, tone, theme)).join('');
}

function paintText(text: string, tone: Tone, { color, unicode }: Theme): string {
  const shown = unicode ? text : toAscii(text);
  const code = (color ? COLORED : COLORLESS)[tone];
  return code === '' || shown === '' ? shown : `\x1b[${code}m${shown}\x1b[${RESETS[code] ?? '39'}m`;
}

/** Codes that end another code; those of colors end with 39. */
const RESETS: Readonly<Record<string, string>> = { 1: '22', 2: '22', 7: '27' };

export function toAscii(text: string): string {
  return text.replace(
    /[^\x00-\x7e]/gu,
    (sign) => ASCII[SIGNS.indexOf(sign)] ?? '?'.repeat(textWidth(sign)),
  );
}

export interface PlainTheme {
  readonly theme: Theme;
  /** True for plain text, where the output is no terminal. */
  readonly plain: boolean;
}

export function paintLines(lines: readonly Line[], { theme, plain }: PlainTheme): string {
  const rows = lines.map((parts) =>
    plain ? parts.map(({ text }) => ({ text, tone: 'plain' as const })) : parts,
  );
  return rows.map((parts) => `${paintLine(parts, theme).trimEnd()}\n`).join('');
}

/** Least columns of a row. */
const MIN_COLUMNS = 20;

export function terminalStyle(theme: Theme, columns: number): TextStyle {
  return {
    paint: (text, tone) => paintText(text, tone, theme),
    wrap(text, indent, start = 0) {
      if (text.length <= Math.max(MIN_COLUMNS, columns - start)) return text;
      return wrapText(text, Math.max(MIN_COLUMNS, columns - indent)).join(
        `\n${' '.repeat(indent)}`,
      );
    },
  };
}
