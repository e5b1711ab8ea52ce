import { describe, expect, it } from 'vitest';

import { pairsText, takenPort } from '../../../src/diagnosis/output/server-readers.js';

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

describe('takenPort', () => {
  it.each([
    ['Error: listen EADDRINUSE: address already in use :::8080', 8080],
    ['2026/11/22 listen tcp :8080: bind: address already in use', 8080],
    ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)', 80],
    ['Web server failed to start. Port 8081 was already in use.', 8081],
    ['OSError: [Errno 98] Address already in use', undefined],
    ['** (MatchError) no match of right hand side value: {:error, :eaddrinuse}', undefined],
  ])('names the port: %s', (text, port) => {
    expect(takenPort([text, 'Node.js v20'])?.port).toBe(port);
  });

  it('leaves the end of a JSON log out of the text', () => {
    const line = '{"level":"ERROR","err":"listen tcp :8080: bind: address already in use"}';
    expect(takenPort([line])?.text).toBe('listen tcp :8080: bind: address already in use');
  });
});
