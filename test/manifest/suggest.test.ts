import { expect, test } from 'vitest';

import { suggest } from '../../src/manifest/suggest.js';

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
])('suggest(%s) is %s', (name, meant) => {
  expect(suggest(name, FIELDS)).toBe(meant);
});
