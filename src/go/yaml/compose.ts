import { GoYamlDecodeError } from './error.js';
import type { Event } from './event.js';
import { Parser } from './parser.js';

/** A node as go-yaml has it before it is decoded: anchors are bound, nothing is merged. */
export type GoNode =
  | { readonly kind: 'scalar'; readonly at: Event }
  | { readonly kind: 'sequence'; readonly at: Event; readonly children: readonly GoNode[] }
  | {
      readonly kind: 'mapping';
      readonly at: Event;
      readonly children: readonly (readonly [key: GoNode, value: GoNode])[];
    }
  | { readonly kind: 'alias'; readonly at: Event; readonly target: GoNode };

/** go-yaml allows 10,000; nothing in Kubernetes is nested that deep. */
const MAX_DEPTH = 1000;

/**
 * The first document of a text as a tree; undefined when there is none. Ports parser (go.yaml.in/yaml/v2
 * decode.go).
 *
 * @throws GoYamlError, GoYamlDecodeError
 */
export function composeDocument(text: string): GoNode | undefined {
  const parser = new Parser(text);
  const first = parser.next();
  if (first.kind === 'stream-end') return undefined;
  const node = new Composer(parser).node(parser.next(), 0);
  parser.next();
  return node;
}

class Composer {
  readonly #parser: Parser;
  readonly #anchors = new Map<string, GoNode>();

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  node(event: Event, depth: number): GoNode {
    if (depth > MAX_DEPTH) {
      const message = `nested more than ${MAX_DEPTH} deep`;
      throw new GoYamlDecodeError('too-deep', message, event.own.offset);
    }
    switch (event.kind) {
      case 'scalar':
        return this.#anchored(event, { kind: 'scalar', at: event });
      case 'alias':
        return this.#alias(event);
      case 'sequence-start':
        return this.#sequence(event, depth);
      case 'mapping-start':
        return this.#mapping(event, depth);
      case 'stream-end':
      case 'document-start':
      case 'document-end':
      case 'sequence-end':
      case 'mapping-end':
        throw new Error(`no node begins with ${event.kind}`);
    }
  }

  #anchored<T extends GoNode>({ anchor }: Event, node: T): T {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #alias(event: Event): GoNode {
    const name = event.anchor ?? '';
    const target = this.#anchors.get(name);
    if (target !== undefined) return { kind: 'alias', at: event, target };
    const message = `yaml: unknown anchor '${name}' referenced`;
    throw new GoYamlDecodeError('unknown-anchor', message, event.start.offset, name);
  }

  #sequence(event: Event, depth: number): GoNode {
    const children: GoNode[] = [];
    const node = this.#anchored(event, { kind: 'sequence', at: event, children } as const);
    for (let next = this.#parser.next(); next.kind !== 'sequence-end'; next = this.#parser.next()) {
      children.push(this.node(next, depth + 1));
    }
    return node;
  }

  #mapping(event: Event, depth: number): GoNode {
    const children: [GoNode, GoNode][] = [];
    const node = this.#anchored(event, { kind: 'mapping', at: event, children } as const);
    for (let next = this.#parser.next(); next.kind !== 'mapping-end'; next = this.#parser.next()) {
      const key = this.node(next, depth + 1);
      children.push([key, this.node(this.#parser.next(), depth + 1)]);
    }
    return node;
  }
}
