import {
  type AliasEvent,
  type Event,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';

import type { JsonMember, JsonNode } from '../api/decode/json-node.js';
import { AliasBudget } from './alias-budget.js';
import { SyntaxProblem } from './syntax-error.js';
import { resolveScalar, type YamlScalar } from './yaml-scalar.js';
import { readTag, tagHandles } from './yaml-tag.js';

/** A key that stands twice in one object, or that a merge (`<<`) brings in beside one that is there. */
export interface DuplicateKey {
  readonly path: string;
  readonly key: string;
  readonly firstStart: number;
  /** The place of the second one. */
  readonly start: number;
  /** Of the second one's value. */
  readonly valueStart: number;
  /** Whether one of the two comes by a merge. */
  readonly merged: boolean;
}

export interface YamlTree {
  readonly node: JsonNode;
  readonly duplicates: readonly DuplicateKey[];
}

interface Anchor {
  /** Undefined while the node is being read: an alias then would contain itself. */
  readonly node?: JsonNode;
  readonly size: number;
}

interface Entry extends JsonMember {
  readonly merged: boolean;
}

/** Makes the JSON value of one document out of js-yaml's events. */
export class YamlTreeBuilder {
  readonly #text: string;
  readonly #base: number;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, Anchor>();
  readonly #budget = new AliasBudget();
  readonly #duplicates: DuplicateKey[] = [];
  readonly #path: string[] = [];
  #handles: Readonly<Record<string, string>> = {};
  #next = 0;

  /** The text is one document's; `base` is added to its offsets. */
  constructor(text: string, base: number, events: readonly Event[]) {
    this.#text = text;
    this.#base = base;
    this.#events = events;
  }

  build(): YamlTree {
    const first = this.#events[this.#next++];
    if (first?.type !== EVENT_ID.DOCUMENT)
      return { node: { kind: 'null', start: this.#base }, duplicates: [] };
    this.#handles = tagHandles(first.directives);
    const node = this.#node(0);
    return { node, duplicates: this.#duplicates };
  }

  /** `fallback` is the place of a node that has no text. */
  #node(fallback: number): JsonNode {
    const event = this.#events[this.#next++];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, () => this.#scalar(event, fallback));
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, () => this.#sequence(event));
      case EVENT_ID.MAPPING:
        return this.#anchored(event, () => this.#mapping(event));
      case EVENT_ID.ALIAS:
        return this.#alias(event);
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.POP:
      case undefined:
        throw new Error('js-yaml events out of order');
    }
  }

  #anchored(event: ScalarEvent | SequenceEvent | MappingEvent, read: () => JsonNode): JsonNode {
    const before = this.#budget.count;
    this.#budget.addNode();
    if (event.anchorStart === -1) return read();
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.set(name, { size: 0 });
    const node = read();
    this.#anchors.set(name, { node, size: this.#budget.count - before });
    return node;
  }

  #alias(event: AliasEvent): JsonNode {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const anchor = this.#anchors.get(name);
    this.#budget.addNode();
    if (anchor === undefined) {
      throw this.#problem(
        `unknown anchor '${name}' referenced`,
        event.anchorStart,
        `define it before, as "&${name}"`,
      );
    }
    if (anchor.node === undefined) {
      throw this.#problem(`anchor '${name}' value contains itself`, event.anchorStart);
    }
    if (!this.#budget.addAlias(anchor.size)) {
      throw this.#problem(
        'document contains excessive aliasing',
        event.anchorStart,
        'write out some of the aliases',
      );
    }
    return anchor.node;
  }

  #sequence(event: SequenceEvent): JsonNode {
    const start = this.#base + event.start;
    const items: JsonNode[] = [];
    while (!this.#closes()) {
      this.#path.push(`[${items.length}]`);
      items.push(this.#node(event.start));
      this.#path.pop();
    }
    return { kind: 'array', start, items };
  }

  #mapping(event: MappingEvent): JsonNode {
    const entries = new Map<string, Entry>();
    while (!this.#closes()) {
      const key = this.#events[this.#next];
      if (key?.type === EVENT_ID.SCALAR && this.#isMerge(key)) this.#merge(entries, key);
      else this.#pair(entries, event.start);
    }
    const members = [...entries.values()].sort((a, b) =>
      a.key < b.key ? -1 : a.key > b.key ? 1 : 0,
    );
    return { kind: 'object', start: this.#base + event.start, members };
  }

  #closes(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #pair(entries: Map<string, Entry>, fallback: number): void {
    const keyNode = this.#node(fallback);
    const { key, identity } = this.#key(keyNode);
    this.#path.push(key);
    const value = this.#node(keyNode.start - this.#base);
    this.#path.pop();
    this.#set(entries, identity, { key, keyStart: keyNode.start, value, merged: false });
  }

  /** Ports the treatment of map keys in convertToJSONableObject (sigs.k8s.io/yaml yaml.go). */
  #key(node: JsonNode): { key: string; identity: string } {
    switch (node.kind) {
      case 'string':
        return { key: node.value, identity: `s${node.value}` };
      case 'number':
        return { key: node.literal, identity: `n${node.literal}` };
      case 'bool':
        return { key: String(node.value), identity: `b${String(node.value)}` };
      case 'null':
      case 'array':
      case 'object': {
        const what = { null: 'null', array: 'a list', object: 'an object' }[node.kind];
        throw new SyntaxProblem(
          `a key must be a string, not ${what}`,
          node.start,
          'put the key in quotes',
        );
      }
    }
  }

  /** Ports setMapIndex (go.yaml.in/yaml/v2 decode.go): the last one holds, and in strict mode it is an error. */
  #set(entries: Map<string, Entry>, identity: string, entry: Entry): void {
    const known = entries.get(identity);
    if (known !== undefined) {
      const { key, keyStart: start, value } = entry;
      const path = joinPath([...this.#path, key]);
      const merged = entry.merged || known.merged;
      this.#duplicates.push({
        path,
        key,
        firstStart: known.keyStart,
        start,
        valueStart: value.start,
        merged,
      });
    }
    entries.set(identity, entry);
  }

  #isMerge(event: ScalarEvent): boolean {
    if (getScalarValue(this.#text, event) !== '<<') return false;
    const tag = readTag(this.#text, event, this.#handles);
    return (
      tag === 'tag:yaml.org,2002:merge' || (tag === undefined && event.style === SCALAR_STYLE.PLAIN)
    );
  }

  /** Ports merge (go.yaml.in/yaml/v2 decode.go). */
  #merge(entries: Map<string, Entry>, key: ScalarEvent): void {
    this.#next++;
    const node = this.#node(key.valueStart);
    const sources = node.kind === 'array' ? node.items : [node];
    // The first of a list has precedence, so it is set last.
    for (const source of sources.toReversed()) {
      if (source.kind !== 'object') {
        const hint = 'write "<<: *anchor" where the anchor is on an object';
        throw this.#problem(
          'map merge requires map or sequence of maps as the value',
          key.valueStart,
          hint,
        );
      }
      for (const member of source.members) {
        this.#set(entries, `s${member.key}`, { ...member, merged: true });
      }
    }
  }

  #scalar(event: ScalarEvent, fallback: number): JsonNode {
    const offset =
      event.valueStart === -1 ? fallback : event.valueStart - (isQuoted(event) ? 1 : 0);
    const start = this.#base + offset;
    const text = getScalarValue(this.#text, event);
    const tag = readTag(this.#text, event, this.#handles);
    if (tag === undefined && event.style !== SCALAR_STYLE.PLAIN)
      return { kind: 'string', start, value: text };
    const scalar = resolveScalar(text, tag);
    if (scalar === undefined) {
      throw this.#problem(`cannot decode ${JSON.stringify(text)} as a ${shortTag(tag)}`, offset);
    }
    return this.#toJson(scalar, start, text);
  }

  #toJson(scalar: YamlScalar, start: number, text: string): JsonNode {
    switch (scalar.kind) {
      case 'null':
        return { kind: 'null', start };
      case 'bool':
        return { kind: 'bool', start, value: scalar.value };
      case 'string':
        return { kind: 'string', start, value: scalar.value };
      case 'int':
        return { kind: 'number', start, literal: String(scalar.value) };
      case 'float':
        if (Number.isFinite(scalar.value))
          return { kind: 'number', start, literal: String(scalar.value) };
        throw new SyntaxProblem(
          `${text} is not a value that JSON has`,
          start,
          'put it in quotes if it is text',
        );
    }
  }

  #problem(message: string, offset: number, hint?: string): SyntaxProblem {
    return new SyntaxProblem(message, this.#base + offset, hint);
  }
}

function isQuoted(event: ScalarEvent): boolean {
  return event.style === SCALAR_STYLE.DOUBLE_QUOTED || event.style === SCALAR_STYLE.SINGLE_QUOTED;
}

function shortTag(tag = ''): string {
  return tag.replace(/^tag:yaml\.org,2002:/, '!!');
}

function joinPath(segments: readonly string[]): string {
  return segments.reduce((path, segment) =>
    segment.startsWith('[') ? path + segment : path === '' ? segment : `${path}.${segment}`,
  );
}
