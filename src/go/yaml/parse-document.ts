import { Composer, CST, type Document, type ErrorCode, Parser } from 'yaml';

import { MAX_DEPTH } from '../json-node.js';
import { GoYamlDecodeError, GoYamlError } from './error.js';
import { goLexer, knownBreaks, LexemeRules, SCALAR, withKnownEscapes } from './lexer.js';
import type { GoNode } from './node.js';
import { NodeReader } from './node-reader.js';

/** Characters of the longest scalar: the API server accepts requests of 3 MiB. */
const MAX_SCALAR = 3 * 1024 * 1024;

const OPTIONS = {
  version: '1.1',
  schema: 'failsafe',
  uniqueKeys: false,
  keepSourceTokens: true,
} as const;

const REFUSED = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Returns the first document of a text as a tree; undefined when there is none. The package parses it, with the rules of
 * go.yaml.in/yaml/v2.
 *
 * @throws GoYamlError, GoYamlDecodeError
 */
export function parseDocument(written: string): GoNode | undefined {
  const refused = written.search(REFUSED);
  if (refused !== -1) {
    throw new GoYamlError('CONTROL_CHARACTER', 'control characters are not allowed', refused);
  }
  const text = knownBreaks(written);
  const contents = compose(text)?.contents ?? undefined;
  return contents && new NodeReader(text).read(contents);
}

/** Stops at the first error: to collect them all would take a second for each 10,000. */
function compose(text: string): Document.Parsed | undefined {
  const composer = new Composer(OPTIONS);
  let first: GoYamlError | undefined;
  composer['onError'] = (
    source: ErrorSource,
    code: ErrorCode,
    message: string,
    isWarning = false,
  ) => {
    if (isWarning) return;
    first ??= new GoYamlError(code, message, offsetOf(source));
    throw first;
  };
  for (const document of composer.compose(tokens(text), true, text.length)) return document;
  return undefined;
}

type ErrorSource = number | readonly number[] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : (source[0] ?? 0);
}

/** The package's tokens up to the end of the first value: go-yaml does not read on. */
function* tokens(text: string): Generator<CST.Token> {
  const lexer = goLexer();
  const rules = new LexemeRules(lexer);
  const parser = new Parser();
  let document: CST.Token | undefined;
  let previous = '\n';
  for (const source of lexer.lex(text)) {
    const { offset } = parser;
    rules.check(source, offset);
    checkLimits(source.length, offset, parser.stack);
    let known = source;
    if (previous !== SCALAR) {
      // A comment needs no blank before it.
      if (source[0] === '#' && !/[ \t]$/.test(previous)) yield* parser.next('\t');
      known = withKnownEscapes(source, offset);
      parser.offset = offset;
    }
    previous = previous === SCALAR ? '' : source;
    for (const token of parser.next(known)) {
      if (token.type === 'document') document ??= token;
      if (token.type === 'error') {
        const root = rootOf(document ?? parser.stack[0]);
        if (isEnded(root, indentOf(parser))) break;
        throw new GoYamlError('UNEXPECTED_TOKEN', token.message, token.offset);
      }
      checkToken(token);
      yield token;
    }
    if (document !== undefined) return;
    if (known !== source) parser.offset = offset + source.length;
    if (parser.stack.length <= 2 && dropNext(parser)) {
      yield* parser.end();
      return;
    }
  }
  rules.end();
  yield* parser.end();
}

function checkLimits(length: number, offset: number, stack: readonly CST.Token[]): void {
  if (length > MAX_SCALAR) {
    throw new GoYamlError('TOO_LARGE', `a value of more than ${MAX_SCALAR} characters`, offset);
  }
  // The stack has the document, too, and perhaps a scalar.
  if (stack.length > MAX_DEPTH + 1 && CST.isCollection(stack.at(-1))) {
    throw new GoYamlDecodeError('too-deep', `nested more than ${MAX_DEPTH} deep`, offset);
  }
}

function indentOf(parser: Parser): number {
  return (parser as unknown as { readonly indent: number }).indent;
}

const DIRECTIVE = /^%(?:YAML[ \t]+0*1\.0*1|TAG[ \t]+\S+[ \t]+\S+)[ \t]*$/;

function checkToken(token: CST.Token): void {
  if (token.type === 'directive' && !DIRECTIVE.test(token.source)) {
    throw new GoYamlError('BAD_DIRECTIVE', 'found incompatible YAML document', token.offset);
  }
  if (token.type === 'document' && token.value === undefined && token.start.length === 0) {
    throw new GoYamlError('NO_VALUE', 'there is no value here', token.offset);
  }
}

function rootOf(document: CST.Token | undefined): CST.Token | undefined {
  return document?.type === 'document' ? document.value : undefined;
}

/** A block ends only at a line that is indented less; anything else has ended when something else follows. */
function isEnded(root: CST.Token | undefined, indent: number): boolean {
  if (root?.type !== 'block-map' && root?.type !== 'block-seq') return root !== undefined;
  return indent < root.indent;
}

/** Drops the last token where it follows the first value of the text, and reports whether it did. */
function dropNext(parser: Parser): boolean {
  const [document, open] = parser.stack;
  if (document?.type !== 'document') return false;
  const root = document.value;
  const tokens = root === undefined ? endOf(open) : document.end;
  const last = tokens?.at(-1);
  if (last === undefined || ['space', 'newline', 'comment'].includes(last.type)) return false;
  if (root === undefined && open?.type === 'flow-collection' && tokens?.length === 1) return false;
  if (root !== undefined && !isEnded(root, last.indent)) return false;
  tokens?.pop();
  return true;
}

function endOf(token: CST.Token | undefined): CST.SourceToken[] | undefined {
  return token !== undefined && 'end' in token ? token.end : undefined;
}
