import type { SourceFile } from '../documents/source-file.js';
import { Interpolation, type Variables } from './interpolate.js';

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
    // A name alone has the value of the environment: no more is needed for that.
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
