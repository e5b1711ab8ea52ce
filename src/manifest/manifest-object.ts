import { type JsonNode, memberOf, stringOf } from '../api/decode/json-node.js';
import { parseYaml } from './parse-yaml.js';
import type { SourceFile } from './source-file.js';
import { type RawDocument, splitDocuments } from './split-documents.js';
import { SyntaxProblem } from './syntax-error.js';

/** One object of a manifest; the items of a list are objects of their own. */
export interface ManifestObject {
  readonly source: SourceFile;
  /** Which document of the file, from 0. */
  readonly document: number;
  readonly node: JsonNode;
  readonly apiVersion: string;
  readonly kind: string;
}

/** What an object is when it does not say so itself: an item of a typed list. */
interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

const NO_TYPE: TypeMeta = { apiVersion: '', kind: '' };

/** The objects of a source in order; what can't be read is reported, and the rest is read on. */
export function readObjects(source: SourceFile): readonly ManifestObject[] {
  return splitDocuments(source.text).flatMap((raw, document) => {
    const node = readDocument(source, raw);
    return node === undefined ? [] : flatten(source, document, node, NO_TYPE);
  });
}

function readDocument(source: SourceFile, raw: RawDocument): JsonNode | undefined {
  switch (raw.kind) {
    case 'json':
      return raw.node;
    case 'broken':
      reportProblem(source, raw.problem);
      return undefined;
    case 'yaml':
      return readYaml(source, raw);
  }
}

function readYaml(
  source: SourceFile,
  raw: Extract<RawDocument, { kind: 'yaml' }>,
): JsonNode | undefined {
  try {
    const { node, duplicates } = parseYaml(source.text, raw.start, raw.end);
    for (const duplicate of duplicates) {
      // kubectl does the merge before the server sees it: overriding a merged key is what merges are for.
      if (duplicate.merged) continue;
      const first = source.positionAt(duplicate.firstStart).line;
      source.error(
        duplicate.start,
        duplicate.path,
        `set twice, first on line ${first}`,
        'remove one of the two',
      );
    }
    return node;
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    const { jsonProblem } = raw;
    // Of the two readings of a text that begins with "{", the one that got further says more.
    reportProblem(
      source,
      jsonProblem && jsonProblem.offset >= problem.offset ? jsonProblem : problem,
    );
    return undefined;
  }
}

function reportProblem(source: SourceFile, { offset, message, hint }: SyntaxProblem): void {
  source.error(offset, '', message, hint);
}

function flatten(
  source: SourceFile,
  document: number,
  node: JsonNode,
  inherited: TypeMeta,
): readonly ManifestObject[] {
  // An empty document is nobody's mistake; a null in a list is.
  if (node.kind === 'null' && inherited === NO_TYPE) return [];
  if (node.kind !== 'object') {
    const what = {
      null: 'null',
      array: 'a list',
      string: 'a text',
      number: 'a number',
      bool: 'a boolean',
    }[node.kind];
    source.error(
      node.start,
      '',
      `a manifest is an object with apiVersion and kind, this is ${what}`,
    );
    return [];
  }
  const apiVersion = stringOf(memberOf(node, 'apiVersion')) ?? inherited.apiVersion;
  const kind = stringOf(memberOf(node, 'kind')) ?? inherited.kind;
  if (!isTyped(source, node, { apiVersion, kind })) return [];
  const items = memberOf(node, 'items');
  if (!kind.endsWith('List') || items === undefined)
    return [{ source, document, node, apiVersion, kind }];
  return flattenList(source, document, items, { apiVersion, kind });
}

function isTyped(source: SourceFile, node: JsonNode, { apiVersion, kind }: TypeMeta): boolean {
  if (kind === '') {
    source.error(
      memberOf(node, 'kind')?.start ?? node.start,
      'kind',
      'the kind is missing',
      'such as "kind: Pod"',
    );
  }
  if (apiVersion === '') {
    const offset = memberOf(node, 'apiVersion')?.start ?? node.start;
    source.error(offset, 'apiVersion', 'the apiVersion is missing', 'such as "apiVersion: v1"');
  }
  return kind !== '' && apiVersion !== '';
}

function flattenList(
  source: SourceFile,
  document: number,
  items: JsonNode,
  { apiVersion, kind }: TypeMeta,
): readonly ManifestObject[] {
  if (items.kind === 'null') return [];
  if (items.kind !== 'array') {
    source.error(items.start, 'items', 'must be a list');
    return [];
  }
  // A List says nothing of its items; a PodList says that they are Pods.
  const inherited =
    kind === 'List' ? { ...NO_TYPE } : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.items.flatMap((item) => flatten(source, document, item, inherited));
}
