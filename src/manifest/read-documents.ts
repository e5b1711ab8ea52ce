import { SyntaxProblem } from '../api/index.js';
import type { JsonNode } from '../go/json-node.js';
import type { DuplicateKey } from '../go/yaml/decode-tree.js';
import { parseYaml } from './parse-yaml.js';
import { type RawDocument, splitDocuments } from './split-documents.js';

/** A document as it was read. An empty one is null. */
export type ReadDocument =
  | {
      readonly kind: 'read';
      readonly node: JsonNode;
      readonly isJson: boolean;
      /** Where the document begins in the text. */
      readonly start: number;
      /** Of YAML; JSON keeps its duplicates in the tree. */
      readonly duplicates: readonly DuplicateKey[];
    }
  | { readonly kind: 'broken'; readonly problem: SyntaxProblem };

/**
 * The documents of a text. A broken one does not keep the next ones from being read, unless the text was to
 * be JSON and is neither that nor YAML there.
 */
export function readDocuments(text: string): readonly ReadDocument[] {
  const offset = endOfBounds(text);
  if (offset !== undefined) {
    const problem = new SyntaxProblem(
      'more values than any manifest has',
      offset,
      'split it up, or keep data elsewhere',
    );
    return [{ kind: 'broken', problem }];
  }
  const documents: ReadDocument[] = [];
  for (const raw of splitDocuments(text)) {
    const read = readDocument(text, raw);
    documents.push(read);
    if (read.kind === 'broken' && raw.kind === 'yaml' && raw.jsonProblem !== undefined) break;
  }
  return documents;
}

/** Each value takes some hundred bytes while it is read: with more of them than this memory would run out. */
const MAX_SEPARATORS = 1_500_000;

/** Where a text has more commas, line breaks and brackets than allowed, if it has. */
function endOfBounds(text: string): number | undefined {
  if (text.length <= MAX_SEPARATORS) return undefined;
  const separators = /[,\n[{]/g;
  for (let count = 0; count < MAX_SEPARATORS; count++) {
    if (!separators.test(text)) return undefined;
  }
  return separators.lastIndex - 1;
}

function readDocument(text: string, raw: RawDocument): ReadDocument {
  switch (raw.kind) {
    case 'json':
      return { kind: 'read', node: raw.node, isJson: true, start: raw.node.start, duplicates: [] };
    case 'broken':
      return raw;
    case 'yaml':
      return readYaml(text, raw);
  }
}

function readYaml(text: string, raw: Extract<RawDocument, { kind: 'yaml' }>): ReadDocument {
  try {
    return {
      kind: 'read',
      isJson: false,
      start: raw.start,
      ...parseYaml(text, raw.start, raw.end),
    };
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    const { jsonProblem } = raw;
    if (jsonProblem === undefined) return { kind: 'broken', problem };
    // Of the two readings of a text that begins with "{", the one that got further says more to people.
    const { message, offset, hint } = jsonProblem.offset >= problem.offset ? jsonProblem : problem;
    const said = new SyntaxProblem(message, offset, hint, jsonProblem.server);
    return { kind: 'broken', problem: said };
  }
}
