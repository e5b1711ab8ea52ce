/**
 * Characters that a terminal may obey, hide or reorder: C0 and C1 controls, line and paragraph separators, format
 * characters (bidi overrides and isolates, zero widths, tags), blank letters, and lone surrogates.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text from outside as one line that is safe to print: `\x1b`, `\u202e`, `\n` stand for what they name. */
export function escapeControl(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

export function escapeControlInLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** A value as JSON whose texts a terminal can show. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, undefined, indent));
}

/** JSON that says the same: what `escapeControl` escapes stands as `\u202e`. */
export function escapeJson(json: string): string {
  if (!BEYOND_ASCII.test(json)) return json;
  return json.replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : character.replace(/[^]/g, codeUnit),
  );
}

/** JSON itself escapes the controls of ASCII but DEL; most of it is ASCII, which is quick to see. */
const BEYOND_ASCII = /[^\n -~]/;

function codeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Characters: more is cut out of the middle of a message, some quote a value whole. */
const LONGEST = 4000;
const ELLIPSIS = '…';

export function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return `${text.slice(0, half)}${ELLIPSIS}${text.slice(-half)}`;
}

export function shortenLines(text: string): string {
  return text.split('\n').map(shorten).join('\n');
}

/** Returns a word as a shell takes it, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
