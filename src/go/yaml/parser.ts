import { GoYamlError, type Mark } from './error.js';
import { type CollectionKind, COLLECTIONS, emptyScalar, type Event, event } from './event.js';
import { Scanner } from './scanner.js';
import type { Token, TokenKind } from './token.js';
import { TagHandles, takeProperties } from './tokens.js';

type State = (this: Parser) => Event;

/** Turns tokens into events. Ports go.yaml.in/yaml/v2 parserc.go, state by state. */
export class Parser {
  readonly #tokens: Scanner;
  readonly #states: State[] = [];
  readonly #marks: Mark[] = [];
  readonly #handles = new TagHandles();
  #state: State = () => this.#documentStart(true);

  constructor(text: string) {
    this.#tokens = new Scanner(text);
  }

  /** @throws GoYamlError */
  next(): Event {
    return this.#state.call(this);
  }

  #pop(): void {
    const state = this.#states.pop();
    if (state === undefined) throw new Error('no state to go back to');
    this.#state = state;
  }

  #fail(problem: string, mark: Mark, context = '', contextMark?: Mark): never {
    throw new GoYamlError('parser', problem, mark, contextMark, context);
  }

  #documentStart(implicit: boolean): Event {
    let token = this.#tokens.peek();
    if (!implicit) while (token.kind === 'document-end') token = this.#tokens.next();
    const isExplicit = this.#tokens.is('version-directive', 'tag-directive', 'document-start');
    if (token.kind === 'stream-end') return event('stream-end', this.#tokens.take().start);
    this.#directives();
    if (implicit && !isExplicit) {
      this.#state = () => this.#node(true, false);
    } else {
      if (!this.#tokens.is('document-start')) {
        this.#fail('did not find expected <document start>', this.#tokens.peek().start);
      }
      this.#tokens.take();
      this.#state = this.#documentContent;
    }
    this.#states.push(this.#documentEnd);
    return event('document-start', token.start);
  }

  #directives(): void {
    const { kind } = this.#tokens.peek();
    if (kind === 'version-directive' || kind === 'tag-directive') {
      for (let token = this.#tokens.peek(); this.#handles.add(token); token = this.#tokens.next());
    }
    this.#handles.addDefaults();
  }

  #documentContent(): Event {
    const ends: TokenKind[] = ['version-directive', 'tag-directive', 'document-start'];
    if (this.#tokens.is(...ends, 'document-end', 'stream-end')) {
      this.#pop();
      return emptyScalar(this.#tokens.peek().start);
    }
    return this.#node(true, false);
  }

  #documentEnd(): Event {
    const { kind, start } = this.#tokens.peek();
    if (kind === 'document-end') this.#tokens.take();
    this.#handles.clear();
    this.#state = () => this.#documentStart(false);
    return event('document-end', start);
  }

  /** Ports yaml_parser_parse_node. */
  #node(block: boolean, indentless: boolean): Event {
    if (this.#tokens.is('alias')) {
      this.#pop();
      const { start, value } = this.#tokens.take();
      return event('alias', start, { anchor: value });
    }
    const { start, anchor, tag, content } = takeProperties(this.#tokens);
    const resolved = tag === undefined ? '' : this.#resolveTag(tag, start);
    return this.#content(content, block, indentless, { start, anchor, tag: resolved });
  }

  #resolveTag({ value, suffix, start }: Token, nodeStart: Mark): string {
    if (value === '') return suffix;
    const tag = this.#handles.resolve(value, suffix);
    if (tag !== '') return tag;
    return this.#fail('found undefined tag handle', start, 'while parsing a node', nodeStart);
  }

  #content(
    token: Token,
    block: boolean,
    indentless: boolean,
    properties: Pick<Event, 'start' | 'anchor' | 'tag'>,
  ): Event {
    const { start, tag, anchor } = properties;
    const at = { start, tag, anchor, own: token.start };
    if (indentless && token.kind === 'block-entry') {
      this.#state = this.#indentlessEntry;
      return event('sequence-start', start, at);
    }
    if (token.kind === 'scalar') {
      const implicit = (tag === '' && token.style === 'plain') || tag === '!';
      this.#pop();
      this.#tokens.take();
      const { value, start: own } = token;
      return { kind: 'scalar', start, own, anchor, tag, value, implicit };
    }
    const collection = COLLECTIONS[token.kind];
    if (collection !== undefined && (block || collection.flow)) {
      this.#state = () => this.#first(collection.kind);
      return event(collection.of, start, at);
    }
    if (anchor !== undefined || tag !== '') {
      this.#pop();
      return event('scalar', start, { ...at, implicit: tag === '' });
    }
    const context = `while parsing a ${block ? 'block' : 'flow'} node`;
    const opened = block ? start : this.#marks.at(-1);
    this.#fail('did not find expected node content', token.start, context, opened);
  }

  /** The first entry of a collection, whose opening token is taken here. */
  #first(kind: CollectionKind): Event {
    this.#marks.push(this.#tokens.take().start);
    switch (kind) {
      case 'block-sequence':
        return this.#blockEntry();
      case 'block-mapping':
        return this.#blockKey();
      case 'flow-sequence':
        return this.#flowEntry(true);
      case 'flow-mapping':
        return this.#flowKey(true);
    }
  }

  #end(kind: 'sequence-end' | 'mapping-end'): Event {
    this.#pop();
    this.#marks.pop();
    return event(kind, this.#tokens.take().start);
  }

  #child(next: State, block: boolean, indentless: boolean): Event {
    this.#states.push(next);
    return this.#node(block, indentless);
  }

  #empty(next: State, mark: Mark): Event {
    this.#state = next;
    return emptyScalar(mark);
  }

  /** What follows an indicator in a block: a node, or nothing before one of `ends`. */
  #entry(next: State, ends: readonly TokenKind[], mark: Mark, indentless = false): Event {
    this.#tokens.take();
    return this.#tokens.is(...ends) ? this.#empty(next, mark) : this.#child(next, true, indentless);
  }

  #blockEntry(): Event {
    const { kind, start, end } = this.#tokens.peek();
    if (kind === 'block-entry') {
      return this.#entry(this.#blockEntry, ['block-entry', 'block-end'], end);
    }
    if (kind === 'block-end') return this.#end('sequence-end');
    const context = 'while parsing a block collection';
    this.#fail("did not find expected '-' indicator", start, context, this.#marks.pop());
  }

  #indentlessEntry(): Event {
    const { kind, start, end } = this.#tokens.peek();
    if (kind !== 'block-entry') {
      this.#pop();
      return event('sequence-end', start);
    }
    return this.#entry(this.#indentlessEntry, ['block-entry', 'key', 'value', 'block-end'], end);
  }

  #blockKey(): Event {
    const { kind, start, end } = this.#tokens.peek();
    if (kind === 'key') {
      return this.#entry(this.#blockValue, ['key', 'value', 'block-end'], end, true);
    }
    if (kind === 'block-end') return this.#end('mapping-end');
    const context = 'while parsing a block mapping';
    this.#fail('did not find expected key', start, context, this.#marks.pop());
  }

  #blockValue(): Event {
    const { kind, start, end } = this.#tokens.peek();
    if (kind !== 'value') return this.#empty(this.#blockKey, start);
    return this.#entry(this.#blockKey, ['key', 'value', 'block-end'], end, true);
  }

  #flowNext(): Event {
    return this.#flowEntry(false);
  }

  #flowEntry(first: boolean): Event {
    if (!first && !this.#tokens.is('flow-sequence-end')) this.#comma('sequence', "',' or ']'");
    const token = this.#tokens.peek();
    if (token.kind === 'key') {
      this.#state = this.#pairKey;
      this.#tokens.take();
      return event('mapping-start', token.start);
    }
    if (token.kind === 'flow-sequence-end') return this.#end('sequence-end');
    return this.#child(this.#flowNext, false, false);
  }

  #comma(what: string, wanted: string): void {
    const { kind, start } = this.#tokens.peek();
    if (kind === 'flow-entry') {
      this.#tokens.next();
      return;
    }
    const context = `while parsing a flow ${what}`;
    this.#fail(`did not find expected ${wanted}`, start, context, this.#marks.pop());
  }

  /** A mapping of one pair that stands in a flow sequence without braces. */
  #pairKey(): Event {
    const { end } = this.#tokens.peek();
    if (this.#tokens.is('value', 'flow-entry', 'flow-sequence-end')) {
      // go-yaml takes the token, whatever it is.
      this.#tokens.take();
      return this.#empty(this.#pairValue, end);
    }
    return this.#child(this.#pairValue, false, false);
  }

  #pairValue(): Event {
    return this.#valueInFlow(this.#pairEnd, 'flow-sequence-end');
  }

  #valueInFlow(next: State, end: TokenKind): Event {
    if (this.#tokens.is('value')) {
      this.#tokens.take();
      if (!this.#tokens.is('flow-entry', end)) return this.#child(next, false, false);
    }
    return this.#empty(next, this.#tokens.peek().start);
  }

  #pairEnd(): Event {
    this.#state = this.#flowNext;
    return event('mapping-end', this.#tokens.peek().start);
  }

  #flowKeyNext(): Event {
    return this.#flowKey(false);
  }

  #flowKey(first: boolean): Event {
    if (!first && !this.#tokens.is('flow-mapping-end')) this.#comma('mapping', "',' or '}'");
    if (this.#tokens.is('key')) {
      this.#tokens.take();
      if (this.#tokens.is('value', 'flow-entry', 'flow-mapping-end')) {
        return this.#empty(this.#flowValue, this.#tokens.peek().start);
      }
      return this.#child(this.#flowValue, false, false);
    }
    if (this.#tokens.is('flow-mapping-end')) return this.#end('mapping-end');
    return this.#child(this.#flowEmptyValue, false, false);
  }

  #flowEmptyValue(): Event {
    return this.#empty(this.#flowKeyNext, this.#tokens.peek().start);
  }

  #flowValue(): Event {
    return this.#valueInFlow(this.#flowKeyNext, 'flow-mapping-end');
  }
}
