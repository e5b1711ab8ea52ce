import { GoYamlDecodeError, GoYamlError, type Mark } from './error.js';
import type { GoNode, Place } from './node.js';
import { Scanner } from './scanner.js';
import { endOf, type Token, type TokenKind } from './token.js';

/** go-yaml allows 10,000; nothing in Kubernetes is nested that deep. */
const MAX_DEPTH = 1000;

const EXPLICIT_STARTS: readonly TokenKind[] = [
  'version-directive',
  'tag-directive',
  'document-start',
];

type Pair = readonly [key: GoNode, value: GoNode];

/**
 * Returns the first document of a text as a tree; undefined when there is none.
 *
 * @throws GoYamlError, GoYamlDecodeError
 */
export function parseDocument(text: string): GoNode | undefined {
  return new Parser(text).document();
}

/** Ports go.yaml.in/yaml/v2 parserc.go, whose states are calls here, and the parser of its decode.go. */
class Parser {
  readonly #tokens: Scanner;
  /** Starts of the open collections. */
  readonly #marks: Mark[] = [];
  readonly #anchors = new Map<string, GoNode>();
  readonly #prefixes = new Map<string, string>();
  /** Collections around the node that is read. */
  #depth = 0;

  constructor(text: string) {
    this.#tokens = new Scanner(text);
  }

  document(): GoNode | undefined {
    const isExplicit = this.#tokens.isOneOf(EXPLICIT_STARTS);
    if (this.#tokens.is('stream-end')) return undefined;
    this.#directives();
    if (isExplicit) {
      if (!this.#tokens.is('document-start')) {
        this.#fail('did not find expected <document start>', this.#tokens.peek());
      }
      this.#tokens.take();
    }
    const node = isExplicit ? this.#explicitContent() : this.#node(true);
    this.#tokens.peek();
    return node;
  }

  #explicitContent(): GoNode {
    return this.#tokens.isOneOf([...EXPLICIT_STARTS, 'document-end', 'stream-end'])
      ? this.#empty(this.#tokens.peek())
      : this.#node(true);
  }

  #fail(problem: string, mark: Mark, contextMark?: Mark): never {
    throw new GoYamlError('parser', problem, mark, contextMark);
  }

  /** Ports yaml_parser_process_directives. */
  #directives(): void {
    let hasVersion = false;
    for (; this.#tokens.isOneOf(['version-directive', 'tag-directive']); this.#tokens.take()) {
      const token = this.#tokens.peek();
      const { kind, value, suffix } = token;
      if (kind === 'tag-directive') {
        if (this.#prefixes.has(value)) this.#fail('found duplicate %TAG directive', token);
        this.#prefixes.set(value, suffix);
        continue;
      }
      if (hasVersion) this.#fail('found duplicate %YAML directive', token);
      if (value !== '1.1') this.#fail('found incompatible YAML document', token);
      hasVersion = true;
    }
  }

  #resolveTag(tag: Token, nodeStart: Mark): string {
    const { value, suffix } = tag;
    if (value === '') return suffix;
    const prefix = this.#prefixes.get(value) ?? { '!': '!', '!!': 'tag:yaml.org,2002:' }[value];
    if (prefix !== undefined && prefix + suffix !== '') return prefix + suffix;
    return this.#fail('found undefined tag handle', tag, nodeStart);
  }

  /** Ports yaml_parser_parse_node; `indentless`: a list may begin at the column of its key. */
  #node(block: boolean, indentless = false): GoNode {
    if (this.#tokens.is('alias')) return this.#alias();
    const start = this.#tokens.peek();
    let anchor = this.#takeAnchor();
    const tagToken = this.#tokens.is('tag') ? this.#tokens.take() : undefined;
    if (tagToken !== undefined) anchor ??= this.#takeAnchor();
    const own = this.#tokens.peek();
    const tag = tagToken === undefined ? '' : this.#resolveTag(tagToken, start);
    if (own.kind === 'scalar') {
      const { value, style } = this.#tokens.take();
      const implicit = (tag === '' && style === 'plain') || tag === '!';
      return this.#bound({ kind: 'scalar', start, own, tag, value, implicit }, anchor);
    }
    const at = { start, own, tag };
    const { kind } = own;
    if (indentless && kind === 'block-entry') return this.#indentlessSequence(at, anchor);
    if (kind === 'flow-sequence-start') return this.#flowSequence(at, anchor);
    if (kind === 'flow-mapping-start') return this.#flowMapping(at, anchor);
    if (block && kind === 'block-sequence-start') return this.#blockSequence(at, anchor);
    if (block && kind === 'block-mapping-start') return this.#blockMapping(at, anchor);
    if (anchor !== undefined || tag !== '') {
      return this.#bound({ kind: 'scalar', ...at, value: '', implicit: tag === '' }, anchor);
    }
    const opened = block ? start : this.#marks.at(-1);
    this.#fail('did not find expected node content', own, opened);
  }

  #takeAnchor(): string | undefined {
    return this.#tokens.is('anchor') ? this.#tokens.take().value : undefined;
  }

  #alias(): GoNode {
    const start = this.#tokens.take();
    const anchor = start.value;
    this.#checkDepth(start);
    const target = this.#anchors.get(anchor);
    if (target !== undefined) return { kind: 'alias', start, own: start, tag: '', anchor, target };
    const message = `yaml: unknown anchor '${anchor}' referenced`;
    throw new GoYamlDecodeError('unknown-anchor', message, start.offset, anchor);
  }

  #checkDepth({ offset }: Mark): void {
    if (this.#depth <= MAX_DEPTH) return;
    throw new GoYamlDecodeError('too-deep', `nested more than ${MAX_DEPTH} deep`, offset);
  }

  #bound<T extends GoNode>(node: T, anchor?: string): T {
    this.#checkDepth(node.own);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  /** A scalar without a text. */
  #empty(own: Mark = this.#tokens.peek()): GoNode {
    return this.#bound({ kind: 'scalar', start: own, own, tag: '', value: '', implicit: true });
  }

  /** Takes the token that opens a collection. */
  #open<T extends GoNode>(node: T, anchor: string | undefined): T {
    this.#bound(node, anchor);
    this.#depth++;
    this.#marks.push(this.#tokens.take());
    return node;
  }

  #close<T extends GoNode>(node: T): T {
    this.#depth--;
    this.#marks.pop();
    this.#tokens.take();
    return node;
  }

  /** Takes an indicator of a block, and what follows it: a node, or nothing before one of `ends`. */
  #entry(ends: readonly TokenKind[], indentless = false): GoNode {
    const indicator = this.#tokens.take();
    return this.#tokens.isOneOf(ends)
      ? this.#empty(endOf(indicator))
      : this.#node(true, indentless);
  }

  #blockSequence(at: Place, anchor: string | undefined): GoNode {
    const children: GoNode[] = [];
    const node = this.#open({ kind: 'sequence', ...at, children }, anchor);
    while (this.#tokens.is('block-entry')) {
      children.push(this.#entry(['block-entry', 'block-end']));
    }
    if (this.#tokens.is('block-end')) return this.#close(node);
    return this.#failCollection("'-' indicator");
  }

  #failCollection(wanted: string): never {
    this.#fail(`did not find expected ${wanted}`, this.#tokens.peek(), this.#marks.at(-1));
  }

  #indentlessSequence(at: Place, anchor: string | undefined): GoNode {
    const children: GoNode[] = [];
    const node = this.#bound({ kind: 'sequence', ...at, children }, anchor);
    this.#depth++;
    while (this.#tokens.is('block-entry')) {
      children.push(this.#entry(['block-entry', 'key', 'value', 'block-end']));
    }
    this.#depth--;
    return node;
  }

  #blockMapping(at: Place, anchor: string | undefined): GoNode {
    const children: Pair[] = [];
    const node = this.#open({ kind: 'mapping', ...at, children }, anchor);
    const ends: TokenKind[] = ['key', 'value', 'block-end'];
    while (this.#tokens.is('key')) {
      const key = this.#entry(ends, true);
      children.push([key, this.#tokens.is('value') ? this.#entry(ends, true) : this.#empty()]);
    }
    if (this.#tokens.is('block-end')) return this.#close(node);
    return this.#failCollection('key');
  }

  #flowSequence(at: Place, anchor: string | undefined): GoNode {
    const children: GoNode[] = [];
    const node = this.#open({ kind: 'sequence', ...at, children }, anchor);
    while (!this.#tokens.is('flow-sequence-end')) {
      if (children.length > 0) this.#comma("',' or ']'");
      if (this.#tokens.is('flow-sequence-end')) break;
      children.push(this.#tokens.is('key') ? this.#flowPair() : this.#node(false));
    }
    return this.#close(node);
  }

  #comma(wanted: string): void {
    if (!this.#tokens.is('flow-entry')) this.#failCollection(wanted);
    this.#tokens.take();
  }

  /** A mapping of one pair that stands in a flow sequence without braces. */
  #flowPair(): GoNode {
    const start = this.#tokens.take();
    const children: Pair[] = [];
    const node = this.#bound({ kind: 'mapping', start, own: start, tag: '', children });
    this.#depth++;
    const end = endOf(this.#tokens.peek());
    let key: GoNode;
    if (this.#tokens.isOneOf(['value', 'flow-entry', 'flow-sequence-end'])) {
      // go-yaml takes the token, whatever it is.
      this.#tokens.take();
      key = this.#empty(end);
    } else key = this.#node(false);
    children.push([key, this.#flowValue('flow-sequence-end')]);
    this.#depth--;
    return node;
  }

  #flowValue(end: TokenKind): GoNode {
    if (this.#tokens.is('value')) {
      this.#tokens.take();
      if (!this.#tokens.isOneOf(['flow-entry', end])) return this.#node(false);
    }
    return this.#empty();
  }

  #flowMapping(at: Place, anchor: string | undefined): GoNode {
    const children: Pair[] = [];
    const node = this.#open({ kind: 'mapping', ...at, children }, anchor);
    while (!this.#tokens.is('flow-mapping-end')) {
      if (children.length > 0) this.#comma("',' or '}'");
      if (this.#tokens.is('flow-mapping-end')) break;
      children.push(this.#flowMember());
    }
    return this.#close(node);
  }

  #flowMember(): Pair {
    if (!this.#tokens.is('key')) return [this.#node(false), this.#empty()];
    this.#tokens.take();
    const isEmpty = this.#tokens.isOneOf(['value', 'flow-entry', 'flow-mapping-end']);
    return [isEmpty ? this.#empty() : this.#node(false), this.#flowValue('flow-mapping-end')];
  }
}
