import { jsonText } from '../../go/json.js';
import type { JsonNode, JsonObject } from '../../go/json-node.js';
import type { Fix, TextEdit } from '../../manifest/diagnostic.js';
import type { ManifestObject } from '../../manifest/documents/manifest-object.js';
import { documentsOf, readDocuments } from '../../manifest/documents/read-documents.js';
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
  const read = documentsOf(object.source.origin)[object.document];
  if (read?.kind !== 'read') return undefined;
  let current: Tree = { ...document, within: object.source.text, node: read.node };
  for (const { path, value } of changes) {
    const steps = [...prefix, ...pathSteps(path)];
    const changed = applyFirstValidEdit(current, steps, value);
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

interface Tree extends DocumentText {
  /** The text that the offsets of the tree are in. */
  readonly within: string;
  readonly node: JsonNode;
}

/** Returns the document after the first edit that makes the change and no other. */
function applyFirstValidEdit(
  { text, start, within, node }: Tree,
  steps: readonly (string | number)[],
  value: Change['value'],
): Tree | undefined {
  const wanted = changeNode(node, steps, value);
  if (wanted === undefined) return undefined;
  for (const edit of editCandidates(within, node, steps, value).map(withLineEnds(text))) {
    const own = { ...edit, start: edit.start - start, end: edit.end - start };
    const changed = applyEdits(text, [own]);
    const after = soleDocument(changed);
    if (after !== undefined && meansSame(after, wanted)) {
      return { start: 0, text: changed, within: changed, node: after };
    }
  }
  return undefined;
}

/** Gives edits the line ends of the text. */
function withLineEnds(text: string): (edit: TextEdit) => TextEdit {
  if (!text.includes('\r\n')) return (edit) => edit;
  return (edit) => ({ ...edit, text: edit.text.replace(/\r?\n/g, '\r\n') });
}

function soleDocument(text: string): JsonNode | undefined {
  const documents = readDocuments(text).filter(
    (document) => document.kind === 'broken' || document.node.kind !== 'null',
  );
  const [only] = documents;
  return documents.length === 1 && only?.kind === 'read' ? only.node : undefined;
}

/** Returns whether two trees mean the same, wherever they are in a text. */
function meansSame(node: JsonNode, other: JsonNode | undefined): boolean {
  if (node.kind === 'array' && other?.kind === 'array') {
    return (
      node.items.length === other.items.length &&
      node.items.every((item, index) => meansSame(item, other.items[index]))
    );
  }
  if (node.kind === 'object' && other?.kind === 'object') {
    const [own, others] = [lastMembers(node), lastMembers(other)];
    return (
      own.size === others.size &&
      [...own].every(([key, value]) => meansSame(value, others.get(key)))
    );
  }
  if (node.kind === 'string' && other?.kind === 'string') return node.value === other.value;
  return node.kind === other?.kind && jsonText(kubectlForm(node)) === jsonText(kubectlForm(other));
}

function lastMembers({ members }: JsonObject): ReadonlyMap<string, JsonNode> {
  return new Map(members.map(({ key, value }) => [key, value]));
}
