import { expect, it } from 'vitest';

import { hasRealRestarts } from '../../src/trace/real-restarts.js';

// A manifest that changes during a run may add containers that its header does not name.
it.each([
  ['created', ['app'], 'added', true],
  ['cluster', undefined, 'app', true],
  ['process', ['app'], 'app', true],
  ['process', ['app'], 'proxy', false],
  ['attached', undefined, 'app', false],
])('the target %s with the real restarts %j restarts %s: %j', (target, real, container, is) => {
  expect(hasRealRestarts({ target, realRestarts: real }, container)).toBe(is);
});
