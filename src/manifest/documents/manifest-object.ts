import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import type { DuplicateKey } from '../../go/yaml/decode-tree.js';
import type { FieldProblem } from '../diagnostic.js';
import { documentsOf } from './read-documents.js';
import type { SourceFile } from './source-file.js';

/** The place of an object in its source. */
interface Place {
  readonly source: SourceFile;
  readonly document: number;
  /** Position in the lists of its document: `0.1` is item 1 of a list that is item 0; empty outside of lists. */
  readonly item: string;
  readonly root: JsonNode;
  readonly inherited: TypeMeta;
}

/** One object of a manifest; the items of a list are objects of their own. */
export interface ManifestObject extends Omit<Place, 'inherited'> {
  readonly node: JsonNode;
  readonly apiVersion: string;
  readonly kind: string;
}

/** UTF-16 units of the largest text. An API server accepts objects of 3 MiB; the largest published streams have a few of them. */
const MAX_LENGTH = 64 * 1024 * 1024;

const NO_TYPE: TypeMeta = { apiVersion: '', kind: '' };

/** Returns the objects of a source in order; documents that cannot be read are reported and skipped. */
export function readObjects(source: SourceFile): readonly ManifestObject[] {
  if (source.text.length > MAX_LENGTH) {
    source.error(0, '', 'the text is too long for a manifest', 'split it up');
    return [];
  }
  return documentsOf(source.origin).flatMap((read, document) => {
    if (read.kind === 'broken') {
      const { offset, message, hint } = read.problem;
      source.error(offset, '', message, hint);
      return [];
    }
    // kubectl applies merges before it sends the object, and a key may override a merged one.
    const duplicates = read.duplicates.filter(({ merged }) => !merged);
    for (const duplicate of duplicates) reportDuplicate(source, duplicate);
    const root = read.node;
    return flatten(root, { source, document, item: '', root, inherited: NO_TYPE });
  });
}

export function reportDuplicate(
  source: SourceFile,
  { start, path, firstStart, merged }: DuplicateKey,
  rule?: string,
): void {
  const message = `set twice, first on line ${source.positionAt(firstStart).line}`;
  const hint = merged
    ? 'a merge also sets it; kubectl resolves merges before it sends, see --as kubectl'
    : 'remove one of the two';
  source.report({
    severity: 'error',
    offset: start,
    field: path,
    message,
    hint,
    ...(rule && { rule }),
  });
}

function flatten(node: JsonNode, place: Place): readonly ManifestObject[] {
  const { source, document, item, root, inherited } = place;
  // An empty document is allowed; a null in a list is an error.
  if (node.kind === 'null' && item === '') return [];
  const apiVersion = stringOf(memberOf(node, 'apiVersion')) ?? inherited.apiVersion;
  const kind = stringOf(memberOf(node, 'kind')) ?? inherited.kind;
  const problems = typeProblems(node, { apiVersion, kind });
  for (const { offset, field, message, hint } of problems) {
    source.error(offset, field, message, hint);
  }
  if (problems.length > 0) return [];
  const items = memberOf(node, 'items');
  if (kind.endsWith('List') && items !== undefined) {
    return flattenList(items, { ...place, inherited: { apiVersion, kind } });
  }
  return [{ source, document, item, root, node, apiVersion, kind }];
}

/** Reads the items of a list, whose own type is `inherited`. */
function flattenList(items: JsonNode, place: Place): readonly ManifestObject[] {
  const { source, item, inherited } = place;
  if (items.kind === 'null') return [];
  if (items.kind !== 'array') {
    source.error(items.start, 'items', 'must be a list');
    return [];
  }
  // The kind List tells nothing about the items; PodList tells that they are Pods.
  const isPlain = inherited.kind === 'List';
  const kind = inherited.kind.slice(0, -'List'.length);
  const itemType = isPlain ? NO_TYPE : { apiVersion: inherited.apiVersion, kind };
  return items.items.flatMap((each, index) => {
    const at = item === '' ? String(index) : `${item}.${index}`;
    return flatten(each, { ...place, item: at, inherited: itemType });
  });
}

/** Type of an object, its own or from the typed list that contains it; empty when neither has one. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface TypeProblem extends FieldProblem {
  readonly offset: number;
}

export const KIND_WORDS = {
  null: 'null',
  array: 'a list',
  object: 'an object',
  string: 'a string',
  number: 'a number',
  bool: 'a boolean',
} as const;

const EXAMPLES = [
  ['kind', 'Pod'],
  ['apiVersion', 'v1'],
] as const;

/** Lists why a node is not an object with a kind and an apiVersion. */
export function typeProblems(node: JsonNode, type: TypeMeta): readonly TypeProblem[] {
  if (node.kind !== 'object') {
    const message = `a manifest is an object with apiVersion and kind; this is ${KIND_WORDS[node.kind]}`;
    return [{ offset: node.start, field: '', message }];
  }
  return EXAMPLES.flatMap(([field, example]) => {
    if (type[field] !== '') return [];
    const given = memberOf(node, field);
    const message = given === undefined ? 'is missing' : 'must be a non-empty string';
    const near = node.members.find(({ key }) => key.toLowerCase() === field.toLowerCase());
    const isMisspelled = given === undefined && near !== undefined;
    const hint = isMisspelled
      ? `write "${field}", not "${near.key}"`
      : `such as "${field}: ${example}"`;
    const offset = isMisspelled ? near.keyStart : (given?.start ?? node.start);
    return [{ offset, field, message, hint }];
  });
}
