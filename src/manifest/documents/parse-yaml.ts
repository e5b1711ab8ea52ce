import { SyntaxProblem } from '../../go/json.js';
import { TreeDecoder, type YamlTree, type YamlVersion } from '../../go/yaml/decode-tree.js';
import {
  type DecodeProblem,
  GoYamlDecodeError,
  GoYamlError,
  type SyntaxCode,
} from '../../go/yaml/error.js';
import { isInFlow } from '../../go/yaml/lexer.js';
import { parseDocument } from '../../go/yaml/parse-document.js';

/** Characters of the largest document; an API server accepts objects of at most 3 MiB. */
const MAX_DOCUMENT = 8 * 1024 * 1024;
/** Commas, colons, line breaks and brackets: each may begin a value, which takes a kilobyte while it is read. */
const MAX_SEPARATORS = 250_000;

/**
 * Reads the YAML document between two offsets of a text as go-yaml v2 and sigs.k8s.io/yaml turn it into JSON:
 * YAML 1.1 scalars, aliases expanded, merges applied, keys sorted. Offsets are those of the whole text.
 *
 * @throws SyntaxProblem
 */
export function parseYaml(
  text: string,
  start = 0,
  end = text.length,
  version: YamlVersion = '1.1',
): YamlTree {
  const written = text.slice(start, end);
  // kubectl's document reader ends every line with a line break.
  const document = written.endsWith('\n') ? written : `${written}\n`;
  if (/^(?:---)?[ \r\n]*$/.test(document)) return { node: { kind: 'null', start }, duplicates: [] };
  checkSize(document, start);
  try {
    const root = parseDocument(document);
    if (root === undefined) return { node: { kind: 'null', start }, duplicates: [] };
    const decoder = new TreeDecoder(document, start, version);
    return { node: decoder.decodeDocument(root), duplicates: decoder.duplicates };
  } catch (error) {
    if (error instanceof GoYamlError) throw syntaxProblem(error, document, start);
    if (error instanceof GoYamlDecodeError) throw decodeProblem(error, start);
    throw error;
  }
}

function checkSize(document: string, start: number): void {
  const hint = 'split it up, give it as JSON, or keep data elsewhere';
  if (document.length > MAX_DOCUMENT) {
    throw new SyntaxProblem('a document of more than 8 MiB', start, hint);
  }
  const end = endOfLimit(document, /[,:\n[{]/g, MAX_SEPARATORS);
  if (end !== undefined) throw new SyntaxProblem('too many values for a document', start, hint);
}

/** Returns the offset of the last separator that a text may have, or undefined for a text with fewer. */
export function endOfLimit(text: string, separators: RegExp, limit: number): number | undefined {
  if (text.length <= limit) return undefined;
  separators.lastIndex = 0;
  for (let count = 0; count < limit; count++) {
    if (!separators.test(text)) return undefined;
  }
  return separators.lastIndex - 1;
}

const CONVERTING = 'error converting YAML to JSON: ';
const HELM_HINT = 'a Helm template? Give kprobe what "helm template" prints';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
}

const INDENTATION: Explanation = {
  message: 'this line is indented differently from its neighbors',
  hint: 'keys of one object start in the same column; a value with ": " in it needs quotes',
};
const MISSING_COLON: Explanation = {
  message: 'a ":" is missing after a key',
  hint: 'write "key: value", or check the quotes and the indentation of the line before',
};
const MISSING_COMMA: Explanation = {
  message: 'a "," is missing between two entries in {} or []',
  hint: 'or the closing "}" or "]" of an earlier one',
};

const NO_VALUE: Explanation = {
  message: 'there is no value here',
  hint: 'text that begins with , ] or } needs quotes',
};

/** Explanations for those who write manifests, in place of the package's messages. */
const EXPLANATIONS: Partial<Readonly<Record<SyntaxCode, Explanation>>> = {
  BAD_INDENT: INDENTATION,
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a ":" where no key can be',
    hint: 'a value with ": " in it needs quotes; or check the indentation of this line',
  },
  BAD_DQ_ESCAPE: {
    message: 'unknown escape sequence in double quotes',
    hint: 'double the backslash, or use single quotes',
  },
  MULTILINE_IMPLICIT_KEY: MISSING_COLON,
  TAB_AS_INDENT: {
    message: 'a tab is used for indentation',
    hint: 'YAML is indented with spaces; replace the tab',
  },
  TOO_LARGE: {
    message: 'a value of more than 3 MiB',
    hint: 'no API server accepts it; keep data elsewhere',
  },
  UNCLOSED_BRACKET: { message: 'a "{" or "[" is opened and never closed' },
  UNCLOSED_QUOTE: { message: 'a quote is opened and never closed' },
};

/** Returns the package's error with an explanation for those who write manifests, at the place to correct. */
function syntaxProblem({ code, message, offset }: GoYamlError, text: string, start: number) {
  const at = offset + (/^\s*/.exec(text.slice(offset))?.[0].length ?? 0);
  const shown = at < text.length && code !== 'TAB_AS_INDENT' ? at : offset;
  const explanation = explain(code, text, shown) ?? { message };
  const helm = lineAt(text, shown).includes('{{') ? HELM_HINT : undefined;
  const line = text.slice(0, shown).split('\n').length;
  const server = `${CONVERTING}yaml: line ${line}: ${message}`;
  const hint = explanation.hint ?? helm;
  return new SyntaxProblem(`not YAML: ${explanation.message}`, start + shown, hint, server);
}

function explain(code: SyntaxCode, text: string, offset: number): Explanation | undefined {
  switch (code) {
    case 'BAD_SCALAR_START': {
      const message = `no value begins with ${text[offset] ?? ''}`;
      return { message, hint: 'put it in quotes' };
    }
    case 'MISSING_CHAR':
      return isInFlow(text, offset) ? MISSING_COMMA : MISSING_COLON;
    case 'UNEXPECTED_TOKEN':
      if (/[,\]}]/.test(text[offset] ?? '')) return NO_VALUE;
      return isInFlow(text, offset) ? MISSING_COMMA : undefined;
    default:
      return EXPLANATIONS[code];
  }
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end === -1 ? text.length : end);
}

const QUOTE_KEY = 'put the key in quotes';

const DECODE_EXPLANATIONS: Readonly<Record<DecodeProblem, Partial<Explanation>>> = {
  'excessive-aliasing': { hint: 'write out some of the aliases' },
  'key-list': { message: 'a key must be a string, not a list', hint: QUOTE_KEY },
  'key-null': { message: 'a key must be a string, not null', hint: QUOTE_KEY },
  'key-object': { message: 'a key must be a string, not an object', hint: HELM_HINT },
  merge: { hint: 'write "<<: *anchor" where the anchor is on an object' },
  'not-a-number': { hint: 'put it in quotes if it is text' },
  'recursive-anchor': {},
  tag: {},
  'too-deep': {},
  'unknown-anchor': {},
};

function decodeProblem(error: GoYamlDecodeError, start: number): SyntaxProblem {
  const { problem, message, written } = error;
  const offset = start + error.offset;
  if (problem === 'too-deep') return new SyntaxProblem(`not YAML: ${message}`, offset);
  const explanation = DECODE_EXPLANATIONS[problem];
  let { message: shown = message.replace(/^yaml: /, ''), hint } = explanation;
  if (problem === 'not-a-number') shown = `${written} is not a value that JSON has`;
  if (problem === 'unknown-anchor') hint = `define it before, as "&${written}"`;
  return new SyntaxProblem(shown, offset, hint, `${CONVERTING}${message}`);
}
