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
