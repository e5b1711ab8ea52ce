import { describe, expect, it } from 'vitest';

import {
  canonicalHeaderKey,
  getHeader,
  headerOf,
  isValidHeaderName,
  isValidHeaderValue,
} from '../../../src/go/http/header.js';
import { tables } from '../tables.js';

describe('an HTTP header', () => {
  it.each(tables.canon)('%j has the canonical name %j', (name, canonical) => {
    expect(canonicalHeaderKey(name)).toBe(canonical);
  });

  it('keeps the values of a name in order, in any case', () => {
    const header = headerOf([
      ['x-a', '1'],
      ['B', '2'],
      ['X-A', '3'],
    ]);
    expect([...header]).toEqual([
      ['X-A', ['1', '3']],
      ['B', ['2']],
    ]);
    expect([getHeader(header, 'X-A'), getHeader(header, 'C')]).toEqual(['1', '']);
  });

  it.each([
    ['X-A', true],
    ['x_y.z|~', true],
    ['', false],
    ['X A', false],
    ['X:A', false],
    ['X-\u00c9', false],
  ])('with the name %j is valid: %s', (name, valid) => {
    expect(isValidHeaderName(name)).toBe(valid);
  });

  it.each([
    ['a\tb', true],
    ['\u00ff', true],
    ['', true],
    ['a\nb', false],
    ['a\u0000', false],
    ['\u007f', false],
  ])('with the value %j is valid: %s', (value, valid) => {
    expect(isValidHeaderValue(value)).toBe(valid);
  });
});
