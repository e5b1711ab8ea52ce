/** A range of characters of a text. */
export type Span = readonly [start: number, end: number];

/** What replaces each match of a pattern. */
interface Step {
  readonly pattern: RegExp;
  readonly read: (match: string) => string;
}

/** A text as it is read after some steps, which knows where each part was in the first text. */
export class Reading {
  #spans: readonly Span[] | undefined;

  constructor(
    readonly text: string,
    private readonly origin?: { readonly reading: Reading; readonly step: Step },
  ) {}

  then(step: Step): Reading {
    const text = this.text.replaceAll(step.pattern, step.read);
    return text === this.text ? this : new Reading(text, { reading: this, step });
  }

  /** Returns where a part of this text was in the first one. */
  spanOf(start: number, end: number): Span {
    if (this.origin === undefined) return [start, end];
    const { reading, step } = this.origin;
    this.#spans ??= spansOf(reading.text, step);
    return reading.spanOf(this.#spans[start]?.[0] ?? 0, this.#spans[end - 1]?.[1] ?? 0);
  }
}

/** Returns where each character of the text after a step was before it. */
function spansOf(text: string, { pattern, read }: Step): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  const copy = (to: number): void => {
    for (; from < to; from++) spans.push([from, from + 1]);
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    copy(index);
    from += match.length;
    spans.push(...Array.from(read(match), (): Span => [index, from]));
  }
  copy(text.length);
  return spans;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
const BLANKS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const ENCODER = new TextEncoder();

/** Returns the UTF-8 of a character, a character for each byte. */
function utf8(char: string): string {
  return String.fromCharCode(...ENCODER.encode(char));
}

function charOf(code: number): string {
  return code <= 0x10_ff_ff ? utf8(String.fromCodePoint(code)) : '';
}

/** Characters that nobody sees, such as soft hyphens. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

const AS_BYTES: Step = {
  pattern: /[\u0080-\u{10ffff}]/gu,
  read: (char) => (INVISIBLE.test(char) ? '' : utf8(char)),
};

/** Escapes of URLs, JSON, HTML, XML, shells, C and the like; quotes, colors and signs of escape go. */
const UNESCAPE: Step = {
  pattern:
    /%[\da-f]{2}|\\{1,9}x[\da-f]{2}|\\{1,9}u(?:[\da-f]{4}|\{[\da-f]{1,6}\})|&#x?[\da-f]{2,7};|&(?:amp|lt|gt|quot|apos);|\\{1,9}[0-3]?[0-7]{2}|\\{1,9}[nrt]|=\r?\n|\$(?=\$)|%(?=%)|\u001b\[[\d;]*m|[\\'"`^\0]/gi,
  read: (match) => {
    if (match in ENTITIES) return ENTITIES[match] ?? '';
    const [, sign = '', x = '', digits = ''] =
      /^(%|\\+|&#)(x|u\{?|)([\da-f]+)[;}]?$/i.exec(match) ?? [];
    // A byte, which may be part of a character.
    if (sign === '%' || (sign.startsWith('\\') && x.toLowerCase() === 'x')) {
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (sign === '&#') return charOf(Number.parseInt(digits, x === '' ? 10 : 16));
    if (sign !== '') return charOf(Number.parseInt(digits, x === '' ? 8 : 16));
    return match.startsWith('\\') ? (BLANKS[match.at(-1)?.toLowerCase() ?? ''] ?? '') : '';
  },
};

/** Breaks of a line where it is long, with what the next one begins with in a log, a quotation or source code; gaps between single characters. */
const JOIN: Step = {
  pattern: new RegExp(
    [
      String.raw`(?<=\S{16})[ \t+\\|&_]{0,9}\r?\n(?:[\w.-]{1,40} {1,9}\| |\[[^\]\r\n]{1,80}\] |[ \t>*#|+-]{0,40}(?![\r\n]))`,
      String.raw`(?<=(?:^|[\s,|[(])\S)[\s,|]{1,9}(?:(?<=\n)[\da-f]{7,8} {1,9})?(?=\S(?:[\s,|\])]|$))`,
    ].join('|'),
    'g',
  ),
  read: () => '',
};

/** What stands between the bytes of a dump, and from the end of its line to the next offset. */
const JOIN_BYTES: Step = {
  pattern: new RegExp(
    [
      String.raw`(?: {2,40}\S.{0,17})?\r?\n[ \t]{0,9}(?:[\da-f]{4,8}:?[ \t]{1,9})?`,
      String.raw`(?<=\b(?:0x)?(?:[\da-f]{2}){1,8})[\s:,'"-]{1,9}(?:0x)?(?=(?:[\da-f]{2}){1,8}\b)`,
      String.raw`(?:\\{1,4}|\b0)x(?=[\da-f]{2})`,
    ].join('|'),
    'gi',
  ),
  read: () => '',
};

const LOWER: Step = { pattern: /[A-Z]+/g, read: (letters) => letters.toLowerCase() };

/** Escapes of escapes of escapes. */
const DEPTH = 4;

/** Reads a text without its escapes and quotes, as one byte for each character. */
export function unescaped(text: string): Reading {
  let reading = new Reading(text).then(AS_BYTES);
  for (let depth = 0; depth < DEPTH; depth++) {
    const next = reading.then(UNESCAPE);
    if (next === reading) break;
    reading = next;
  }
  return reading;
}

/** Joins what stands apart or in several lines. */
export function joined(reading: Reading): Reading {
  return reading.then(JOIN).then(LOWER);
}

/** Joins the bytes of a dump in hexadecimal. */
export function joinedBytes(text: string): Reading {
  return new Reading(text).then(JOIN_BYTES).then(LOWER);
}
