import {
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from 'yaml';

import { GoYamlDecodeError, GoYamlError } from './error.js';
import type { GoNode, Member } from './node.js';

/** Largest number of characters between the start of a key and its `:`. */
const MAX_KEY_LENGTH = 1024;

/** Converts nodes of the package `yaml` to go-yaml's. Ports the parser of go.yaml.in/yaml/v2 decode.go. */
export class NodeReader {
  readonly #anchors = new Map<string, GoNode>();

  constructor(private readonly text: string) {}

  read(node: ParsedNode): GoNode {
    const [offset] = node.range;
    if (isAlias(node)) return this.#alias(node.source, offset);
    if (isScalar(node)) return this.#bound(scalarOf(node, offset), node.anchor);
    if (isMap(node)) return this.#mapping(node, offset);
    if (!isSeq(node)) throw new Error('unknown kind of node');
    const children: GoNode[] = [];
    const sequence = this.#bound({ kind: 'sequence', offset, children }, node.anchor);
    for (const item of node.items) children.push(this.read(item));
    return sequence;
  }

  #alias(anchor: string, offset: number): GoNode {
    const target = this.#anchors.get(anchor);
    if (target !== undefined) return { kind: 'alias', offset, anchor, target };
    const message = `yaml: unknown anchor '${anchor}' referenced`;
    throw new GoYamlDecodeError('unknown-anchor', message, offset, anchor);
  }

  #mapping({ items, anchor }: YAMLMap<ParsedNode, ParsedNode | null>, offset: number): GoNode {
    const children: Member[] = [];
    const mapping = this.#bound({ kind: 'mapping', offset, children }, anchor);
    for (const pair of items) children.push(this.#member(pair));
    return mapping;
  }

  #member({
    key: keyNode,
    value: valueNode,
    srcToken,
  }: Pair<ParsedNode, ParsedNode | null>): Member {
    const { start = [], sep = [] } = srcToken ?? {};
    const colon = sep.find(({ type }) => type === 'map-value-ind');
    const key = this.read(keyNode);
    const [from, to] = keyNode.range;
    if (start.some(({ type }) => type === 'explicit-key-ind')) checkComma(start);
    else if (colon !== undefined) this.#checkKey(from, colon.offset);
    if (valueNode === null) return { key, value: emptyAt(to), valueStart: to };
    const property = sep.find(({ type }) => type === 'anchor' || type === 'tag');
    const valueStart = property?.offset ?? valueNode.range[0];
    return { key, value: this.read(valueNode), valueStart };
  }

  /** The package allows some keys that continue in the next line. */
  #checkKey(from: number, colon: number): void {
    if (colon - from <= MAX_KEY_LENGTH && !this.text.slice(from, colon).includes('\n')) return;
    throw new GoYamlError('MULTILINE_IMPLICIT_KEY', 'a key ends in the line of its ":"', from);
  }

  #bound<T extends GoNode>(node: T, anchor: string | undefined): T {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }
}

/** In brackets the package allows `?` before the comma that ends the last pair. */
function checkComma(start: readonly CST.SourceToken[]): void {
  const comma = start.findIndex(({ type }) => type === 'comma');
  if (comma === -1 || comma < start.findIndex(({ type }) => type === 'explicit-key-ind')) return;
  throw new GoYamlError('MISSING_CHAR', 'a comma is missing', start[0]?.offset ?? 0);
}

function emptyAt(offset: number): GoNode {
  return { kind: 'scalar', offset, tag: '', value: '', implicit: true };
}

function scalarOf({ value, tag = '', type = 'PLAIN' }: Scalar, offset: number): GoNode {
  const implicit = (tag === '' && type === 'PLAIN') || tag === '!';
  return { kind: 'scalar', offset, tag, value: String(value), implicit };
}
