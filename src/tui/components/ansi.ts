import { type Line, type Span, span, type Tone } from '../../text/line.js';

/** Select Graphic Rendition: the escape sequence that colors what follows it. */
const SGR = /\x1b\[([\d;:]*)m/;

const TONES: Readonly<Record<string, Tone>> = {
  1: 'strong',
  2: 'dim',
  7: 'cursor',
  31: 'bad',
  32: 'good',
  33: 'warn',
  34: 'info',
  35: 'info',
  36: 'info',
  90: 'dim',
  91: 'bad',
  92: 'good',
  93: 'warn',
  94: 'info',
  95: 'info',
  96: 'info',
};
const ENDS: readonly string[] = ['', '0', '00', '22', '27', '39'];

/** Returns a program's text in the colors that it asks for; a tab is four columns wide, every other control character is escaped. */
export function coloredLine(text: string, usual: Tone): Line {
  // The parts between the sequences, and at each odd index the codes of one.
  const parts = text.replaceAll('\t', '    ').split(SGR);
  let tone = usual;
  const spans: Span[] = [];
  parts.forEach((part, index) => {
    if (index % 2 === 0) {
      if (part !== '') spans.push(span(part, tone));
      return;
    }
    for (const code of codesOf(part)) tone = ENDS.includes(code) ? usual : (TONES[code] ?? tone);
  });
  return spans;
}

/** The codes of a sequence; 256 colors and RGB, whose parameters follow in it, have no tone. */
function codesOf(parameters: string): string[] {
  const codes = parameters.split(';');
  const extended = codes.findIndex((code) => /^[34]8/.test(code));
  return extended === -1 ? codes : codes.slice(0, extended);
}

/** Marks all that contains the text that the user looks for. */
export function markMatches(parts: Line, text: string): Line {
  if (text === '') return parts;
  const wanted = text.toLowerCase();
  return parts.flatMap(({ text, tone }) => {
    const marked: Span[] = [];
    let from = 0;
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
      marked.push(span(text.slice(from, at), tone));
      from = at + wanted.length;
      marked.push(span(text.slice(at, from), 'cursor'));
    }
    return [...marked, span(text.slice(from), tone)].filter((each) => each.text !== '');
  });
}
