import { describe, expect, it } from 'vitest';

import { semanticDeepEqual } from '../../../src/kubelet/status/status-manager.js';

describe('semanticDeepEqual is', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['true for the same string', 'a', 'a', true],
    ['false for different strings', 'a', 'b', false],
    ['false for a string and a number', '1', 1, false],
    ['false for 0 and undefined', 0, undefined, false],
    ['false for an object and null', {}, null, false],
    ['true for equal nested members', { a: { b: 1 } }, { a: { b: 1 } }, true],
    ['true for members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['false for different nested members', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['false when the left has more members', { a: 1, b: 2 }, { a: 1 }, false],
    ['false when the right has more members', { a: 1 }, { a: 1, b: 2 }, false],
    [
      'true when a member is undefined on one side and absent on the other',
      { a: 1, b: undefined },
      { a: 1 },
      true,
    ],
    ['true when a list is empty on the left and absent on the right', { a: [] }, {}, true],
    ['true when a list is absent on the left and empty on the right', {}, { a: [] }, true],
    ['false when a non-empty list is absent', { a: [1] }, {}, false],
    ['false when an empty state is absent', { running: {} }, {}, false],
    ['true for equal lists', [1, [2]], [1, [2]], true],
    ['false for lists in another order', [1, 2], [2, 1], false],
    ['false when the left list is longer', [1, 2], [1], false],
    ['false when the right list is longer', [1], [1, 2], false],
    ['false for a list and an object', [1], { 0: 1 }, false],
    ['false for an object and a list', { 0: 1 }, [1], false],
  ])('%s', (_, a, b, equal) => {
    expect(semanticDeepEqual(a, b)).toBe(equal);
  });
});
