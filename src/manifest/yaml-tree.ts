import {
  type AliasEvent,
  COLLECTION_STYLE,
  type Event,
  EVENT_ID,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';

import type { JsonMember, JsonNode } from '../api/decode/json-node.js';
import { AliasBudget } from './alias-budget.js';
import { SyntaxProblem } from './syntax-error.js';
import { HELM_HINT, type YamlEvents } from './yaml-events.js';
import { refuseTab, scalarHeader, ScalarReader, scalarStart } from './yaml-scalar-reader.js';
import { tabAfterDash } from './yaml-tabs.js';
import { tagHandles } from './yaml-tag.js';

/** A key that stands twice in one object, or that a merge (`<<`) brings in beside one that is there. */
export interface DuplicateKey {
  readonly path: string;
  readonly key: string;
  readonly firstStart: number;
  /** The place of the second one. */
  readonly start: number;
  /** Of the second one's value, or of the anchor, tag or alias that it begins with. */
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
  readonly valueStart: number;
  readonly merged: boolean;
}

/** Makes the JSON value of one document out of js-yaml's events. Ports the decoder of go.yaml.in/yaml/v2. */
export class YamlTreeBuilder {
  readonly #source: YamlEvents;
  readonly #base: number;
  readonly #anchors = new Map<string, Anchor>();
  readonly #budget = new AliasBudget();
  readonly #duplicates: DuplicateKey[] = [];
  readonly #path: string[] = [];
  /** The columns of the block collections that are open. */
  readonly #columns: number[] = [-1];
  #scalars: ScalarReader;
  #next = 0;

  /** `base` is added to the offsets of what is built, not to those of problems. */
  constructor(source: YamlEvents, base: number) {
    this.#source = source;
    this.#base = base;
    this.#scalars = new ScalarReader(source.text, tagHandles([]));
  }

  /** @throws SyntaxProblem with an offset in the document's own text */
  build(): YamlTree {
    const first = this.#take();
    if (first?.type !== EVENT_ID.DOCUMENT) {
      return { node: { kind: 'null', start: this.#base }, duplicates: [] };
    }
    this.#scalars = new ScalarReader(this.#source.text, tagHandles(first.directives));
    try {
      return { node: this.#node(0), duplicates: this.#duplicates };
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem;
      const offset = this.#source.originalOffset(problem.offset);
      throw new SyntaxProblem(problem.message, offset, problem.hint);
    }
  }

  #take(): Event | undefined {
    return this.#source.events[this.#next++];
  }

  /** The place of an event's offset in the whole text. */
  #place(offset: number): number {
    return this.#base + this.#source.originalOffset(offset);
  }

  /** `fallback` is the offset of a node that has no text. */
  #node(fallback: number): JsonNode {
    const event = this.#take();
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

  #scalar(event: ScalarEvent, fallback: number): JsonNode {
    const start = this.#place(scalarStart(event) ?? fallback);
    return this.#scalars.read(event, start, this.#columns.at(-1) ?? -1);
  }

  #anchored(event: ScalarEvent | SequenceEvent | MappingEvent, read: () => JsonNode): JsonNode {
    const before = this.#budget.count;
    this.#budget.addNode();
    if (event.anchorStart === -1) return read();
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.set(name, { size: 0 });
    const node = read();
    this.#anchors.set(name, { node, size: this.#budget.count - before });
    return node;
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): JsonNode {
    const name = this.#source.text.slice(anchorStart, anchorEnd);
    const anchor = this.#anchors.get(name);
    this.#budget.addNode();
    if (anchor === undefined) {
      const hint = `define it before, as "&${name}"`;
      throw new SyntaxProblem(`unknown anchor '${name}' referenced`, anchorStart, hint);
    }
    if (anchor.node === undefined) {
      throw new SyntaxProblem(`anchor '${name}' value contains itself`, anchorStart);
    }
    if (!this.#budget.addAlias(anchor.size)) {
      const hint = 'write out some of the aliases';
      throw new SyntaxProblem('document contains excessive aliasing', anchorStart, hint);
    }
    return anchor.node;
  }

  #sequence(event: SequenceEvent): JsonNode {
    const items: JsonNode[] = [];
    this.#open(event);
    while (!this.#closes()) {
      if (event.style === COLLECTION_STYLE.BLOCK) this.#checkDash();
      this.#path.push(`[${items.length}]`);
      items.push(this.#node(event.start));
      this.#path.pop();
    }
    this.#columns.pop();
    return { kind: 'array', start: this.#place(event.start), items };
  }

  #checkDash(): void {
    const event = this.#source.events[this.#next];
    const start = event?.type === EVENT_ID.SCALAR ? scalarStart(event) : undefined;
    const offset = event !== undefined && 'start' in event ? event.start : start;
    if (offset !== undefined) refuseTab(tabAfterDash(this.#source.text, offset));
  }

  #mapping(event: MappingEvent): JsonNode {
    const entries = new Map<string, Entry>();
    this.#open(event);
    while (!this.#closes()) {
      const key = this.#source.events[this.#next];
      if (key?.type === EVENT_ID.SCALAR && this.#scalars.isMerge(key)) this.#merge(entries, key);
      else this.#pair(entries, event.start);
    }
    this.#columns.pop();
    // sigs.k8s.io/yaml goes by JSON, whose keys Go sorts.
    const members = [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return { kind: 'object', start: this.#place(event.start), members };
  }

  #open({ start, style }: SequenceEvent | MappingEvent): void {
    const column = start - this.#source.text.lastIndexOf('\n', start - 1) - 1;
    const outer = this.#columns.at(-1) ?? -1;
    this.#columns.push(style === COLLECTION_STYLE.BLOCK ? column : outer);
  }

  #closes(): boolean {
    if (this.#source.events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #pair(entries: Map<string, Entry>, fallback: number): void {
    const event = this.#source.events[this.#next];
    const offset = (event?.type === EVENT_ID.SCALAR ? scalarStart(event) : undefined) ?? fallback;
    const keyNode = this.#node(offset);
    const { key, identity } = keyOf(keyNode, offset);
    this.#path.push(key);
    const valueStart = this.#place(eventStart(this.#source, this.#next) ?? offset);
    const value = this.#node(offset);
    this.#path.pop();
    const keyStart = keyNode.start;
    this.#set(entries, identity, { key, keyStart, value, valueStart, merged: false });
  }

  /** Ports setMapIndex: the last one holds, and in strict mode it is an error. */
  #set(entries: Map<string, Entry>, identity: string, entry: Entry): void {
    const known = entries.get(identity);
    entries.set(identity, entry);
    if (known === undefined) return;
    this.#duplicates.push({
      path: joinPath([...this.#path, entry.key]),
      key: entry.key,
      firstStart: known.keyStart,
      start: entry.keyStart,
      valueStart: entry.valueStart,
      merged: entry.merged || known.merged,
    });
  }

  /** Ports merge: the keys are set where the merge stands, over those that stand before it. */
  #merge(entries: Map<string, Entry>, key: ScalarEvent): void {
    this.#next++;
    const node = this.#node(key.valueStart);
    const sources = node.kind === 'array' ? node.items : [node];
    // The first of a list has precedence, so it is set last.
    for (const source of sources.toReversed()) {
      if (source.kind !== 'object') {
        const hint = 'write "<<: *anchor" where the anchor is on an object';
        const message = 'map merge requires map or sequence of maps as the value';
        throw new SyntaxProblem(message, key.valueStart, hint);
      }
      for (const member of source.members) {
        const valueStart = member.value.start;
        this.#set(entries, `s${member.key}`, { ...member, valueStart, merged: true });
      }
    }
  }
}

/** Where an event begins: at its anchor or tag, or the header of a block scalar. Undefined without text. */
function eventStart({ events, text }: YamlEvents, index: number): number | undefined {
  const event = events[index];
  if (event === undefined || !('anchorStart' in event)) return undefined;
  const starts = [event.anchorStart, 'tagStart' in event ? event.tagStart : -1];
  if ('start' in event) starts.push(event.start);
  else if (event.type === EVENT_ID.SCALAR) starts.push(scalarHeader(text, event) ?? -1);
  const present = starts.filter((start) => start !== -1);
  return present.length === 0 ? undefined : Math.min(...present);
}

/** Ports the treatment of map keys in convertToJSONableObject (sigs.k8s.io/yaml yaml.go). */
function keyOf(node: JsonNode, offset: number): { key: string; identity: string } {
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
      const hint = node.kind === 'object' ? HELM_HINT : 'put the key in quotes';
      throw new SyntaxProblem(`a key must be a string, not ${what}`, offset, hint);
    }
  }
}

function joinPath(segments: readonly string[]): string {
  return segments.reduce((path, segment) =>
    segment.startsWith('[') ? path + segment : path === '' ? segment : `${path}.${segment}`,
  );
}
