import type { SourceFile } from '../manifest/documents/source-file.js';
import { suggest } from '../manifest/suggest.js';

const COMMENT = /(?<=^|\s)#\s*kprobe-ignore\s*:\s*([^#\r\n]*)/;

/**
 * The rules that comments of a file switch off, by the line that they are about: a comment at the end of a line
 * is about that line, one on a line of its own about the next that is not a comment.
 */
export type IgnoredLines = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads `# kprobe-ignore: rule, rule`; a rule that does not exist is a warning. */
export function ignoredLines(file: SourceFile, known: ReadonlySet<string>): IgnoredLines {
  const ignored = new Map<number, Set<string>>();
  if (!file.text.includes('kprobe-ignore')) return ignored;
  let offset = 0;
  let waiting: string[] = [];
  for (const [index, line] of file.text.split('\n').entries()) {
    const match = COMMENT.exec(line);
    const rules = (match?.[1] ?? '').split(/[\s,]+/).filter((rule) => rule !== '');
    for (const rule of rules)
      if (!known.has(rule)) warn(file, offset + (match?.index ?? 0), rule, known);
    const isComment = /^\s*(?:#|$)/.test(line);
    if (isComment) waiting.push(...rules);
    else {
      const all = [...waiting, ...rules];
      if (all.length > 0) ignored.set(index + 1, new Set(all));
      waiting = [];
    }
    offset += line.length + 1;
  }
  return ignored;
}

function warn(file: SourceFile, offset: number, rule: string, known: ReadonlySet<string>): void {
  const near = suggest(rule, [...known]);
  const hint = near === undefined ? '"kprobe lint --list" shows them' : `did you mean "${near}"?`;
  file.warn(offset, '', `kprobe-ignore names no rule: ${rule}`, hint);
}
