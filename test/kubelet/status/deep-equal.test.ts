import { describe, expect, it } from 'vitest';

import { semanticDeepEqual } from '../../../src/kubelet/status/deep-equal.js';

describe('two values are equal', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['when they are the same text', 'a', 'a', true],
    ['not when their texts differ', 'a', 'b', false],
    ['not when one is a number', '1', 1, false],
    ['not when one is nothing', 0, undefined, false],
    ['not when one is null', {}, null, false],
    ['when their members are', { a: { b: 1 } }, { a: { b: 1 } }, true],
    ['in any order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['not when a member differs', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['not when the left has more members', { a: 1, b: 2 }, { a: 1 }, false],
    ['not when the right has more members', { a: 1 }, { a: 1, b: 2 }, false],
    ['when a member is there without a value', { a: 1, b: undefined }, { a: 1 }, true],
    ['when a list is absent that is empty', { a: [] }, {}, true],
    ['when a list is absent that is empty, the other way round', {}, { a: [] }, true],
    ['not when a list is absent that is not empty', { a: [1] }, {}, false],
    ['not when a state is absent that is empty', { running: {} }, {}, false],
    ['when their lists are', [1, [2]], [1, [2]], true],
    ['not when their lists have another order', [1, 2], [2, 1], false],
    ['not when the left list is longer', [1, 2], [1], false],
    ['not when the right list is longer', [1], [1, 2], false],
    ['not when one is a list', [1], { 0: 1 }, false],
    ['not when the other is a list', { 0: 1 }, [1], false],
  ])('%s', (_, a, b, equal) => {
    expect(semanticDeepEqual(a, b)).toBe(equal);
  });
});
