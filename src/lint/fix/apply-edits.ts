import type { TextEdit } from '../../manifest/diagnostic.js';

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

/** Those edits that can be made together, in the text's order: of two that meet, the first. */
export function compatibleEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  const taken: TextEdit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = taken.at(-1);
    if (last === undefined || edit.start >= last.end) taken.push(edit);
  }
  return taken;
}
