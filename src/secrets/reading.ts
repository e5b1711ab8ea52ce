/** A range of characters of a text. */
export type Span = readonly [start: number, end: number];

/** A pattern, and the text that takes the place of each match. */
interface Step {
  readonly pattern: RegExp;
  readonly read: (match: string, ...groups: readonly (string | undefined)[]) => string;
}

/** A text as it is read after some steps, which knows where each part was in the first text. */
export class Reading {
  #spans: readonly Span[] | undefined;
  /** Several kinds of forms are looked for after the same steps. */
  readonly #after = new Map<Step, Reading>();

  constructor(
    readonly text: string,
    private readonly origin?: { readonly reading: Reading; readonly step: Step },
  ) {}

  after(step: Step): Reading {
    const known = this.#after.get(step);
    if (known !== undefined) return known;
    const text = this.text.replaceAll(step.pattern, step.read);
    const after = text === this.text ? this : new Reading(text, { reading: this, step });
    this.#after.set(step, after);
    return after;
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
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    from += match[0].length;
    spans.push(...Array.from(read(match[0], ...match.slice(1)), (): Span => [match.index, from]));
  }
  copy(text.length);
  return spans;
}

/** The characters of ASCII that have a name in HTML, each with its names. */
const ENTITIES = new Map(
  `! excl|" quot|# num|$ dollar|% percnt|& amp|' apos|( lpar|) rpar|* ast midast|+ plus|, comma|. period|/ sol|: colon|; semi|< lt|= equals
  |> gt|? quest|@ commat|[ lsqb lbrack|\\ bsol|] rsqb rbrack|^ hat|_ lowbar underbar|\` grave diacriticalgrave|{ lcub lbrace|} rcub rbrace`
    .split('|')
    .flatMap((row) => {
      const [char = '', ...names] = row.split(/\s+/);
      return names.map((name) => [name, char] as const);
    }),
);
const BLANKS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const ENCODER = new TextEncoder();

/** Returns the UTF-8 of a character, a character for each byte. */
function utf8(code: number): string {
  return code <= 0x10_ff_ff
    ? String.fromCharCode(...ENCODER.encode(String.fromCodePoint(code)))
    : '';
}

/** Characters of several bytes; those that nobody sees, such as soft hyphens, go. */
const AS_BYTES: Step = {
  pattern: /[\u00ad\u200b-\u200f\u2060\ufeff]|[\u0080-\u{10ffff}]/gu,
  read: (char) =>
    /[\u00ad\u200b-\u200f\u2060\ufeff]/.test(char) ? '' : utf8(char.codePointAt(0) ?? 0),
};

/** Escapes of URLs, JSON, HTML, XML, mails, shells, C and the like; quotes, colors, moves of a cursor and signs of escape go. */
const UNESCAPE: Step = {
  pattern:
    /(?:%|\\{1,9}x|=(?=3d|[c-f][\da-f]=[89ab][\da-f])|(?<==[c-f][\da-f](?:=[89ab][\da-f]){0,2})=(?=[89ab]))([\da-f]{2})|(?:\\{1,9}u(?=[\da-f]{4}|\{)\{?|&#x)((?<=u)[\da-f]{4}|[\da-f]{1,6}(?=[};]))[};]?|&#(\d{2,7});|\\{1,9}([0-3]?[0-7]{2})|&([a-z]{2,16});|\\{1,9}([nrt])|=\r?\n|\$(?=\$)|%(?=%)|\u001b\[[\d;?]*[a-z]|[\\'"`^\0]/gi,
  read: (match, byte, hex, decimal, octal, entity, blank) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    if (hex !== undefined) return utf8(Number.parseInt(hex, 16));
    if (decimal !== undefined) return utf8(Number(decimal));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (entity !== undefined) return ENTITIES.get(entity.toLowerCase()) ?? match;
    return BLANKS[blank?.toLowerCase() ?? ''] ?? '';
  },
};

/** Breaks of a line where it is long, with what the next one begins with in a log, a quotation or source code; gaps between single characters. */
const JOIN: Step = {
  pattern:
    /(?<=\S{16})[ \t+\\|&_]{0,9}\r?\n(?:[\w.-]{1,40} {1,9}\| |\d{4}-\d\d-\d\d[T ][\d:.,+Z-]{5,20} (?:[A-Z]{4,8} {1,9})?|\[[^\]\r\n]{1,80}\] |[ \t>*#|+-]{0,40}(?![\r\n]))|(?<=(?:^|[\s,|[(])\S)[\s,|]{1,9}(?:(?<=\n)[\da-f]{7,8} {1,9})?(?=\S(?:[\s,|\])]|$))/g,
  read: () => '',
};

/** The text between the bytes of a dump, and from the end of its line to the next offset. */
const JOIN_BYTES: Step = {
  pattern:
    /(?: {2,40}\S.{0,17})?\r?\n[ \t]{0,9}(?:[\da-f]{4,8}:?[ \t]{1,9})?|(?<=\b(?:0x)?(?:(?:[\da-f]{2}){1,8}|[0-3][0-7]{2}))[\s:,'"=-]{1,9}(?:0x)?(?=(?:(?:[\da-f]{2}){1,8}|[0-3][0-7]{2})\b)|(?:\\{1,4}|\b0)x(?=[\da-f]{2})/gi,
  read: () => '',
};

const LOWER: Step = { pattern: /[A-Z]+/g, read: (letters) => letters.toLowerCase() };

const LETTERS: Step = { pattern: /[^a-z\d]+/g, read: () => '' };

/** Reads without quotes and escapes of escapes of escapes, as one character for each byte. */
export function unescaped(reading: Reading): Reading {
  const bytes = reading.after(AS_BYTES);
  return bytes.after(UNESCAPE).after(UNESCAPE).after(UNESCAPE).after(UNESCAPE);
}

/** Returns a value as texts in its encodings have it without escapes: in UTF-8, in Latin-1, and in UTF-8 that was read as Latin-1. */
export function unescapedForms(value: string): readonly string[] {
  const latin1 = new Reading(value).after(UNESCAPE).text;
  const { text } = unescaped(new Reading(value));
  return [text, latin1, new Reading(text).after(AS_BYTES).text];
}

/** Joins what stands apart or in several lines. */
export function joined(reading: Reading): Reading {
  return unescaped(reading).after(JOIN).after(LOWER);
}

/** Leaves the letters and digits alone, in small letters. */
export function lettersOf(reading: Reading): Reading {
  return joined(reading).after(LETTERS);
}

/** Joins the bytes of a dump in hexadecimal or octal. */
export function joinedBytes(reading: Reading): Reading {
  return reading.after(JOIN_BYTES).after(LOWER);
}

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE64 = `${CAPITALS}${CAPITALS.toLowerCase()}0123456789+/`;

/** Returns the texts that a word may encode, in hexadecimal, base32 and base64; each byte is a character. */
export function decodings(run: string): readonly string[] {
  const digits = run.replaceAll('-', '+').replaceAll('_', '/');
  return [
    decoded(run.toLowerCase(), '0123456789abcdef'),
    decoded(run.toUpperCase(), `${CAPITALS}234567`),
    // It may begin after others of its characters, such as those of a path.
    ...[0, 1, 2, 3].map((begin) => decoded(digits.slice(begin), BASE64)),
  ];
}

/** Decodes from any start and with any digits, which no decoder at hand does. */
function decoded(run: string, digits: string): string {
  const size = Math.log2(digits.length);
  let value = 0;
  let bits = 0;
  let bytes = '';
  for (const digit of run) {
    value = ((value << size) | digits.indexOf(digit)) & 0xf_ff_ff;
    bits += size;
    if (bits < 8) continue;
    bits -= 8;
    bytes += String.fromCharCode((value >> bits) & 0xff);
  }
  return bytes;
}
