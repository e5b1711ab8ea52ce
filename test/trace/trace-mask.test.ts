import { expect, it } from 'vitest';

import { TraceMask } from '../../src/trace/trace-mask.js';

const BEGIN = '-----BEGIN PRIVATE KEY-----';
const KEY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDr0f6pzEYPp/A3';
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

it.each([
  ['the middle of a private key', [BEGIN, KEY], [BEGIN, '***']],
  [
    'a whole key after the first line of one',
    [BEGIN, JSON.stringify({ key: `${BEGIN}\n${KEY}\n-----END PRIVATE KEY-----` })],
    [BEGIN, '{"key":"***"}'],
  ],
  ['a digest', [DIGEST], [DIGEST]],
])('masks lines of output by what they may be: %s', (_, texts, shown) => {
  const mask = new TraceMask();
  const lines = texts.map(
    (text) =>
    mask.line({ t: 0, kind: 'output', pod: 'web', container: 'app', run: 0, stream: 'stdout', text }), // prettier-ignore
  );
  expect(lines.map((line) => 'text' in line && line.text)).toEqual(shown);
});
