import { describe, expect, it } from 'vitest';

import { urlString } from '../../src/go/url.js';
import { parseUrl } from '../../src/go/url-parse.js';
import { parseReference } from '../../src/go/url-reference.js';

const MEGABYTE = 1_000_000;

function seenFromBase(reference: string): string {
  const base = parseUrl('http://h/a/b?q');
  const found = base.ok ? parseReference(base.value, reference) : base;
  return found.ok ? urlString(found.value) : found.error;
}

describe('a reference', () => {
  // What Go's URL.Parse answers.
  it.each([
    ['/x/../..//b', 'http://h/b'],
    ['/.//a/../..//b', 'http://h/b'],
    ['./a/../b', 'http://h/a/b'],
    ['../../..', 'http://h/'],
    ['..', 'http://h/'],
    ['//', 'http://h/a/b?q'],
    ['/..//..//c', 'http://h/c'],
    ['/a/./../b/.', 'http://h/b/'],
    ['x/%2e%2e/y', 'http://h/a/x/%2e%2e/y'],
    ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
  ])('%j is resolved as Go does', (reference, resolved) => {
    expect(seenFromBase(reference)).toBe(resolved);
  });

  // Each step back over all that came before, or a text that grows by a byte, would take hours.
  it.each([
    ['steps back', `/${'a'.repeat(MEGABYTE)}${'/x/..'.repeat(MEGABYTE)}`, MEGABYTE + 10],
    ['escapes', `/${'%41'.repeat(MEGABYTE)}`, 3 * MEGABYTE + 9],
    ['bytes to escape', `/${'é'.repeat(MEGABYTE)}`, 3 * MEGABYTE + 9],
    ['segments', '/a'.repeat(MEGABYTE), 2 * MEGABYTE + 8],
  ])('of a million %s costs no more than its length', (_, reference, length) => {
    expect(seenFromBase(reference)).toHaveLength(length);
  });
});
