import { describe, expect, it } from 'vitest';

import { changedFields } from '../../../src/commands/diff/field-change.js';

describe('the fields that differ', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'a.b', before: 1, after: 2 }]],
    ['what is new', { a: {} }, { a: { b: 2 } }, [{ path: 'a.b', after: 2 }]],
    ['what is gone', { a: { b: [1] } }, { a: {} }, [{ path: 'a.b', before: [1] }]],
    [
      'a list of values, whole',
      { a: [1] },
      { a: [1, 2] },
      [{ path: 'a', before: [1], after: [1, 2] }],
    ],
    ['keys with dots', { a: { 'x.y/z': 1 } }, { a: {} }, [{ path: 'a[x.y/z]', before: 1 }]],
    [
      'items with names by name',
      { c: [{ name: 'a', x: 1 }] },
      { c: [{ name: 'b' }, { name: 'a', x: 2 }] },
      [
        { path: 'c[0]', after: { name: 'b' } },
        { path: 'c[1].x', before: 1, after: 2 },
      ],
    ],
    [
      'the order of items with names',
      { c: [{ name: 'a' }, { name: 'b' }] },
      { c: [{ name: 'b' }, { name: 'a' }] },
      [{ path: 'c', before: ['a', 'b'], after: ['b', 'a'] }],
    ],
    [
      'items without names by place',
      { c: [{ x: 1 }, { x: 2 }] },
      { c: [{ x: 1 }, { x: 3 }] },
      [{ path: 'c[1].x', before: 2, after: 3 }],
    ],
    [
      'keys that every object inherits',
      { a: {} },
      { a: { constructor: 'b', ['__proto__']: 'c' } },
      [
        { path: 'a.constructor', after: 'b' },
        { path: 'a.__proto__', after: 'c' },
      ],
    ],
    ['nothing', { a: [{ b: 1 }], c: undefined }, { a: [{ b: 1 }] }, []],
  ])('tell %s', (_, before, after, changes) => {
    expect(changedFields(before, after, '')).toEqual(changes);
  });
});
