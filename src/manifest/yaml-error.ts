import { SyntaxProblem } from '../api/index.js';
import { AnchorError } from './yaml/go-node.js';
import type { GoYamlError } from './yaml/go-yaml-error.js';

interface Explanation {
  readonly problem: RegExp;
  readonly message: string;
  readonly hint?: string;
  /** Whether it is shown where what is not right begins, instead of where go-yaml gives up. */
  readonly atContext?: boolean;
}

/** What go-yaml's problems mean to someone who writes a manifest: its words, ours, and what to do. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    problem: /did not find expected key/,
    message: 'this line is indented unlike its neighbours',
    hint: 'keys of one object start in the same column; a value with ": " in it needs quotes',
  },
  {
    problem: /did not find expected '-' indicator/,
    message: 'this line is indented unlike the items of its list',
    hint: 'the "-" of every item starts in the same column',
  },
  {
    problem: /could not find expected ':'/,
    message: 'a ":" is missing after a key',
    hint: 'write "key: value", or check the quotes and the indentation of the line before',
    atContext: true,
  },
  {
    problem: /mapping values are not allowed/,
    message: 'a ":" where no key can be',
    hint: 'a value with ": " in it needs quotes; or check the indentation of this line',
  },
  {
    problem: /block sequence entries are not allowed/,
    message: 'a "-" where no list item can be',
    hint: 'put the list on lines of its own, below its key',
  },
  {
    problem: /unexpected end of stream/,
    message: 'a quote is opened and never closed',
    atContext: true,
  },
  {
    problem: /did not find expected ',' or/,
    message: 'a "," is missing between two entries in {} or []',
    hint: 'or the "}" or "]" of what is opened before it',
  },
  {
    problem: /did not find expected node content/,
    message: 'there is no value here',
    hint: 'texts that begin with one of , ] } need quotes',
  },
  {
    problem: /found unknown escape character/,
    message: 'no such escape in double quotes',
    hint: 'double the backslash, or use single quotes',
  },
  {
    problem: /tab character that violates|tab character where an indentation/,
    message: 'a tab where only spaces may be',
    hint: 'YAML is indented with spaces; take the tab away',
  },
];

const UNCLOSED = 'a "{" or "[" is opened and never closed';
/** What to do with a Helm template. */
export const HELM_HINT = 'a Helm template? Give kprobe what "helm template" prints';

/** What go-yaml refuses, in words that say what to do, at the place to look at. */
export function yamlProblem(error: GoYamlError, text: string): SyntaxProblem {
  const server = `error converting YAML to JSON: ${error.text}`;
  if (error instanceof AnchorError) {
    const hint = `define it before, as "&${error.anchor}"`;
    return new SyntaxProblem(error.message, error.offset, hint, server);
  }
  const { message, hint, offset } = explain(error, text);
  const helm = lineAt(text, offset).includes('{{') ? HELM_HINT : undefined;
  return new SyntaxProblem(`not YAML: ${message}`, offset, hint ?? helm, server);
}

function explain(
  { message, mark, contextMark }: GoYamlError,
  text: string,
): { message: string; hint?: string | undefined; offset: number } {
  const offset = mark?.offset ?? 0;
  if (/cannot start any token/.test(message)) return explainToken(text, offset);
  const isAtEnd = text.slice(offset).trim() === '';
  if (isAtEnd && /',' or|node content/.test(message)) {
    return { message: UNCLOSED, offset: contextMark?.offset ?? offset };
  }
  const found = EXPLANATIONS.find(({ problem }) => problem.test(message));
  const at = found?.atContext === true ? contextMark : mark;
  return { message: found?.message ?? message, hint: found?.hint, offset: at?.offset ?? offset };
}

function explainToken(
  text: string,
  offset: number,
): { message: string; hint: string; offset: number } {
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
