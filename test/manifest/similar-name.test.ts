import { expect, test } from 'vitest';

import { similarName } from '../../src/manifest/similar-name.js';

const FIELDS = [
  'initialDelaySeconds',
  'periodSeconds',
  'timeoutSeconds',
  'httpGet',
  'exec',
  'name',
];

test.each([
  ['periodSecond', 'periodSeconds'],
  ['peroidSeconds', 'periodSeconds'],
  ['httpget', 'httpGet'],
  ['delaySeconds', 'initialDelaySeconds'],
  ['nam', 'name'],
  ['image', undefined],
  ['x', undefined],
  ['y'.repeat(100_000), undefined],
])('similarName(%s) is %s', (name, meant) => {
  expect(similarName(name, FIELDS)).toBe(meant);
});
