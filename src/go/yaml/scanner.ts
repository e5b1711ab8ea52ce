import { Cursor, failScan, isBlankOrEnd, isLetter } from './cursor.js';
import type { Mark } from './error.js';
import { beginsPlain, scanBlock, scanPlain, scanQuoted } from './scan-scalar.js';
import { scanAnchor, scanDirective, scanTag } from './scan-tag.js';
import { MAX_DEPTH, SimpleKeys } from './simple-keys.js';
import { type Token, token, type TokenKind } from './token.js';

/** Turns a text into tokens, as many at a time as it takes to know them. Ports go.yaml.in/yaml/v2 scannerc.go. */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #keys = new SimpleKeys();
  readonly #indents: number[] = [];
  #indent = -1;
  #flowLevel = 0;
  #keyAllowed = true;
  #tokens: Token[] = [];
  #head = 0;
  #parsed = 0;
  /** The next token, once nothing can come before it. */
  #next: Token | undefined;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    this.#keys.push(0, this.#cursor.mark);
    // The token that begins the stream has been taken.
    this.#parsed = 1;
  }

  /** The next token, which stays. */
  peek(): Token {
    if (this.#next !== undefined) return this.#next;
    while (this.#needsMore()) this.#fetchNext();
    const token = this.#tokens[this.#head];
    if (token === undefined) throw new Error('no token after the end of the stream');
    this.#next = token;
    return token;
  }

  /** Takes the next token, without scanning the one after it. */
  take(): Token {
    const token = this.peek();
    this.#next = undefined;
    this.#parsed++;
    if (++this.#head >= 64) {
      this.#tokens = this.#tokens.slice(this.#head);
      this.#head = 0;
    }
    return token;
  }

  is(kind: TokenKind): boolean {
    return this.peek().kind === kind;
  }

  isOneOf(kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.peek().kind);
  }

  /** A token may still get a key or a mapping before it. */
  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return true;
    const key = this.#keys.at(this.#parsed);
    return key !== undefined && this.#keys.isValid(key, this.#cursor);
  }

  #fetchNext(): void {
    const cursor = this.#cursor;
    // Ports yaml_parser_scan_to_next_token.
    while (cursor.skipToBreak(this.#flowLevel > 0 || !this.#keyAllowed)) {
      cursor.skipLine();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
    this.#unroll(cursor.column);
    const code = cursor.peek();
    if (code === 0) {
      this.#fetchStreamEnd();
      return;
    }
    if (cursor.column === 0 && code === 0x25) {
      this.#fetchDirective();
      return;
    }
    const marker = cursor.documentMarker();
    if (marker !== undefined) this.#fetchDocument(marker);
    else if (isLetter(code)) this.#fetchPlain();
    else this.#fetchContent(String.fromCharCode(code), cursor.peek(1));
  }

  #fetchContent(character: string, next: number): void {
    const inFlow = this.#flowLevel > 0;
    switch (character) {
      case '[':
        return this.#fetchFlowStart('flow-sequence-start');
      case '{':
        return this.#fetchFlowStart('flow-mapping-start');
      case ']':
        return this.#fetchFlowEnd('flow-sequence-end');
      case '}':
        return this.#fetchFlowEnd('flow-mapping-end');
      case ',':
        return this.#fetchFlowEntry();
      case '*':
        return this.#fetchAnchor('alias');
      case '&':
        return this.#fetchAnchor('anchor');
      case '!':
        return this.#fetchTag();
      case "'":
        return this.#fetchQuoted('single');
      case '"':
        return this.#fetchQuoted('double');
    }
    if (character === '-' && isBlankOrEnd(next)) this.#fetchBlockEntry();
    else if (character === '?' && (inFlow || isBlankOrEnd(next))) this.#fetchKey();
    else if (character === ':' && (inFlow || isBlankOrEnd(next))) this.#fetchValue();
    else if (character === '|' && !inFlow) this.#fetchBlock('literal');
    else if (character === '>' && !inFlow) this.#fetchBlock('folded');
    else if (beginsPlain(character, next, inFlow)) this.#fetchPlain();
    else {
      const problem = 'found character that cannot start any token';
      this.#fail(problem, this.#cursor.mark);
    }
  }

  #fail(problem: string, contextMark: Mark): never {
    failScan(this.#cursor, contextMark, problem);
  }

  /** Ports yaml_insert_token: before the token of that number. */
  #insert(kind: TokenKind, mark: Mark, number: number): void {
    this.#tokens.splice(this.#head + number - this.#parsed, 0, token(kind, mark));
  }

  #push(kind: TokenKind, length = 0): Token {
    const added = token(kind, this.#cursor, length);
    this.#cursor.skip(length);
    this.#tokens.push(added);
    return added;
  }

  /** Number of the token that is scanned next. */
  get #number(): number {
    return this.#parsed + this.#tokens.length - this.#head;
  }

  /** Begins a token with which a key may begin. */
  #beginKey(kind: TokenKind, length = 0): Token {
    const number = this.#number;
    if (this.#keyAllowed) {
      const required = this.#flowLevel === 0 && this.#indent === this.#cursor.column;
      this.#keys.save(number, required, this.#cursor);
    }
    this.#keyAllowed = false;
    return this.#push(kind, length);
  }

  /** Begins a token before which no key can be. */
  #endKey(allowsNext = false): void {
    this.#keys.remove(this.#cursor);
    this.#keyAllowed = allowsNext;
  }

  /** Ports yaml_parser_roll_indent: a collection begins where the column is deeper; `number` -1 is at the end. */
  #roll(kind: TokenKind, mark: Mark, number = -1): void {
    if (this.#flowLevel > 0 || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (this.#indents.length > MAX_DEPTH) {
      this.#fail(`exceeded max depth of ${MAX_DEPTH}`, mark);
    }
    if (number === -1) this.#tokens.push(token(kind, mark));
    else this.#insert(kind, mark, number);
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push('block-end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line++;
    }
    this.#unroll(-1);
    this.#endKey();
    this.#push('stream-end');
  }

  #fetchDirective(): void {
    this.#unroll(-1);
    this.#endKey();
    const start = this.#cursor.mark;
    const { kind, value, suffix } = scanDirective(this.#cursor);
    this.#tokens.push({ ...token(kind, start), value, suffix });
  }

  #fetchDocument(kind: 'document-start' | 'document-end'): void {
    this.#unroll(-1);
    this.#endKey();
    this.#push(kind, 3);
  }

  #fetchFlowStart(kind: TokenKind): void {
    const number = this.#number;
    const start = this.#beginKey(kind, 1);
    this.#keyAllowed = true;
    this.#keys.push(number, start);
    if (++this.#flowLevel > MAX_DEPTH) this.#fail(`exceeded max depth of ${MAX_DEPTH}`, start);
  }

  #fetchFlowEnd(kind: TokenKind): void {
    this.#endKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.pop();
    }
    this.#push(kind, 1);
  }

  #fetchFlowEntry(): void {
    this.#endKey(true);
    this.#push('flow-entry', 1);
  }

  #fetchBlockEntry(): void {
    this.#beginBlock('block-sequence-start', 'block sequence entries');
    this.#endKey(true);
    this.#push('block-entry', 1);
  }

  #fetchKey(): void {
    this.#beginBlock('block-mapping-start', 'mapping keys');
    this.#endKey(this.#flowLevel === 0);
    this.#push('key', 1);
  }

  #beginBlock(kind: TokenKind, what: string): void {
    if (this.#flowLevel > 0) return;
    const { mark } = this.#cursor;
    if (!this.#keyAllowed) this.#fail(`${what} are not allowed in this context`, mark);
    this.#roll(kind, mark);
  }

  #fetchValue(): void {
    const key = this.#keys.last;
    if (key !== undefined && this.#keys.isValid(key, this.#cursor)) {
      this.#insert('key', key.mark, key.tokenNumber);
      this.#roll('block-mapping-start', key.mark, key.tokenNumber);
      this.#keys.found(key);
      this.#keyAllowed = false;
    } else {
      this.#beginBlock('block-mapping-start', 'mapping values');
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#push('value', 1);
  }

  #fetchAnchor(kind: 'anchor' | 'alias'): void {
    this.#beginKey(kind).value = scanAnchor(this.#cursor);
  }

  #fetchTag(): void {
    const tag = this.#beginKey('tag');
    const { handle, suffix } = scanTag(this.#cursor);
    tag.value = handle;
    tag.suffix = suffix;
  }

  #fetchBlock(style: 'literal' | 'folded'): void {
    this.#endKey(true);
    const scalar = this.#push('scalar');
    scalar.style = style;
    scalar.value = scanBlock(this.#cursor, style === 'literal', this.#indent);
  }

  #fetchQuoted(style: 'single' | 'double'): void {
    const scalar = this.#beginKey('scalar');
    scalar.style = style;
    scalar.value = scanQuoted(this.#cursor, style === 'single');
  }

  #fetchPlain(): void {
    const scalar = this.#beginKey('scalar');
    const inFlow = this.#flowLevel > 0;
    const { value, leadingBlanks } = scanPlain(this.#cursor, scalar, inFlow, this.#indent + 1);
    scalar.value = value;
    if (leadingBlanks) this.#keyAllowed = true;
  }
}
