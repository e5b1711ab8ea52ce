import { isList } from '../../../api/index.js';
import { jsonText } from '../../../go/json.js';
import type { JsonMember, JsonNode, JsonObject } from '../../../go/json-node.js';
import type { Fix, TextEdit } from '../../../manifest/diagnostic.js';
import type { ManifestObject } from '../../../manifest/documents/manifest-object.js';
import { lineEnd, readDocuments } from '../../../manifest/documents/read-documents.js';
import { kubectlForm } from '../../../manifest/verdict/judge-documents.js';
import { type Change, changeNode, type NewValue, pathSteps } from './change.js';
import { applyEdits, lineEdits, unifiedDiff } from './text-edits.js';

export interface DocumentText {
  readonly start: number;
  readonly text: string;
}

/**
 * Returns a fix that makes changes of an object: it edits the text, reads it again, and keeps an edit only if the
 * object then has these changes and no others. Undefined when no edit does that.
 */
export function fixOf(
  object: ManifestObject,
  document: DocumentText,
  changes: readonly Change[],
  isSafe: boolean,
): Fix | undefined {
  const within = object.item.split('.').filter((index) => index !== '');
  const prefix = within.flatMap((index) => ['items', Number(index)]);
  if (changes.length === 0) return undefined;
  let current: Tree = { ...document, within: object.source.text, node: object.root };
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
    const relative = { ...edit, start: edit.start - start, end: edit.end - start };
    const changed = applyEdits(text, [relative]);
    const after = soleDocument(changed);
    if (after !== undefined && meansSame(after, wanted)) {
      return { start: 0, text: changed, within: changed, node: after };
    }
  }
  return undefined;
}

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
    const [members, others] = [lastMembers(node), lastMembers(other)];
    return (
      members.size === others.size &&
      [...members].every(([key, value]) => meansSame(value, others.get(key)))
    );
  }
  if (node.kind === 'string' && other?.kind === 'string') return node.value === other.value;
  return node.kind === other?.kind && jsonText(kubectlForm(node)) === jsonText(kubectlForm(other));
}

function lastMembers({ members }: JsonObject): ReadonlyMap<string, JsonNode> {
  return new Map(members.map(({ key, value }) => [key, value]));
}

/**
 * Returns edits that may put a change into a text, the best one first. Layouts are many: the caller has to read the
 * text again to see whether an edit worked.
 */
function editCandidates(
  text: string,
  root: JsonNode,
  steps: readonly (string | number)[],
  value: NewValue | undefined,
): readonly TextEdit[] {
  const parent = follow(root, steps.slice(0, -1));
  const key = steps.at(-1);
  if (parent?.kind !== 'object' || typeof key !== 'string') return [];
  const known = parent.members.find((member) => member.key === key);
  if (known === undefined) return value === undefined ? [] : insertions(text, parent, key, value);
  const edits =
    value === undefined ? removals(text, parent, known) : replacements(text, known, value);
  return edits.flatMap((edit) => [keepComments(text, edit), edit]);
}

/** Keeps the comments of the lines that an edit removes, but for those that silence kprobe there. */
function keepComments(text: string, edit: TextEdit): TextEdit {
  const removed = text.slice(edit.start, edit.end);
  const comments = removed
    .split('\n')
    .flatMap((line) => COMMENT.exec(line)?.[1] ?? [])
    .filter((comment) => !/^#\s*kprobe-ignore/.test(comment))
    .join(' ');
  if (comments === '') return edit;
  if (edit.text !== '') return { ...edit, text: edit.text.replace('\n', ` ${comments}\n`) };
  const indent = /^ */.exec(removed)?.[0] ?? '';
  return { ...edit, text: `${indent}${comments}\n${removed.slice(removed.lastIndexOf('\n') + 1)}` };
}

/** A comment at the end of a line, behind complete quotes. */
const COMMENT = /^(?:[^"'#]|"[^"]*"|'[^']*'|(?<!\s)#)*\s(#.*?)\r?$/;

function follow(root: JsonNode, steps: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of steps) {
    if (node?.kind === 'array' && typeof step === 'number') node = node.items[step];
    else if (node?.kind === 'object')
      node = node.members.findLast(({ key }) => key === step)?.value;
    else return undefined;
  }
  return node;
}

function replacements(text: string, member: JsonMember, value: NewValue): readonly TextEdit[] {
  const { keyStart, value: node } = member;
  if (/[[{]/.test(text[node.start] ?? '')) {
    const edit = flowText(value, text[keyStart] === '"');
    return [{ start: node.start, end: endOfFlow(text, node.start), text: edit }];
  }
  if (node.kind === 'array' || node.kind === 'object') {
    const indent = ' '.repeat(keyStart - lineStart(text, keyStart));
    const block = `${blockText(member.key, value, indent).trimStart()}\n`;
    return [{ start: keyStart, end: endOfBlock(text, keyStart), text: block }];
  }
  // A scalar, in quotes or plain.
  const literal = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,\]}]+/y;
  literal.lastIndex = node.start;
  const [written] = literal.exec(text) ?? [];
  if (written === undefined) return [];
  const edit = flowText(value, written.startsWith('"'));
  return [{ start: node.start, end: node.start + written.length, text: edit }];
}

function insertions(
  text: string,
  parent: JsonObject,
  key: string,
  value: NewValue,
): readonly TextEdit[] {
  const members = parent.members.toSorted((a, b) => a.keyStart - b.keyStart);
  const [first] = members;
  if (text[parent.start] === '{') return [intoFlow(text, parent, first, key, value)];
  if (first === undefined) return [];
  const indent = ' '.repeat(first.keyStart - lineStart(text, first.keyStart));
  const block = blockText(key, value, indent);
  const before = `${block.trimStart()}\n${indent}`;
  return [
    ...members
      .filter(isInOneLine(text))
      .slice(-1)
      .map(({ keyStart }) => afterLine(text, keyStart, block)),
    { start: first.keyStart, end: first.keyStart, text: before },
  ];
}

function intoFlow(
  text: string,
  { start }: JsonObject,
  first: JsonMember | undefined,
  key: string,
  value: NewValue,
): TextEdit {
  if (first === undefined) {
    return { start: start + 1, end: start + 1, text: flowMember(key, value, false) };
  }
  const space = text.slice(start + 1, first.keyStart);
  const isJson = text[first.keyStart] === '"';
  const separator = space.includes('\n') ? space.slice(space.lastIndexOf('\n')) : ' ';
  const written = `${flowMember(key, value, isJson)},${separator}`;
  return { start: first.keyStart, end: first.keyStart, text: written };
}

function isInOneLine(text: string): (member: JsonMember) => boolean {
  return ({ keyStart, value }) =>
    value.kind !== 'object' &&
    value.kind !== 'array' &&
    value.start >= keyStart &&
    !text.slice(keyStart, value.start).includes('\n') &&
    !/[|>]/.test(text[value.start] ?? '');
}

function afterLine(text: string, offset: number, block: string): TextEdit {
  const end = lineEnd(text, offset);
  const added = text[end - 1] === '\n' ? `${block}\n` : `\n${block}`;
  return { start: end, end, text: added };
}

function removals(text: string, parent: JsonObject, member: JsonMember): readonly TextEdit[] {
  const { keyStart } = member;
  const next = parent.members
    .toSorted((a, b) => a.keyStart - b.keyStart)
    .find((other) => other.keyStart > keyStart);
  const upToNext = next === undefined ? [] : [{ start: keyStart, end: next.keyStart, text: '' }];
  if (text[parent.start] === '{') return [...upToNext, ...lastOfFlow(text, member)];
  const start = lineStart(text, keyStart);
  const isFirstOfItem = text.slice(start, keyStart).trim() !== '';
  if (isFirstOfItem) return upToNext;
  return [{ start, end: endOfBlock(text, keyStart), text: '' }];
}

function lastOfFlow(text: string, { keyStart, value }: JsonMember): readonly TextEdit[] {
  if (value.kind === 'object' || value.kind === 'array') return [];
  const before = /,\s*$/.exec(text.slice(0, keyStart));
  const after = /[^,}\n]*/y;
  after.lastIndex = value.start;
  const end = value.start + (after.exec(text)?.[0].length ?? 0);
  return before === null ? [] : [{ start: before.index, end, text: '' }];
}

/** Finds the end of the lines of a key and its value; blank lines and comments after them stay. */
function endOfBlock(text: string, keyStart: number): number {
  const column = keyStart - lineStart(text, keyStart);
  let end = lineEnd(text, keyStart);
  for (let at = end; at < text.length; at = lineEnd(text, at)) {
    const line = text.slice(at, lineEnd(text, at));
    const content = line.search(/[^ ]/);
    const isBlank = /^\s*(?:#.*)?$/.test(line);
    const isItem = content === column && /^-(?:\s|$)/.test(line.slice(content));
    if (!isBlank && content <= column && !isItem) break;
    if (!isBlank) end = lineEnd(text, at);
  }
  return end;
}

/** Finds the end of a value in brackets or braces. */
function endOfFlow(text: string, start: number): number {
  const tokens = /"(?:[^"\\]|\\.)*"|'[^']*'|[[\]{}]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (/^[[{]/.test(token[0])) depth++;
    else if (/^[\]}]/.test(token[0]) && --depth === 0) break;
  }
  return tokens.lastIndex || text.length;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Strings that need no quotes in any YAML version. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[A-Za-z/][\w./-]*$/i;

/** Writes a value in one line: YAML's flow style, or JSON. */
function flowText(value: NewValue, isJson: boolean): string {
  if (typeof value === 'string') {
    return !isJson && PLAIN.test(value) ? value : JSON.stringify(value);
  }
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((each) => flowText(each, isJson)).join(', ')}]`;
  const members = Object.entries(value).map(([key, each]) => flowMember(key, each, isJson));
  return `{${members.join(', ')}}`;
}

function flowMember(key: string, value: NewValue, isJson: boolean): string {
  return `${isJson ? JSON.stringify(key) : key}: ${flowText(value, isJson)}`;
}

/** Writes a key and its value as lines of block style, without the last line break. */
function blockText(key: string, value: NewValue, indent: string): string {
  if (typeof value !== 'object' || isList(value)) {
    return `${indent}${key}: ${flowText(value, false)}`;
  }
  const members = Object.entries(value).map(([inner, each]) =>
    blockText(inner, each, `${indent}  `),
  );
  return [`${indent}${key}:`, ...members].join('\n');
}
