import { diffLines, structuredPatch, type StructuredPatchHunk } from 'diff';

import type { TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { linesOf, maskSourceLine } from '../../secrets/mask-source.js';

/** Applies edits to a text; they are in its order and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return parts.join('') + text.slice(from);
}

/** Returns the edits of fixes that can be applied together, in the text's order: of two that overlap, the first. */
export function compatibleEdits(fixes: readonly (readonly TextEdit[])[]): readonly TextEdit[] {
  const taken: TextEdit[] = [];
  for (const edits of fixes) {
    if (!edits.some((edit) => taken.some((other) => meet(edit, other)))) taken.push(...edits);
  }
  return taken.toSorted((a, b) => a.start - b.start);
}

function meet(a: TextEdit, b: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** Returns the smallest set of whole-line edits that turns one text into another. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  // The changed part of a long text is short.
  let start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  let open: TextEdit | undefined;
  const old = before.slice(start, before.length - end);
  const changed = after.slice(start, after.length - end);
  for (const { value, added, removed } of diffLines(old, changed)) {
    if (!added && !removed) {
      if (open !== undefined) edits.push(open);
      open = undefined;
      start += value.length;
      continue;
    }
    open ??= { start, end: start, text: '' };
    if (added) open = { ...open, text: open.text + value };
    else {
      start += value.length;
      open = { ...open, end: start };
    }
  }
  return open === undefined ? edits : [...edits, open];
}

/** Returns the length of the lines that two texts begin with. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length && at === b.length ? at : a.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the length of the lines that two texts end with, after those that they begin with. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.at(-1 - length) === b.at(-1 - length)) length++;
  const newline = a.indexOf('\n', a.length - length);
  return length === 0 || newline === -1 ? 0 : a.length - newline - 1;
}

/** Lines around a change that are shown. */
const CONTEXT = 3;

/** Shows edits of whole lines as `diff -u` does, with less context where that holds secrets. */
export function unifiedDiff({ file, text }: ManifestSource, edits: readonly TextEdit[]): string {
  // Of a long text, only what surrounds the edits is compared.
  const from = linesBefore(text, edits[0]?.start ?? 0);
  const old = text.slice(from, linesAfter(text, edits.at(-1)?.end ?? 0));
  const now = applyEdits(
    old,
    edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
  );
  const [before = '', after = ''] = [old, now].map((part) => part.replaceAll('\r\n', '\n'));
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT });
  const skipped = lineFeedsBefore(text, from);
  const hunks = patch.hunks.map((hunk) => {
    const shown = withoutSecrets(hunk, before, after);
    const { oldStart, oldLines, newStart, newLines, lines } = shown;
    const removed = `${oldStart + skipped - (oldLines === 0 ? 1 : 0)},${oldLines}`;
    const added = `${newStart + skipped - (newLines === 0 ? 1 : 0)},${newLines}`;
    return `@@ -${removed} +${added} @@\n${lines.join('\n')}\n`;
  });
  return `--- a/${file}\n+++ b/${file}\n${hunks.join('')}`;
}

function lineFeedsBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function isChange(line: string): boolean {
  return /^[+-]/.test(line);
}

/** Returns the offset of the line that is CONTEXT lines before, or of the first. */
function linesBefore(text: string, offset: number): number {
  let at = offset;
  for (let count = 0; count <= CONTEXT && at > 0; count++) at = text.lastIndexOf('\n', at - 2) + 1;
  return at;
}

/** Returns the offset after the lines of context, or the end. */
function linesAfter(text: string, offset: number): number {
  let at = offset;
  for (let count = 0; count <= CONTEXT && at < text.length; count++) {
    const newline = text.indexOf('\n', at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return at;
}

/** Leaves out context up to a line that must not be shown, so that the diff can still be applied; masks other lines. */
function withoutSecrets(
  hunk: StructuredPatchHunk,
  before: string,
  after: string,
): StructuredPatchHunk {
  const masked = maskHunk(hunk, before, after);
  const isMasked = (index: number): boolean => masked[index] !== hunk.lines[index];
  const first = masked.findIndex(isChange);
  const last = masked.findLastIndex(isChange);
  const indices = [...masked.keys()];
  const start = (indices.findLast((index) => index < first && isMasked(index)) ?? -1) + 1;
  const end = indices.find((index) => index > last && isMasked(index)) ?? masked.length;
  return {
    oldStart: hunk.oldStart + start,
    newStart: hunk.newStart + start,
    oldLines: hunk.oldLines - start - (masked.length - end),
    newLines: hunk.newLines - start - (masked.length - end),
    lines: masked.slice(start, end),
  };
}

function maskHunk(
  { lines, oldStart, newStart }: StructuredPatchHunk,
  before: string,
  after: string,
): readonly string[] {
  let [old, now] = [oldStart, newStart];
  const [olds, news] = [linesOf(before), linesOf(after)];
  return lines.map((line) => {
    if (line.startsWith('\\')) return line;
    const [text, number] = line.startsWith('+') ? [news, now] : ([olds, old] as const);
    if (!line.startsWith('+')) old++;
    if (!line.startsWith('-')) now++;
    return `${line[0]}${maskSourceLine(text, number)}`;
  });
}
