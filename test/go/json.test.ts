import { expect, test } from 'vitest';

import { parseJson, SyntaxProblem } from '../../src/go/json.js';

test('parseJson keeps positions and number literals', () => {
  expect(parseJson(' {"a": [9007199254740993, 1.0]}')).toEqual({
    node: {
      kind: 'object',
      start: 1,
      members: [
        {
          key: 'a',
          keyStart: 2,
          value: {
            kind: 'array',
            start: 7,
            items: [
              { kind: 'number', start: 8, literal: '9007199254740993' },
              { kind: 'number', start: 26, literal: '1.0' },
            ],
          },
        },
      ],
    },
    end: 31,
  });
});

test('parseJson decodes escapes and replaces lone surrogates', () => {
  const { node } = parseJson('"\\u00e9\\n\\/\\ud83d\\ude00\\ud800x"') ?? {};
  expect(node).toMatchObject({ value: '\u00e9\n/\u{1f600}\ufffdx' });
});

test.each([
  ['{"a" 1}', 5, 'found 1 where ":"'],
  ['{a: 1}', 1, 'found a where a key in double quotes'],
  ['[1 2]', 3, 'found 2 where "," or "]"'],
  ['{"a": 1,}', 8, 'found } where a key'],
  ['"a', 2, 'the text ends where the closing quote'],
  ['"a\nb"', 2, 'where the closing quote'],
  ['"\\x"', 2, 'where an escape'],
  ['nul', 0, 'found n where a value'],
  ['01', 1, ''],
])('parseJson rejects %s at offset %i', (text, offset, message) => {
  if (message === '') {
    expect(parseJson(text)?.end).toBe(offset);
    return;
  }
  try {
    parseJson(text);
    expect.unreachable();
  } catch (problem) {
    expect(problem).toBeInstanceOf(SyntaxProblem);
    expect(problem).toMatchObject({ offset, message: expect.stringContaining(message) as string });
  }
});
