import { Cursor, failScan, isBlankOrEnd } from './cursor.js';
import type { Mark } from './error.js';
import { scanBlock } from './scan-block.js';
import { beginsPlain, scanPlain, scanQuoted } from './scan-flow-scalar.js';
import { scanAnchor, scanDirective, scanTag } from './scan-tag.js';
import { MAX_DEPTH, SimpleKeys } from './simple-keys.js';
import { type Token, token, type TokenKind } from './token.js';

const DASH = 0x2d;
const DOT = 0x2e;

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

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    this.#keys.push(0, this.#cursor.mark);
    // The token that begins the stream has been taken.
    this.#parsed = 1;
  }

  /** The next token, which stays. */
  peek(): Token {
    while (this.#needsMore()) this.#fetchNext();
    const token = this.#tokens[this.#head];
    if (token === undefined) throw new Error('no token after the end of the stream');
    return token;
  }

  /** Takes the next token, without scanning the one after it. */
  take(): Token {
    const token = this.peek();
    this.#parsed++;
    if (++this.#head >= 64) {
      this.#tokens = this.#tokens.slice(this.#head);
      this.#head = 0;
    }
    return token;
  }

  /** Reports whether the next token is one of these. */
  is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.peek().kind);
  }

  /** A token may still get a key or a mapping before it. */
  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return true;
    const key = this.#keys.at(this.#parsed);
    return key !== undefined && this.#keys.isValid(key, this.#cursor.mark);
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
    if (cursor.isIndicator(DASH)) this.#fetchDocument('document-start');
    else if (cursor.isIndicator(DOT)) this.#fetchDocument('document-end');
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

  #add(kind: TokenKind, start: Mark, more: Partial<Token> = {}): void {
    this.#tokens.push(token(kind, start, this.#cursor.mark, more));
  }

  /** Ports yaml_insert_token: before the token of that number. */
  #insert(kind: TokenKind, mark: Mark, number: number): void {
    this.#tokens.splice(this.#head + number - this.#parsed, 0, token(kind, mark, mark));
  }

  #take(kind: TokenKind, length = 1): void {
    const start = this.#cursor.mark;
    this.#cursor.skip(length);
    this.#add(kind, start);
  }

  /** Begins a token with which a key may begin. */
  #beginKey(allowsNext = false): Mark {
    const { mark } = this.#cursor;
    if (this.#keyAllowed) this.#saveKey(mark);
    this.#keyAllowed = allowsNext;
    return mark;
  }

  /** Begins a token before which no key can be. */
  #endKey(allowsNext = false): Mark {
    const { mark } = this.#cursor;
    this.#keys.remove(mark);
    this.#keyAllowed = allowsNext;
    return mark;
  }

  #saveKey(mark: Mark): void {
    const required = this.#flowLevel === 0 && this.#indent === mark.column;
    const tokenNumber = this.#parsed + this.#tokens.length - this.#head;
    this.#keys.save({ possible: true, required, tokenNumber, mark }, mark);
  }

  /** Ports yaml_parser_roll_indent: a collection begins where the column is deeper; `number` -1 is at the end. */
  #roll(kind: TokenKind, mark: Mark, number = -1): void {
    if (this.#flowLevel > 0 || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (this.#indents.length > MAX_DEPTH) {
      this.#fail(`exceeded max depth of ${MAX_DEPTH}`, mark);
    }
    if (number === -1) this.#tokens.push(token(kind, mark, mark));
    else this.#insert(kind, mark, number);
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      const { mark } = this.#cursor;
      this.#tokens.push(token('block-end', mark, mark));
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
    this.#add('stream-end', cursor.mark);
  }

  #fetchDirective(): void {
    this.#unroll(-1);
    const start = this.#endKey();
    const { kind, value, suffix } = scanDirective(this.#cursor);
    this.#add(kind, start, { value, suffix });
  }

  #fetchDocument(kind: 'document-start' | 'document-end'): void {
    this.#unroll(-1);
    this.#endKey();
    this.#take(kind, 3);
  }

  #fetchFlowStart(kind: TokenKind): void {
    const mark = this.#beginKey(true);
    this.#keys.push(this.#parsed + this.#tokens.length - this.#head, mark);
    if (++this.#flowLevel > MAX_DEPTH) {
      this.#fail(`exceeded max depth of ${MAX_DEPTH}`, mark);
    }
    this.#take(kind);
  }

  #fetchFlowEnd(kind: TokenKind): void {
    this.#endKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.pop();
    }
    this.#take(kind);
  }

  #fetchFlowEntry(): void {
    this.#endKey(true);
    this.#take('flow-entry');
  }

  #fetchBlockEntry(): void {
    this.#beginBlock('block-sequence-start', 'block sequence entries');
    this.#endKey(true);
    this.#take('block-entry');
  }

  #fetchKey(): void {
    this.#beginBlock('block-mapping-start', 'mapping keys');
    this.#endKey(this.#flowLevel === 0);
    this.#take('key');
  }

  #beginBlock(kind: TokenKind, what: string): void {
    if (this.#flowLevel > 0) return;
    const { mark } = this.#cursor;
    if (!this.#keyAllowed) this.#fail(`${what} are not allowed in this context`, mark);
    this.#roll(kind, mark);
  }

  #fetchValue(): void {
    const key = this.#keys.last;
    if (key !== undefined && this.#keys.isValid(key, this.#cursor.mark)) {
      this.#insert('key', key.mark, key.tokenNumber);
      this.#roll('block-mapping-start', key.mark, key.tokenNumber);
      this.#keys.found(key);
      this.#keyAllowed = false;
    } else {
      this.#beginBlock('block-mapping-start', 'mapping values');
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#take('value');
  }

  #fetchAnchor(kind: 'anchor' | 'alias'): void {
    const start = this.#beginKey();
    this.#add(kind, start, { value: scanAnchor(this.#cursor) });
  }

  #fetchTag(): void {
    const start = this.#beginKey();
    const { handle, suffix } = scanTag(this.#cursor);
    this.#add('tag', start, { value: handle, suffix });
  }

  #fetchBlock(style: 'literal' | 'folded'): void {
    const start = this.#endKey(true);
    const { value, end } = scanBlock(this.#cursor, style === 'literal', this.#indent);
    this.#tokens.push(token('scalar', start, end, { value, style }));
  }

  #fetchQuoted(style: 'single' | 'double'): void {
    const start = this.#beginKey();
    const value = scanQuoted(this.#cursor, style === 'single');
    this.#add('scalar', start, { value, style });
  }

  #fetchPlain(): void {
    const start = this.#beginKey();
    const scalar = scanPlain(this.#cursor, this.#flowLevel > 0, this.#indent + 1);
    this.#tokens.push(token('scalar', start, scalar.end, { value: scalar.value }));
    if (scalar.leadingBlanks) this.#keyAllowed = true;
  }
}
