import { jsonText } from '../../go/json.js';
import type { JsonNode } from '../../go/json-node.js';
import type { Fix, TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestObject } from '../../manifest/documents/manifest-object.js';
import { documentsOf } from '../../manifest/documents/read-documents.js';
import { kubectlForm } from '../../manifest/verdict/judge-documents.js';
import { type Change, changeNode, pathSteps } from './change.js';
import { editCandidates } from './edit-text.js';
import { applyEdits, lineEdits, unifiedDiff } from './text-edits.js';

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
  let current: Text = document;
  for (const { path, value } of changes) {
    const steps = [...prefix, ...pathSteps(path)];
    const changed = firstThatHolds(current, steps, value);
    if (changed === undefined) return undefined;
    current = changed;
  }
  const edits = lineEdits(document.text, current.text).map((edit) => ({
    start: edit.start + document.start,
    end: edit.end + document.start,
    text: edit.text,
  }));
  if (edits.length === 0) return undefined;
  return { edits, diff: unifiedDiff(object.source, edits), safe: isSafe };
}

type Text = Pick<DocumentText, 'text'>;

/** The document with the first edit that makes the change and no other. */
function firstThatHolds(
  document: Text,
  steps: readonly (string | number)[],
  value: Change['value'],
): Text | undefined {
  const { text } = document;
  const before = soleDocument(document);
  const wanted = before && changeNode(before, steps, value);
  if (before === undefined || wanted === undefined) return undefined;
  const meaning = meaningOf(wanted);
  return editCandidates(text, before, steps, value)
    .map(withLineEnds(text))
    .map((edit) => ({ text: applyEdits(text, [edit]) }))
    .find((changed) => {
      const after = soleDocument(changed);
      return after !== undefined && meaningOf(after) === meaning;
    });
}

/** Lines end as those of the text do. */
function withLineEnds(text: string): (edit: TextEdit) => TextEdit {
  if (!text.includes('\r\n')) return (edit) => edit;
  return (edit) => ({ ...edit, text: edit.text.replace(/\r?\n/g, '\r\n') });
}

function soleDocument(source: Text): JsonNode | undefined {
  const documents = documentsOf(source).filter(
    (document) => document.kind === 'broken' || document.node.kind !== 'null',
  );
  const [only] = documents;
  return documents.length === 1 && only?.kind === 'read' ? only.node : undefined;
}

/** Returns a text that two trees share when they mean the same, wherever they stand. */
function meaningOf(node: JsonNode): string {
  return jsonText(kubectlForm(node));
}
