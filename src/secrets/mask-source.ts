import { isCredentialName, MASK, maskCommandLine } from './credential-text.js';

/** Returns a line of a manifest (from 1) with a mask for what must not be shown. */
export function maskSourceLine(lines: readonly string[], line: number): string {
  const own = lines[line - 1] ?? '';
  const masked = maskCommandLine(maskFields(own));
  if (masked === own && isInBlock(lines, line - 1)) return own.replace(/\S.*/, MASK);
  return isInSecret(lines, line - 1) ? maskEntry(masked) : masked;
}

/** Returns the lines of a text, without their ends. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}

/** Values of variables and headers, and of keys that name a credential. */
function maskFields(line: string): string {
  return line.replaceAll(FIELD, (all: string, begin: string, key: string, value: string) => {
    if (key !== 'value' && !isCredentialName(key)) return all;
    return /^["']?(?:\*\*\*|\$\([^()]*\))?["']?$|^[|>[{&]/.test(value) ? all : `${begin}${MASK}`;
  });
}

const FIELD =
  /((?:^|[\s{,[])["']?([\w.-]+)["']?\s*:\s+|(?:[{,]\s*)"([\w.-]+)"\s*:)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]#][^,}\]]*)/g;

/** Reports whether a line is in the block of a `value: |`. */
function isInBlock(lines: readonly string[], index: number): boolean {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    return /\bvalue\s*:\s*[|>][\d+-]*\s*$/.test(line);
  }
  return false;
}

function isInSecret(lines: readonly string[], index: number): boolean {
  const isEnd = (line: string): boolean => /^---(?:\s|$)/.test(line);
  const begin = lines.slice(0, index).findLastIndex(isEnd) + 1;
  const end = lines.findIndex((line, at) => at > index && isEnd(line));
  return lines
    .slice(begin, end === -1 ? undefined : end)
    .some((line) => /\bkind["']?\s*:\s*["']?Secret\b/.test(line));
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
