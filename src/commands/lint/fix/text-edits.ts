import { diffLines, structuredPatch, type StructuredPatchHunk } from 'diff';

import type { TextEdit } from '../../../manifest/diagnostic.js';
import { lineEnd } from '../../../manifest/documents/read-documents.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import { linesOf, maskSourceLine } from '../../../secrets/mask-source.js';

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
    const overlapsTaken = (a: TextEdit): boolean =>
      taken.some((b) => a.start <= b.end && b.start <= a.end);
    if (!edits.some(overlapsTaken)) taken.push(...edits);
  }
  return taken.toSorted((a, b) => a.start - b.start);
}

/** Returns the smallest set of whole-line edits that turns one text into another. */
export function lineEdits(before: string, after: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let start = 0;
  let open: TextEdit | undefined;
  for (const { value, added, removed } of diffLines(before, after)) {
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

/** Lines around a change that are shown. */
const CONTEXT = 3;

/** Shows edits of whole lines as `diff -u` does, with less context where that has secrets. */
export function unifiedDiff({ file, text }: ManifestSource, edits: readonly TextEdit[]): string {
  // Only the surroundings of the edits are compared, since a text may be long.
  const from = linesBefore(text, edits[0]?.start ?? 0);
  const old = text.slice(from, linesAfter(text, edits.at(-1)?.end ?? 0));
  const now = applyEdits(
    old,
    edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
  );
  const [before = '', after = ''] = [old, now].map((part) => part.replaceAll('\r\n', '\n'));
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT });
  const skipped = text.slice(0, from).split('\n').length - 1;
  const hunks = patch.hunks.map((hunk) => {
    const shown = withoutSecrets(hunk, before, after);
    const { oldStart, oldLines, newStart, newLines, lines } = shown;
    const removed = `${oldStart + skipped - (oldLines === 0 ? 1 : 0)},${oldLines}`;
    const added = `${newStart + skipped - (newLines === 0 ? 1 : 0)},${newLines}`;
    return `@@ -${removed} +${added} @@\n${lines.join('\n')}\n`;
  });
  return `--- a/${file}\n+++ b/${file}\n${hunks.join('')}`;
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
  for (let count = 0; count <= CONTEXT; count++) at = lineEnd(text, at);
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
  const first = masked.findIndex((line) => /^[+-]/.test(line));
  const last = masked.findLastIndex((line) => /^[+-]/.test(line));
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
