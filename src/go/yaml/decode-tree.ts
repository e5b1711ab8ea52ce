import type { JsonMember, JsonNode } from '../json-node.js';
import { goQuote } from '../quote.js';
import { type DecodeProblem, GoYamlDecodeError } from './error.js';
import type { AliasNode, GoNode, MappingNode, Member, ScalarNode, SequenceNode } from './node.js';
import { isJsonNumber, isMerge, keyScalar, scalarNode, unsupportedNumber } from './scalar.js';

/** A key that an object has twice, or that a merge (`<<`) adds although the object has it. */
export interface DuplicateKey {
  readonly path: string;
  /** The key as Go's `%#v` shows it. */
  readonly key: string;
  readonly firstStart: number;
  /** The place of the second one. */
  readonly start: number;
  /** The line of the second one's value in its document, from 1, as go-yaml counts. */
  readonly line: number;
  /** True if a merge sets one of the two. */
  readonly merged: boolean;
}

export interface YamlTree {
  readonly node: JsonNode;
  readonly duplicates: readonly DuplicateKey[];
}

/** Members by key: a string, or a symbol for a key that is not a string. */
type Entries = Map<string | symbol, JsonMember & { readonly merged: boolean }>;
const NULL_KEY = Symbol.for('null');

const LINE_BREAK = /\r\n|[\n\r\x85\u2028\u2029]/g;

/** In YAML 1.1, y, yes, on, n, no and off are booleans too. */
export type YamlVersion = '1.1' | '1.2';

/** Makes the JSON value of a document. Ports decoder (go.yaml.in/yaml/v2 decode.go) as sigs.k8s.io/yaml uses it. */
export class TreeDecoder {
  /** Offsets of the line breaks, once a line is asked for. */
  #breaks: readonly number[] | undefined;
  /** Numbers of decoded nodes, expanded aliases included, and of those within aliases. The document counts too. */
  #decoded = 1;
  #aliased = 0;
  readonly #open = new Set<GoNode>();
  readonly #path: (string | number)[] = [];
  #nullKey: GoYamlDecodeError | undefined;
  readonly #unsupported = new Map<JsonNode, ScalarNode>();
  readonly duplicates: DuplicateKey[] = [];

  /** `base` is added to the offsets of what is made. */
  constructor(
    private readonly text: string,
    private readonly base: number,
    private readonly version: YamlVersion = '1.1',
  ) {}

  /** `fallback` is the offset of a node that has no text. */
  decode(node: GoNode, fallback = node.offset): JsonNode {
    this.#count(node);
    switch (node.kind) {
      case 'scalar':
        return this.#scalar(node, fallback);
      case 'alias':
        return this.#alias(node, () => this.decode(node.target, fallback));
      case 'sequence':
        return this.#sequence(node);
      case 'mapping':
        return this.#mapping(node);
    }
  }

  /** Decodes the whole document; what JSON does not have fails at the end, when Go encodes it. */
  decodeDocument(root: GoNode): JsonNode {
    const node = this.decode(root);
    if (this.#nullKey !== undefined) throw this.#nullKey;
    if (this.#unsupported.size > 0) this.#checkNumbers(node);
    return node;
  }

  #scalar(written: ScalarNode, fallback: number): JsonNode {
    const node = scalarNode(this.#plain(written), this.base, fallback);
    if (node.kind === 'number' && !isJsonNumber(node.literal)) this.#unsupported.set(node, written);
    return node;
  }

  #checkNumbers(node: JsonNode): void {
    const written = this.#unsupported.get(node);
    if (written !== undefined && node.kind === 'number') {
      throw unsupportedNumber(node.literal, written);
    }
    if (node.kind === 'array') for (const item of node.items) this.#checkNumbers(item);
    if (node.kind === 'object') for (const { value } of node.members) this.#checkNumbers(value);
  }

  /** Ports the limits that go-yaml sets to `document contains excessive aliasing` (go.yaml.in/yaml/v2 decode.go). */
  #count(node: GoNode): void {
    this.#decoded++;
    if (this.#open.size > 0) this.#aliased++;
    if (this.#aliased <= 100 || this.#decoded <= 1000) return;
    if (this.#aliased / this.#decoded <= allowedAliasRatio(this.#decoded)) return;
    const [outermost = node] = this.#open;
    this.#fail('excessive-aliasing', 'document contains excessive aliasing', outermost);
  }

  #fail(problem: DecodeProblem, message: string, { offset }: GoNode): never {
    throw new GoYamlDecodeError(problem, `yaml: ${message}`, offset);
  }

  #alias<T>(node: AliasNode, decode: () => T): T {
    if (this.#open.has(node)) {
      const message = `anchor '${node.anchor}' value contains itself`;
      this.#fail('recursive-anchor', message, node);
    }
    this.#open.add(node);
    const decoded = decode();
    this.#open.delete(node);
    return decoded;
  }

  #sequence({ offset, children }: SequenceNode): JsonNode {
    const items = children.map((child, index) => {
      this.#path.push(index);
      const item = this.decode(child);
      this.#path.pop();
      return item;
    });
    return { kind: 'array', start: this.base + offset, items };
  }

  #mapping(node: MappingNode): JsonNode {
    const entries: Entries = new Map();
    this.#pairs(node, entries, false);
    this.#noteNullKey(entries);
    // sigs.k8s.io/yaml goes by JSON, whose keys Go sorts.
    const members = [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return { kind: 'object', start: this.base + node.offset, members };
  }

  /** Sets the pairs of a mapping in entries that may have some by then. */
  #pairs(node: MappingNode, entries: Entries, merged: boolean): void {
    for (const member of node.children) {
      const { key, value } = member;
      if (key.kind === 'scalar' && isMerge(key)) this.#merge(value, entries);
      else this.#pair(member, node, entries, merged);
    }
  }

  #pair(
    { key: keyNode, value: valueNode, valueStart }: Member,
    mapping: GoNode,
    entries: Entries,
    merged: boolean,
  ): void {
    const decoded = this.#key(keyNode);
    if (decoded.kind === 'array' || decoded.kind === 'object') {
      const problem = decoded.kind === 'object' ? 'key-object' : 'key-list';
      const message = `yaml: invalid map key: ${goSyntax(decoded)}`;
      throw new GoYamlDecodeError(problem, message, mapping.offset);
    }
    const { key, identity } = nameOf(decoded);
    this.#path.push(key);
    const value = this.decode(valueNode, keyNode.offset);
    const start = decoded.start;
    const known = entries.get(identity);
    if (known !== undefined) {
      this.duplicates.push({
        path: joinPath(this.#path),
        key: decoded.kind === 'string' ? goSyntax(decoded) : key,
        firstStart: known.keyStart,
        start,
        line: this.#lineOf(valueStart),
        merged: merged || known.merged,
      });
    }
    this.#path.pop();
    entries.set(identity, { key, keyStart: start, value, merged });
  }

  #lineOf(offset: number): number {
    this.#breaks ??= Array.from(this.text.matchAll(LINE_BREAK), ({ index }) => index);
    let line = 0;
    for (let step = 1 << 26; step >= 1; step >>= 1) {
      if ((this.#breaks[line + step - 1] ?? Infinity) < offset) line += step;
    }
    return line + 1;
  }

  #key(node: GoNode): JsonNode {
    if (node.kind !== 'scalar') return this.decode(node);
    this.#count(node);
    return keyScalar(this.#plain(node), this.base);
  }

  #plain(node: ScalarNode): ScalarNode {
    const isWord = this.version === '1.2' && /^(?:y|yes|on|n|no|off)$/i.test(node.value);
    return isWord ? { ...node, implicit: false } : node;
  }

  /** JSON has no key of null; Go finds that when it encodes the whole document. */
  #noteNullKey(entries: Entries): void {
    const entry = entries.get(NULL_KEY);
    if (entry === undefined) return;
    const shown = entry.value.kind === 'null' ? '<nil>' : goSyntax(entry.value);
    const message = `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`;
    this.#nullKey ??= new GoYamlDecodeError('key-null', message, entry.keyStart - this.base);
  }

  /** Ports merge: the pairs are set at the place of the merge, and replace those before it. */
  #merge(node: GoNode, entries: Entries): void {
    switch (node.kind) {
      case 'mapping':
      case 'alias':
        this.#mergeOne(node, entries);
        return;
      case 'sequence':
        // The first of a list has precedence, so it is set last.
        for (const child of node.children.toReversed()) this.#mergeOne(child, entries);
        return;
      case 'scalar':
        this.#failMerge(node);
    }
  }

  #mergeOne(node: GoNode, entries: Entries): void {
    this.#count(node);
    if (node.kind === 'mapping') {
      this.#pairs(node, entries, true);
      return;
    }
    if (node.kind !== 'alias' || node.target.kind !== 'mapping') return this.#failMerge(node);
    const { target } = node;
    this.#alias(node, () => {
      this.#count(target);
      this.#pairs(target, entries, true);
    });
  }

  #failMerge(node: GoNode): never {
    this.#fail('merge', 'map merge requires map or sequence of maps as the value', node);
  }
}

/** Ports the treatment of map keys in convertToJSONableObject (sigs.k8s.io/yaml yaml.go). */
function nameOf(node: Exclude<JsonNode, { kind: 'array' | 'object' }>): {
  key: string;
  identity: string | symbol;
} {
  if (node.kind === 'string') return { key: node.value, identity: node.value };
  const value = node.kind === 'bool' ? String(node.value) : 'null';
  const key = node.kind === 'number' ? node.literal : value;
  return { key, identity: Symbol.for(key) };
}

function joinPath(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '');
}

const RATIO_RANGE_LOW = 400_000;
const RATIO_RANGE_HIGH = 4_000_000;

function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= RATIO_RANGE_LOW) return 0.99;
  if (decodeCount >= RATIO_RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - RATIO_RANGE_LOW) / (RATIO_RANGE_HIGH - RATIO_RANGE_LOW));
}

/** A decoded value as Go's `%#v` shows it in an error. */
function goSyntax(node: JsonNode): string {
  switch (node.kind) {
    case 'null':
      return 'interface {}(nil)';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.literal;
    case 'string':
      return goQuote(node.value);
    case 'array':
      return `[]interface {}{${node.items.map(goSyntax).join(', ')}}`;
    case 'object': {
      const members = node.members.map(({ key, value }) => `${goQuote(key)}:${goSyntax(value)}`);
      return `map[interface {}]interface {}{${members.join(', ')}}`;
    }
  }
}
