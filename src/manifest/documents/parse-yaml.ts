import { SyntaxProblem } from '../../go/json.js';
import { TreeDecoder, type YamlTree } from '../../go/yaml/decode-tree.js';
import { type DecodeProblem, GoYamlDecodeError, GoYamlError } from '../../go/yaml/error.js';
import { parseDocument } from '../../go/yaml/parser.js';

/**
 * Reads the YAML document between two offsets of a text as go-yaml v2 and sigs.k8s.io/yaml turn it into JSON:
 * YAML 1.1 scalars, aliases expanded, merges applied, keys sorted. Offsets are those of the whole text.
 *
 * @throws SyntaxProblem
 */
export function parseYaml(text: string, start = 0, end = text.length): YamlTree {
  const written = text.slice(start, end);
  // kubectl's document reader ends every line with a line break.
  const document = written.endsWith('\n') ? written : `${written}\n`;
  try {
    const root = parseDocument(document);
    if (root === undefined) return { node: { kind: 'null', start }, duplicates: [] };
    const decoder = new TreeDecoder(start);
    return { node: decoder.decodeDocument(root), duplicates: decoder.duplicates };
  } catch (error) {
    if (error instanceof GoYamlError) throw syntaxProblem(error, document, start);
    if (error instanceof GoYamlDecodeError) throw decodeProblem(error, start);
    throw error;
  }
}

const CONVERTING = 'error converting YAML to JSON: ';
const HELM_HINT = 'a Helm template? Give kprobe what "helm template" prints';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
  /** The construct that go-yaml was reading, rather than where it gave up, is the place to show. */
  readonly atContext?: boolean;
}

const TAB_INDENTATION: Explanation = {
  message: 'a tab where only spaces may be',
  hint: 'YAML is indented with spaces; remove the tab',
};
const MISSING_COMMA: Explanation = {
  message: 'a "," is missing between two entries in {} or []',
  hint: 'or the closing "}" or "]" of an earlier one',
};

/** Explanations of go-yaml's messages for those who write manifests. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  'did not find expected key': {
    message: 'this line is indented differently from its neighbors',
    hint: 'keys of one object start in the same column; a value with ": " in it needs quotes',
  },
  "did not find expected '-' indicator": {
    message: 'this line is indented differently from the items of its list',
    hint: 'the "-" of every item starts in the same column',
  },
  "could not find expected ':'": {
    message: 'a ":" is missing after a key',
    hint: 'write "key: value", or check the quotes and the indentation of the line before',
    atContext: true,
  },
  'mapping values are not allowed in this context': {
    message: 'a ":" where no key can be',
    hint: 'a value with ": " in it needs quotes; or check the indentation of this line',
  },
  'block sequence entries are not allowed in this context': {
    message: 'a "-" where no list item can be',
    hint: 'put the list on lines of its own, below its key',
  },
  'found unexpected end of stream': {
    message: 'a quote is opened and never closed',
    atContext: true,
  },
  "did not find expected ',' or ']'": MISSING_COMMA,
  "did not find expected ',' or '}'": MISSING_COMMA,
  'did not find expected node content': {
    message: 'there is no value here',
    hint: 'text that begins with , ] or } needs quotes',
  },
  'found unknown escape character': {
    message: 'unknown escape sequence in double quotes',
    hint: 'double the backslash, or use single quotes',
  },
  'found a tab character that violates indentation': TAB_INDENTATION,
  'found a tab character where an indentation space is expected': TAB_INDENTATION,
};
/** At the end of the text these mean that a flow collection is open. */
const UNCLOSED = [
  "did not find expected ',' or ']'",
  "did not find expected ',' or '}'",
  'did not find expected node content',
];

/** Go's message in words that say what to do, at the place to correct. */
function syntaxProblem(error: GoYamlError, text: string, start: number): SyntaxProblem {
  const { message, hint, offset } = explain(error, text);
  const helm = lineAt(text, offset).includes('{{') ? HELM_HINT : undefined;
  const server = `${CONVERTING}${error.text}`;
  return new SyntaxProblem(`not YAML: ${message}`, start + offset, hint ?? helm, server);
}

function explain(
  { message, mark, contextMark }: GoYamlError,
  text: string,
): { message: string; hint?: string | undefined; offset: number } {
  const offset = mark?.offset ?? 0;
  if (message === 'found character that cannot start any token') return explainToken(text, offset);
  if (text.slice(offset).trim() === '' && UNCLOSED.includes(message)) {
    const unclosed = 'a "{" or "[" is opened and never closed';
    return { message: unclosed, offset: contextMark?.offset ?? offset };
  }
  const found = EXPLANATIONS[message];
  const at = found?.atContext === true ? contextMark : mark;
  return { message: found?.message ?? message, hint: found?.hint, offset: at?.offset ?? offset };
}

function explainToken(
  text: string,
  offset: number,
): { offset: number } & Required<Pick<Explanation, 'message' | 'hint'>> {
  if (text[offset] === '\t') {
    const hint = 'YAML is indented with spaces; replace the tab';
    return { message: 'a tab is used for indentation', hint, offset };
  }
  const message = `no value begins with ${text[offset] ?? ''}`;
  return { message, hint: 'put it in quotes', offset };
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
  const { problem, message: said, written } = error;
  const offset = start + error.offset;
  if (problem === 'too-deep') return new SyntaxProblem(`not YAML: ${said}`, offset);
  const explanation = DECODE_EXPLANATIONS[problem];
  let { message = said.replace(/^yaml: /, ''), hint } = explanation;
  if (problem === 'not-a-number') message = `${written} is not a value that JSON has`;
  if (problem === 'unknown-anchor') hint = `define it before, as "&${written}"`;
  return new SyntaxProblem(message, offset, hint, `${CONVERTING}${said}`);
}
