/** What js-yaml's reasons mean to someone who writes a manifest: its words, ours, and what to do. */
const EXPLANATIONS: readonly (readonly [reason: RegExp, message: string, hint?: string])[] = [
  [
    /tab characters must not be used in indentation/,
    'a tab is used for indentation',
    'YAML is indented with spaces; replace the tab',
  ],
  [
    /bad indentation of a mapping entry/,
    'this line is indented unlike its neighbours',
    'keys of one object start in the same column; a value with ": " in it needs quotes',
  ],
  [
    /bad indentation of a sequence entry/,
    'this line is indented unlike the items of its list',
    'the "-" of every item starts in the same column',
  ],
  [/expected ':' after a mapping key/, 'a ":" is missing after a key', 'write "key: value"'],
  [
    /a whitespace character is expected after the key-value separator/,
    'a space is missing after ":"',
    'write "key: value"',
  ],
  [
    /a multiline key may not be an implicit key/,
    'a ":" is missing after a key',
    'write "key: value", or check the quotes and the indentation of the line before',
  ],
  [/within a (single|double) quoted scalar/, 'a quote is opened and never closed'],
  [
    /unexpected end of the stream within a flow collection/,
    'a "{" or "[" is opened and never closed',
  ],
  [
    /missed comma between flow collection entries/,
    'a "," is missing between two entries in {} or []',
    'or the "}" or "]" of what is opened before it',
  ],
  [/expected the node content, but found ','/, 'there is nothing before this ","'],
  [
    /deficient indentation/,
    'this line must be indented further, since it goes on what is opened above',
  ],
  [
    /unknown escape sequence/,
    'no such escape in double quotes',
    'double the backslash, or use single quotes',
  ],
  [
    /non-printable characters|expected valid JSON character|null byte/,
    'control characters are not allowed',
  ],
  [/nesting exceeded maxDepth/, 'nested too deep'],
  [
    /end of the stream or a document separator is expected/,
    'the document should end here, but goes on',
    'check the indentation of this line; documents are separated by a line "---"',
  ],
];

export interface YamlErrorText {
  readonly message: string;
  readonly hint?: string;
}

/** The reason of a js-yaml error in words that say what to do. */
export function describeYamlError(reason: string): YamlErrorText {
  for (const [pattern, message, hint] of EXPLANATIONS) {
    if (pattern.test(reason)) {
      return { message: `not YAML: ${message}`, ...(hint !== undefined && { hint }) };
    }
  }
  return { message: `not YAML: ${reason}` };
}
