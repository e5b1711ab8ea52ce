import type { Line, Tone } from './span.js';

/** How the screen may look. */
export interface Look {
  readonly color: boolean;
  /** Whether the terminal shows more than ASCII. */
  readonly unicode: boolean;
}

/** The terminal's own 16 colours: they fit its background, whatever that is. */
const COLORED: Readonly<Record<Tone, string>> = {
  plain: '',
  dim: '2',
  strong: '1',
  good: '32',
  bad: '31',
  warn: '33',
  info: '36',
};

const COLORLESS: Readonly<Record<Tone, string>> = {
  plain: '',
  dim: '2',
  strong: '1',
  good: '',
  bad: '1',
  warn: '1',
  info: '',
};

/** Our own signs where there is only ASCII; each as wide as what it stands for. */
const ASCII: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '…': '~',
  '→': '>',
  '↳': '`',
  '↑': '^',
  '↓': 'v',
  '▸': '>',
  '·': '-',
  '–': '-',
  '│': '|',
  '─': '-',
  '┌': '+',
  '┐': '+',
  '└': '+',
  '┘': '+',
  '├': '+',
  '┤': '+',
  '┬': '+',
  '┴': '+',
  '█': '#',
  '▇': '#',
  '▆': '#',
  '▅': '=',
  '▄': '=',
  '▃': '-',
  '▂': '-',
  '▁': '_',
  '░': '.',
  '▒': ':',
  '▓': '%',
};

const OWN_SIGNS = new RegExp(`[${Object.keys(ASCII).join('')}]`, 'g');

/** A line as the terminal gets it; a selected one stands out as a whole. */
export function paintLine(parts: Line, look: Look, selected = false): string {
  const codes = look.color ? COLORED : COLORLESS;
  const text = parts
    .map((part) => {
      const shown = look.unicode ? part.text : toAscii(part.text);
      const code = selected ? '' : codes[part.tone];
      return code === '' || shown === '' ? shown : `\x1b[${code}m${shown}${reset(code)}`;
    })
    .join('');
  return selected ? `\x1b[7m${text}\x1b[27m` : text;
}

function reset(code: string): string {
  return code === '1' || code === '2' ? '\x1b[22m' : '\x1b[39m';
}

function toAscii(text: string): string {
  return text.replace(OWN_SIGNS, (sign) => ASCII[sign] ?? sign);
}
