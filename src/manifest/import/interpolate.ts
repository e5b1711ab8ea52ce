import type { SourceFile } from '../documents/source-file.js';

export type Variables = (name: string) => string | undefined;

const PATTERN = /\$(?:(\$)|([_a-z]\w*)|\{(?:[_a-z]\w*(?::?[-+?][^\n]*)?\})?)/gi;
const BRACED = /^\$\{(\w+)(?:(:?[-+?])(.*))?\}$/;

/** Puts values in place of `$NAME` and `${NAME:-word}`. Ports template.SubstituteWithOptions (compose-go v2.16). */
export class Interpolation {
  /** Variables without a value and without a default. */
  readonly unset = new Set<string>();
  error: string | undefined;

  constructor(private readonly variables: Variables) {}

  substitute(text: string): string {
    return text.replace(PATTERN, (match, escaped?: string, named?: string) => {
      if (escaped !== undefined) return escaped;
      if (named !== undefined) return this.#expand(named);
      // The match extends to the last brace of the line; this reference ends at its own.
      const end = closingBrace(match);
      const [, name, operator, word] = BRACED.exec(match.slice(0, end)) ?? [];
      if (name !== undefined)
        return this.#expand(name, operator, word) + this.substitute(match.slice(end));
      this.error ??= `"${text}" is not a valid use of a variable; $$ is a dollar sign`;
      return '';
    });
  }

  #expand(name: string, operator = '', word = ''): string {
    const value = this.variables(name);
    const isGiven = value !== undefined && !(value === '' && operator.startsWith(':'));
    if (operator.endsWith('+')) return isGiven ? this.substitute(word) : '';
    if (isGiven) return value;
    if (operator.endsWith('-')) return this.substitute(word);
    if (operator === '') {
      this.unset.add(name);
      return '';
    }
    const reason = this.substitute(word);
    this.error ??= `the required variable ${name} has no value${reason && `: ${reason}`}`;
    return '';
  }
}

/** Returns the offset after the brace that closes the first one; the character after an opening brace does not count. */
function closingBrace(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') {
      open++;
      at++;
    } else if (text[at] === '}' && --open === 0) return at + 1;
  }
  return text.length;
}

const BLANK = /(?:\s|#.*)*/y;
const NAME = /(?:export\s+)?([\p{L}\p{N}_.[\]-]+)[^\S\n]*(?:([=:])[^\S\n]*|\n|$)/uy;
const QUOTED = /(["'])((?:\\[^]|(?!\1)[^\\])*)\1/y;
const BARE = /(?!["']).*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  $: '$$',
  '"': '"',
  '\\': '\\',
};

/**
 * Adds the values of a `.env` file to variables, which win over the file. Ports dotenv.GetEnvFromFile (compose-go
 * v2.16, dotenv/parser.go), but for octal escapes: no package reads quotes, interpolation and errors as compose does.
 */
export function withDotenv(file: SourceFile, variables: Variables): Variables {
  const values = new Map<string, string>();
  const lookup: Variables = (name) => variables(name) ?? values.get(name);
  const { text } = file;
  const take = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const start = (at: number): number => at + (take(BLANK, at)?.[0].length ?? 0);
  for (let at = start(0); at < text.length; at = start(at)) {
    const begin = at;
    const [line, name, assigned] = take(NAME, at) ?? [];
    if (line === undefined || name === undefined) {
      file.error(begin, '', 'this line is not NAME=value');
      break;
    }
    at += line.length;
    // A name without a value means the variable of the environment, which `lookup` returns in any case.
    if (assigned === undefined) continue;
    const read = take(QUOTED, at) ?? take(BARE, at);
    if (read === null) {
      file.error(begin, name, 'the value has no closing quote');
      break;
    }
    at += read[0].length;
    const interpolation = new Interpolation(lookup);
    values.set(name, valueOf(read, interpolation));
    if (interpolation.error !== undefined) file.error(begin, name, interpolation.error);
  }
  return lookup;
}

function valueOf(
  [bare, quote, quoted = '']: RegExpExecArray,
  interpolation: Interpolation,
): string {
  if (quote === undefined) return interpolation.substitute(bare.replace(/ #.*/, '').trimEnd());
  const text = quoted.replace(/\\([^])/g, (all, next: string) => (next === quote ? quote : all));
  if (quote === "'") return text;
  return interpolation.substitute(
    text.replace(/\\([abfnrtv$"\\])/g, (_, letter: string) => ESCAPES[letter] ?? ''),
  );
}
