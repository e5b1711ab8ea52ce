import { diffLines, formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';

import type { TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';

/** A text with edits made; they are in its order and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return parts.join('') + text.slice(from);
}

/** The edits of those fixes that can be made together, in the text's order: of two that meet, the first. */
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

/** The smallest set of whole-line edits that turns one text into another. */
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

/** Shows edits of whole lines as `diff -u` does. */
export function unifiedDiff({ file, text }: ManifestSource, edits: readonly TextEdit[]): string {
  const [before, after] = [text, applyEdits(text, edits)].map((each) =>
    each.replaceAll('\r\n', '\n'),
  );
  const patch = structuredPatch('', '', before ?? '', after ?? '', '', '', { context: 3 });
  return `--- a/${file}\n+++ b/${file}\n${formatPatch(patch, OMIT_HEADERS)}`;
}
