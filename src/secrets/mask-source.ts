import { isCredentialName, MASK, maskCommandLine, MOST_ESCAPES } from './credential-text.js';

/** The lines of a text, without their ends. */
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

/** Characters of the longest line that is searched for secrets: 56 MB took 10 s. A longer one is masked. */
const MAX_LINE = 100_000;

/** Returns a line of a manifest (from 1) with a mask for what must not be shown. */
export function maskSourceLine({ texts, inSecret }: SourceLines, line: number): string {
  const own = texts[line - 1] ?? '';
  if (own.length > MAX_LINE) return MASK;
  const masked = maskCommandLine(maskFields(own));
  if (masked === own && isInBlock(texts, line - 1)) return own.replace(/\S.*/, MASK);
  return inSecret[line - 1] === true ? maskEntry(masked) : masked;
}

/** Values of variables and headers, and of keys that name a credential. */
function maskFields(line: string): string {
  return line.replaceAll(FIELD, (all: string, begin: string, ...rest: string[]) => {
    const [yamlKey, jsonKey, value = ''] = rest;
    const key = yamlKey ?? jsonKey ?? '';
    if (key !== 'value' && !isCredentialName(key)) return all;
    const isBegin = key === 'value' ? /^[|>&]/ : /^[|>[{&]/;
    const isShown = /^["']?(?:\*\*\*|\$\([^()]*\))?["']?$/.test(value) || isBegin.test(value);
    return isShown ? all : `${begin}${MASK}`;
  });
}

const DOUBLE_QUOTED = String.raw`"[^"\\]*(?:\\.[^"\\]*){0,${MOST_ESCAPES}}(?:"|(?=\\).*)`;
const SINGLE_QUOTED = String.raw`'[^']*(?:''[^']*){0,${MOST_ESCAPES}}(?:(?='').*|')`;
const FIELD = new RegExp(
  String.raw`((?:^|[\s{,[])["']?([\w.-]+)["']?\s*:\s+|(?:[{,]\s*)"([\w.-]+)"\s*:)(${DOUBLE_QUOTED}|${SINGLE_QUOTED}|[^\s,}\]#][^,}\]]*)`,
  'g',
);

/** Lines of a block that are looked through. */
const MAX_BLOCK = 500;

/** Reports whether a line is in the block of a `value: |`. */
function isInBlock(lines: readonly string[], index: number): boolean {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= Math.max(0, index - MAX_BLOCK); at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    return /\bvalue\s*:\s*[|>][\d+-]*\s*$/.test(line);
  }
  return false;
}

/** An indented entry of a Secret, or what goes on with one. */
function maskEntry(line: string): string {
  if (/^\s+(?:name|namespace)\s*:/.test(line) || !/^\s/.test(line)) return line;
  return /^\s+["']?[\w.-]+["']?\s*:/.test(line)
    ? line.replace(/(:\s*)\S.*/, `$1${MASK}`)
    : line.replace(/\S.*/, MASK);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
