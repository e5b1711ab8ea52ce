import { type JsonNode } from '../../api/decode/json-node.js';
import type { Fix, TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestObject } from '../../manifest/manifest-object.js';
import { readDocuments } from '../../manifest/read-documents.js';
import { applyEdits } from './apply-edits.js';
import type { Change } from './change.js';
import { canonicalText, changeNode } from './change-node.js';
import { editCandidates } from './edit-text.js';
import { pathSteps } from './path-steps.js';
import { unifiedDiff } from './unified-diff.js';

/** A document of a file: its text, and where that begins in the file. */
export interface DocumentText {
  readonly start: number;
  readonly text: string;
}

/**
 * The fix that makes changes of an object: the text is edited where the changes are, read again, and taken only
 * when it then means what was asked for and nothing else has changed. Undefined when no edit does that.
 */
export function fixOf(
  object: ManifestObject,
  document: DocumentText,
  changes: readonly Change[],
  isSafe: boolean,
): Fix | undefined {
  const within = object.item.split('.').filter((index) => index !== '');
  const prefix = within.flatMap((index) => ['items', Number(index)]);
  let current = document.text;
  const edits: TextEdit[] = [];
  for (const { path, value } of changes) {
    const steps = [...prefix, ...pathSteps(path)];
    const edit = firstThatHolds(current, steps, value);
    if (edit === undefined) return undefined;
    current = applyEdits(current, [edit]);
    edits.push(edit);
  }
  const merged = differenceOf(document.text, current);
  if (merged === undefined) return undefined;
  const moved = [
    { ...merged, start: merged.start + document.start, end: merged.end + document.start },
  ];
  return { edits: moved, diff: unifiedDiff(object.source, moved), safe: isSafe };
}

function firstThatHolds(
  text: string,
  steps: readonly (string | number)[],
  value: Change['value'],
): TextEdit | undefined {
  const before = soleDocument(text);
  const wanted = before && changeNode(before, steps, value);
  if (before === undefined || wanted === undefined) return undefined;
  const meaning = canonicalText(wanted);
  return editCandidates(text, before, steps, value).find((edit) => {
    const after = soleDocument(applyEdits(text, [edit]));
    return after !== undefined && canonicalText(after) === meaning;
  });
}

function soleDocument(text: string): JsonNode | undefined {
  const documents = readDocuments(text).filter(
    (document) => document.kind === 'broken' || document.node.kind !== 'null',
  );
  const [only] = documents;
  return documents.length === 1 && only?.kind === 'read' ? only.node : undefined;
}

/** The one edit, of whole lines, that makes one text of another. */
function differenceOf(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const start = old.slice(0, head).join('').length;
  const end = before.length - old.slice(old.length - tail).join('').length;
  return { start, end, text: now.slice(head, now.length - tail).join('') };
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
