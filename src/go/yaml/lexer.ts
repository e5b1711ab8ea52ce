import { Lexer } from 'yaml';

import { GoYamlError } from './error.js';

type Lexemes = Generator<string, number>;
type State = Generator<string, string>;

/** The parts of the package's lexer where go-yaml differs. */
interface Parts {
  readonly buffer: string;
  readonly pos: number;
  readonly flowLevel: number;
  indentNext: number;
  parseFlowCollection: () => State;
  parseQuotedScalar: () => State;
  parsePlainScalar: () => State;
  pushIndicators: () => Lexemes;
  readonly pushCount: (count: number) => Lexemes;
  readonly pushSpaces: (tabs: boolean) => Lexemes;
  readonly lex: (text: string) => Generator<string>;
}

/** Lexemes of the package: a document begins, and the next lexeme is a scalar's text. */
const DOCUMENT = '\x02';
export const SCALAR = '\x1f';
const SIGNS = /^[\x02\x18\x1f]$/;
const BOM = '\ufeff';
/** Line breaks that the package does not know. */
const OLD_BREAK = /\r(?!\n)|\x85/g;

/** In brackets `?` ends a plain scalar, and `:` only before a blank. A million parts at once would overflow the stack. */
const FLOW_WORDS =
  /(?:[^ \t\r\n:,?[\]{}]+|:(?![ \t\r\n]|$)|[ \t\r\n]+(?!(?<=\n)(?:---|\.{3})[ \t\r\n])(?=[^ \t\r\n:#,?[\]{}]|:(?![ \t\r\n]|$))){1,250}/y;
const ESCAPE = /\\(?:\r?\n((?:[ \t]*\r?\n)*)|x.{0,2}|u.{0,4}|U.{0,8}|[^])/g;
const KNOWN_ESCAPE =
  /^\\(?:["'\\0abt\tnvfre N_LP]|\r?\n|x[\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|U00(?:0(?!0[dD][89a-fA-F])|10)[\da-fA-F]{4})/;
/** Tabs where a block scalar begins, which has no number that says how deep it is indented. */
const TAB_BEFORE_BLOCK = /^(?: *\r?\n)* *\t/;

/** The package's lexer with the rules of go-yaml v2 (scannerc.go). */
export function goLexer(): Lexer {
  const lexer = new Lexer();
  const parts = lexer as unknown as Parts;
  const { parseFlowCollection, parseQuotedScalar, parsePlainScalar, pushIndicators } = parts;
  parts.parseFlowCollection = () => atAnyIndent(parts, parseFlowCollection);
  parts.parseQuotedScalar = () => atAnyIndent(parts, parseQuotedScalar);
  parts.parsePlainScalar = () =>
    parts.flowLevel > 0 ? parseFlowWords(parts) : parsePlainScalar.call(parts);
  parts.pushIndicators = () =>
    parts.flowLevel > 0 ? pushFlowIndicators(parts, pushIndicators) : pushIndicators.call(parts);
  return lexer;
}

/** Returns a text of the same length whose line breaks the lexer knows: it would not end at another one. */
export function knownBreaks(text: string): string {
  return text.replace(OLD_BREAK, '\n');
}

/** Reports whether a place of the text is in brackets. */
export function isInFlow(text: string, offset: number): boolean {
  const lexer = goLexer();
  let read = 0;
  for (const source of lexer.lex(knownBreaks(text))) {
    read += SIGNS.test(source) ? 0 : source.length;
    if (read > offset) break;
  }
  return (lexer as unknown as Parts).flowLevel > 0;
}

function* parseFlowWords(lexer: Parts): State {
  let end = lexer.pos;
  for (FLOW_WORDS.lastIndex = end; FLOW_WORDS.test(lexer.buffer);) end = FLOW_WORDS.lastIndex;
  if (end === lexer.pos) return 'flow';
  yield SCALAR;
  yield* lexer.pushCount(end - lexer.pos);
  return 'flow';
}

/** In brackets `?` and `:` are always indicators, and `-` is one only before a blank. */
function* pushFlowIndicators(lexer: Parts, push: () => Lexemes): Lexemes {
  let count = 0;
  for (let more = 1; more > 0; count += more) {
    const character = lexer.buffer[lexer.pos];
    if (character === '?' || character === ':') {
      more = yield* lexer.pushCount(1);
      more += yield* lexer.pushSpaces(true);
    } else if (character === '-' && /[^ \t\r\n]/.test(lexer.buffer[lexer.pos + 1] ?? ' ')) {
      more = 0;
    } else more = yield* push.call(lexer);
  }
  return count;
}

/** Reads what may continue at any column: the package wants brackets and quotes to be indented. */
function* atAnyIndent(lexer: Parts, parse: () => State): State {
  const { indentNext } = lexer;
  lexer.indentNext = 0;
  const state = yield* parse.call(lexer);
  lexer.indentNext = indentNext;
  return state;
}

/** Refuses what go-yaml refuses and the package does not. */
export class LexemeRules {
  readonly #lexer: Parts;
  /** Offsets of the brackets that are open. */
  readonly #open: number[] = [];
  #previous = '';
  #isTag = false;
  /** `|` or `>` with what follows it, until the text comes. */
  #header = '';
  /** Go refuses a tab where a key may begin: at the start of a line, and behind `-` and `?`. */
  #keyAllowed = true;
  /** Behind a plain scalar, the column from which on a tab is no fault after all; -1 elsewhere. */
  #plainIndent = -1;
  #column = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer as unknown as Parts;
  }

  check(source: string, offset: number): void {
    if (this.#previous === SCALAR) {
      this.#checkScalar(source, offset);
      return;
    }
    const first = source[0] ?? '';
    if (this.#isTag && first !== ' ' && !/\s/.test(first)) {
      throw new GoYamlError('BAD_TAG', 'a tag must be followed by a blank', offset);
    }
    this.#isTag = first === '!';
    this.#previous = source;
    switch (first) {
      case ' ':
      case '\t':
        this.#checkBlanks(source, offset);
        return;
      case '\r':
      case '\n':
        this.#keyAllowed = this.#lexer.flowLevel === 0;
        this.#column = 0;
        return;
      case DOCUMENT:
        return;
      case SCALAR:
        this.#plainIndent = this.#lexer.flowLevel === 0 ? this.#lexer.indentNext : -1;
        return;
      default:
        this.#checkToken(source, offset);
    }
  }

  #checkScalar(source: string, offset: number): void {
    const isBlock = this.#header !== '';
    if (isBlock && !/\d/.test(this.#header) && TAB_BEFORE_BLOCK.test(source)) failTab(offset);
    this.#keyAllowed = isBlock;
    this.#column = 0;
    this.#previous = this.#header = '';
    if (isBlock) this.#plainIndent = -1;
  }

  #checkBlanks(source: string, offset: number): void {
    const tab = source.indexOf('\t');
    const column = this.#column + tab;
    if (tab !== -1 && this.#keyAllowed && (this.#plainIndent === -1 || column < this.#plainIndent))
      failTab(offset + tab);
    this.#column += source.length;
  }

  #checkToken(source: string, offset: number): void {
    this.#plainIndent = -1;
    this.#keyAllowed = this.#lexer.flowLevel === 0 && (source === '-' || source === '?');
    switch (source.charAt(0)) {
      case '[':
      case '{':
        this.#open.push(offset);
        return;
      case ']':
      case '}':
        this.#open.pop();
        return;
      case '|':
      case '>':
        this.#header = source;
        return;
      case '"':
      case "'":
        if (source.length < 2 || !source.endsWith(source.charAt(0)))
          throw new GoYamlError('UNCLOSED_QUOTE', 'a quote is never closed', offset);
        return;
      case '&':
      case '*':
        if (/^.[-\w]+$/.test(source)) return;
        throw new GoYamlError('BAD_ALIAS', 'a name has letters, digits, - and _', offset);
      case '!':
        if (source.includes('#')) throw new GoYamlError('BAD_TAG', 'a tag has no #', offset);
        return;
      case BOM:
        if (offset > 0) throw new GoYamlError('CONTROL_CHARACTER', 'a byte order mark', offset);
    }
  }

  end(): void {
    const open = this.#open.at(-1);
    if (open !== undefined) {
      throw new GoYamlError('UNCLOSED_BRACKET', 'a bracket is never closed', open);
    }
  }
}

function failTab(offset: number): never {
  throw new GoYamlError('TAB_AS_INDENT', 'Tabs are not allowed as indentation', offset);
}

/** Returns a double-quoted scalar in escapes that the package knows: it lacks `\'`, and folds a line break behind an escaped one. */
export function withKnownEscapes(source: string, offset: number): string {
  if (source[0] !== '"' || !source.includes('\\')) return source;
  return source.replace(ESCAPE, (escape: string, breaks: string | undefined, at: number) => {
    if (!KNOWN_ESCAPE.test(escape)) {
      throw new GoYamlError('BAD_DQ_ESCAPE', `Invalid escape sequence ${escape}`, offset + at);
    }
    if (escape === "\\'") return '\\x27';
    if (breaks === undefined) return escape;
    return `${'\\n'.repeat(breaks.split('\n').length - 1)}\\\n`;
  });
}
