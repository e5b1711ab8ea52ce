import { expect, it } from 'vitest';

import { pairsText } from '../../src/diagnosis/server-readers.js';

it.each([
  ['level=error msg="no start" err="port 80 is \\"taken\\""', 'no start: port 80 is "taken"'],
  [
    'time=10:00 level=fatal msg=Could not read keys. app=x error=map[a: b] v=1',
    'Could not read keys: map[a: b]',
  ],
  ['"msg"="no start" "error"="no token"', 'no start: no token'],
  [
    'level=fatal msg="The configuration is invalid." key=a.b func="main.go:7"',
    'The configuration is invalid: key=a.b',
  ],
  ['level=fatal msg="schema 41 is older" migration=pending', 'schema 41 is older'],
  ['level=fatal', ''],
])('the message of pairs has its error, or what it does not name: %s', (line, text) => {
  expect(pairsText(line)).toBe(text);
});
