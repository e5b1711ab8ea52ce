import { isCredential, isCredentialName } from './credential-names.js';
import { MASK, maskArguments, maskCommandLine, MAX_ESCAPES } from './credential-text.js';

export interface SourceLines {
  readonly texts: readonly string[];
  /** For each line, whether its document is a Secret. */
  readonly inSecret: readonly boolean[];
}

export function linesOf(text: string): SourceLines {
  const texts = text.split(/\r\n?|\n/);
  const inSecret: boolean[] = [];
  let begin = 0;
  let isSecret = false;
  texts.forEach((line, index) => {
    if (/^---(?:\s|$)/.test(line)) {
      begin = index;
      isSecret = false;
    } else if (!isSecret && /\bkind["']?\s*:\s*["']?Secret\b/.test(line)) {
      isSecret = true;
      inSecret.fill(true, begin);
    }
    inSecret.push(isSecret);
  });
  return { texts, inSecret };
}

/** Characters of the longest line that is searched: 56 MB took 10 s. A longer one is masked. */
const MAX_LINE = 100_000;

/** Returns a line of a manifest, counted from 1, with its secrets masked. */
export function maskSourceLine({ texts, inSecret }: SourceLines, line: number): string {
  const text = texts[line - 1] ?? '';
  if (text.length > MAX_LINE) return MASK;
  const masked = maskCommandLine(maskItem(maskFields(text, texts, line - 1), texts, line - 1));
  if (masked === text && isInBlock(texts, line - 1)) return text.replace(/\S.*/, MASK);
  return inSecret[line - 1] === true ? maskEntry(masked) : masked;
}

export function maskSource(text: string): string {
  const lines = linesOf(text);
  return lines.texts.map((_, index) => maskSourceLine(lines, index + 1)).join('\n');
}

/** Masks a word of a command by the words on the lines above: `- --password`, `- hunter2`. */
function maskItem(line: string, lines: readonly string[], index: number): string {
  const [, begin = '', word, end = ''] = ITEM.exec(line) ?? [];
  if (word === undefined) return line;
  const words = [word];
  for (let at = index - 1; words.length < MAX_WORDS; at--) {
    const above = ITEM.exec(lines[at] ?? '')?.[2];
    if (above === undefined) break;
    words.unshift(above);
  }
  return `${begin}${maskArguments(words).at(-1)}${end}`;
}

/** A text on a line of its own in a list of YAML or JSON. */
const ITEM =
  /^(\s*(?:-\s+["']?|["'])(?!["']?[\w.-]+["']?:(?:\s|$)))([^\s"'[{|>-]?.*?)(["']?,?\s*)$/;

/** Words of a command that are searched. */
const MAX_WORDS = 50;

/** Masks values of variables, headers and keys that name credentials. */
function maskFields(line: string, lines: readonly string[], index: number): string {
  return line.replaceAll(FIELD, (all: string, begin: string, ...rest: string[]) => {
    const [yamlKey, jsonKey, value = ''] = rest;
    const key = yamlKey ?? jsonKey ?? '';
    const name = key === 'value' ? (nameBeside(lines, index) ?? parentOf(lines, index)) : key;
    const plain = value.trim().replace(/^(["'])(.*)\1$/, '$2');
    // Without a visible name, the value may be a credential.
    if (name !== undefined && !isCredential(name, plain)) return all;
    const isShown = /^(?:["']?(?:\*\*\*|\$\([^()]*\))?["']?$|[|>])/.test(value);
    return isShown ? all : `${begin}${MASK}`;
  });
}

/** Returns the name of the variable or header whose value a line has, on that line or beside it in the same item. */
function nameBeside(lines: readonly string[], index: number): string | undefined {
  const nameIn = (line = ''): string | undefined => NAME.exec(line)?.[1];
  const text = lines[index] ?? '';
  const isItem = /^\s*-/.test(text);
  const before = isItem ? undefined : nameIn(lines[index - 1]);
  const after = /^\s*(?:-\s|[}\]])/.test(lines[index + 1] ?? '')
    ? undefined
    : nameIn(lines[index + 1]);
  // With several items on one line, the name is unknown.
  const names = text.match(new RegExp(NAME, 'g')) ?? [];
  return names.length > 1 ? undefined : (nameIn(text) ?? before ?? after);
}

/** Returns the key above a line that has a value without a name, unless its items may be variables or headers. */
function parentOf(lines: readonly string[], index: number): string | undefined {
  const line = lines[index] ?? '';
  if (!/^\s*(?:-\s+)*["']?value["']?\s*:/.test(line)) return undefined;
  let column = indentOf(line);
  let isItem = /^\s*-/.test(line);
  for (let at = index - 1; at >= Math.max(0, index - MAX_BLOCK); at--) {
    const above = lines[at] ?? '';
    const [, begin = '', key] = OPENING.exec(above) ?? [];
    // The items of a list may begin in the column of its key.
    if (key !== undefined && begin.length < column + (isItem ? 1 : 0)) {
      return /env|var|header|param|arg/i.test(key) ? undefined : key;
    }
    if (above.trim() === '' || indentOf(above) >= column) continue;
    column = indentOf(above);
    isItem = /^\s*-/.test(above);
  }
  return undefined;
}

/** A key whose value is on the lines below. */
const OPENING = /^(\s*(?:-\s+)*)["']?([\w.-]+)["']?\s*:\s*[[{]*\s*(?:#.*)?$/;

const NAME = /(?:^|[\s{,[-])["']?name["']?\s*:\s*["']?([\w.-]+)/;

const DOUBLE_QUOTED = String.raw`"[^"\\]*(?:\\.[^"\\]*){0,${MAX_ESCAPES}}(?:"|(?=\\).*)`;
const SINGLE_QUOTED = String.raw`'[^']*(?:''[^']*){0,${MAX_ESCAPES}}(?:(?='').*|')`;
/** A key with its anchor and tag, and its value; the fields of an object or a list, but of `value`, match by themselves. */
const FIELD = new RegExp(
  String.raw`((?:(?:^|[\s{,[])["']?([\w.-]+)["']?\s*:\s+|[{,]\s*"([\w.-]+)"\s*:)(?:[&!]\S*\s+)*)(?:(?<=\bvalue["']?\s*:\s*)|(?![[{]|[&!]\S*\s))(${DOUBLE_QUOTED}|${SINGLE_QUOTED}|[^\s,}\]#][^,}\]]*)`,
  'g',
);

/** Lines of a block that are searched. */
const MAX_BLOCK = 500;

/** Reports whether a line is in the block of a `value: |`. */
function isInBlock(lines: readonly string[], index: number): boolean {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= Math.max(0, index - MAX_BLOCK); at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    if (!/\bvalue\s*:\s*[|>][\d+-]*\s*$/.test(line)) return false;
    const name = nameBeside(lines, at) ?? parentOf(lines, at);
    return name === undefined || isCredentialName(name);
  }
  return false;
}

/** Masks an indented entry of a Secret, or a line that continues one. */
function maskEntry(line: string): string {
  if (/^\s+(?:name|namespace)\s*:/.test(line) || !/^\s/.test(line)) return line;
  return /^\s+["']?[\w.-]+["']?\s*:/.test(line)
    ? line.replace(/(:\s*)\S.*/, `$1${MASK}`)
    : line.replace(/\S.*/, MASK);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
