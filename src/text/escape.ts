/**
 * Characters that a terminal may obey, hide or reorder: C0 and C1 controls, line and paragraph separators, format
 * characters (bidi overrides and isolates, zero widths, tags), blank letters, and lone surrogates.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns a text on one line that is safe to print: `\x1b`, `\u202e` and `\n` are escaped. */
export function escapeControl(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

export function escapeControlInLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** Returns JSON that is safe to print; GitHub's runner would obey `##[`. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, undefined, indent)).replaceAll('##[', '#\\u0023[');
}

/** Returns equal JSON in which unsafe characters are escaped as `\u202e`. */
export function escapeJson(json: string): string {
  if (!BEYOND_ASCII.test(json)) return json;
  return json.replace(UNPRINTABLE, (character) =>
    character === '\n'
      ? character
      : character.replace(
          /[^]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
  );
}

/** JSON escapes ASCII controls but DEL itself, and most JSON is ASCII. */
const BEYOND_ASCII = /[^\n -~]/;

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Indents all lines but the first, so that a message of others begins no line. */
export function indentRest(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** Characters of a message; a longer one is cut in its middle. */
const MAX_LENGTH = 4000;
const ELLIPSIS = '…';

export function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const half = MAX_LENGTH / 2;
  return `${text.slice(0, half)}${ELLIPSIS}${text.slice(-half)}`;
}

export function shortenLines(text: string): string {
  return text.split('\n').map(shorten).join('\n');
}

/** Returns a word, quoted for a shell where needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
