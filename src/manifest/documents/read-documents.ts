import { parseJson, SyntaxProblem } from '../../go/json.js';
import type { JsonNode } from '../../go/json-node.js';
import { byteLength } from '../../go/text.js';
import type { DuplicateKey, YamlVersion } from '../../go/yaml/decode-tree.js';
import { endOfLimit, parseYaml } from './parse-yaml.js';

/** A document as it was read. An empty one is null. */
export type ReadDocument =
  | {
      readonly kind: 'read';
      readonly node: JsonNode;
      readonly isJson: boolean;
      readonly start: number;
      /** Duplicate keys of YAML; for JSON they stay in the tree. */
      readonly duplicates: readonly DuplicateKey[];
    }
  | { readonly kind: 'broken'; readonly problem: SyntaxProblem };

/**
 * Returns the documents of a text. After a broken document the next ones are still read, unless the text begins as JSON and
 * is neither JSON nor YAML.
 */
export function readDocuments(text: string, version?: YamlVersion): readonly ReadDocument[] {
  const offset = endOfLimit(text, /[,\n[{]/g, MAX_SEPARATORS);
  if (offset !== undefined) {
    const problem = new SyntaxProblem(
      'too many values for a manifest',
      offset,
      'split it up, or keep data elsewhere',
    );
    return [{ kind: 'broken', problem }];
  }
  const documents: ReadDocument[] = [];
  for (const raw of splitDocuments(text)) {
    const read = readDocument(text, raw, version);
    documents.push(read);
    if (read.kind === 'broken' && raw.kind === 'yaml' && raw.jsonProblem !== undefined) break;
  }
  return documents;
}

const READ = new WeakMap<object, readonly ReadDocument[]>();

/** Characters of the longest text whose documents are kept: those of longer texts take too much memory. */
const MAX_KEPT = 1_000_000;

/** The last source whose text was longer than that. */
let latest: object | undefined;

/** Returns the documents of a source. Each source is parsed once; of the long ones, only the latest is kept. */
export function documentsOf(source: { readonly text: string }): readonly ReadDocument[] {
  if (source.text.length > MAX_KEPT && latest !== source) {
    if (latest !== undefined) READ.delete(latest);
    latest = source;
  }
  const read = READ.get(source) ?? readDocuments(source.text);
  READ.set(source, read);
  return read;
}

/** Limit of the number of values: each takes some hundred bytes while it is read, and memory would run out. */
const MAX_SEPARATORS = 1_500_000;

function readDocument(text: string, raw: RawDocument, version?: YamlVersion): ReadDocument {
  switch (raw.kind) {
    case 'json':
      return { kind: 'read', node: raw.node, isJson: true, start: raw.node.start, duplicates: [] };
    case 'broken':
      return raw;
    case 'yaml':
      return readYaml(text, raw, version);
  }
}

function readYaml(
  text: string,
  raw: Extract<RawDocument, { kind: 'yaml' }>,
  version?: YamlVersion,
): ReadDocument {
  try {
    return {
      kind: 'read',
      isJson: false,
      start: raw.start,
      ...parseYaml(text, raw.start, raw.end, version),
    };
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    const { jsonProblem } = raw;
    if (jsonProblem === undefined) return { kind: 'broken', problem };
    // A text that begins with "{" was read as JSON and as YAML. The error of the reading that got further helps more.
    const { message, offset, hint } = jsonProblem.offset >= problem.offset ? jsonProblem : problem;
    const shown = new SyntaxProblem(message, offset, hint, jsonProblem.server);
    return { kind: 'broken', problem: shown };
  }
}

type RawDocument =
  | { readonly kind: 'json'; readonly node: JsonNode }
  | {
      readonly kind: 'yaml';
      readonly start: number;
      readonly end: number;
      /** JSON error of a document that begins as JSON does. */
      readonly jsonProblem?: SyntaxProblem;
    }
  | { readonly kind: 'broken'; readonly problem: SyntaxProblem };

/**
 * Cuts a text into documents as `kubectl -f` does: what begins with `{` is a stream of JSON values for as long
 * as it is; the rest is cut at the lines that begin with `---`, even inside a block scalar. Ports
 * YAMLOrJSONDecoder and YAMLReader (apimachinery pkg/util/yaml/decoder.go).
 */
export function splitDocuments(text: string): readonly RawDocument[] {
  const documents: RawDocument[] = [];
  let start = 0;
  let jsonProblem: SyntaxProblem | undefined;
  if (text.trimStart().startsWith('{')) {
    const rest = readJsonStream(text, documents);
    if (rest === undefined) return documents;
    start = rest.start;
    jsonProblem = rest.problem;
  }
  splitYaml(text, start, documents, jsonProblem);
  return documents;
}

/** Adds the JSON values; returns where YAML begins, or undefined at the end. */
function readJsonStream(
  text: string,
  documents: RawDocument[],
): { start: number; problem: SyntaxProblem } | undefined {
  let position = 0;
  try {
    for (let value = parseJson(text); value !== undefined; value = parseJson(text, position)) {
      documents.push({ kind: 'json', node: value.node });
      position = value.end;
    }
    return undefined;
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    if (documents.length > 1) {
      documents.push({ kind: 'broken', problem });
      return undefined;
    }
    const space = /[^\S\n]*\n?/y;
    space.lastIndex = position;
    const start = position + (space.exec(text)?.[0].length ?? 0);
    return { start, problem: withOffset(problem, text) };
  }
}

/** Ports JSONSyntaxError (apimachinery pkg/util/yaml/decoder.go): the bytes up to where the problem is. */
function withOffset(problem: SyntaxProblem, text: string): SyntaxProblem {
  const { message, offset, hint, server, ahead } = problem;
  if (server === 'unexpected EOF') return new SyntaxProblem(message, offset, hint, server);
  const bytes = byteLength(text.slice(0, offset + ahead)) + 1;
  return new SyntaxProblem(message, offset, hint, `json: offset ${bytes}: ${server}`);
}

function splitYaml(
  text: string,
  from: number,
  documents: RawDocument[],
  jsonProblem: SyntaxProblem | undefined,
): void {
  let start = from;
  const push = (end: number): void => {
    if (end > start)
      documents.push({ kind: 'yaml', start, end, ...(jsonProblem && { jsonProblem }) });
  };
  for (let at = separatorFrom(text, from); at !== -1; at = separatorFrom(text, lineEnd(text, at))) {
    const rest = text.slice(at + 3, lineEnd(text, at)).trim();
    if (rest !== '' && !rest.startsWith('#')) {
      documents.push({ kind: 'broken', problem: badSeparator(at, rest) });
      return;
    }
    // A separator with nothing before it stays with the document that it opens.
    if (at === start) continue;
    push(at);
    start = lineEnd(text, at);
  }
  push(text.length);
}

/** Returns the offset of the next line that begins with `---`; `lineStart` is the start of a line. */
function separatorFrom(text: string, lineStart: number): number {
  if (text.startsWith('---', lineStart)) return lineStart;
  const newline = text.indexOf('\n---', lineStart);
  return newline === -1 ? -1 : newline + 1;
}

export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

function badSeparator(offset: number, rest: string): SyntaxProblem {
  const hint = rest.startsWith('-')
    ? 'write exactly three dashes'
    : 'put the rest on its own line; kubectl stops reading here';
  return new SyntaxProblem(`invalid Yaml document separator: ${rest}`, offset, hint);
}
