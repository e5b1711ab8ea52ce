import { describe, expect, it } from 'vitest';

import { toByteString, toText } from '../../src/go/byte-string.js';
import { requestURI, stripPassword, urlString } from '../../src/go/url.js';
import { parseReference, parseUrl } from '../../src/go/url-parse.js';
import { tables } from './tables.js';

describe('a URL', () => {
  it.each(tables.url)('%j is parsed and written as Go does', (text, written, target, error) => {
    const parsed = parseUrl(toByteString(text));
    if (!parsed.ok) {
      expect(toText(parsed.error)).toBe(error);
      return;
    }
    expect([toText(urlString(parsed.value)), toText(requestURI(parsed.value))]).toEqual([
      written,
      target,
    ]);
  });

  it.each(tables.ref)('%j resolves the reference %j as Go does', (base, reference, resolved) => {
    const parsed = parseUrl(base);
    if (!parsed.ok) throw new Error(parsed.error);
    const found = parseReference(parsed.value, reference);
    expect(found.ok ? urlString(found.value) : found.error).toBe(resolved);
  });

  it('stripPassword hides the password', () => {
    const parsed = parseUrl('http://u%20v:p:q@h/x');
    expect(parsed.ok && stripPassword(parsed.value)).toBe('http://u v:***@h/x');
  });
});

const MEGABYTE = 1_000_000;

function seenFromBase(reference: string): string {
  const base = parseUrl('http://h/a/b?q');
  const found = base.ok ? parseReference(base.value, reference) : base;
  return found.ok ? urlString(found.value) : found.error;
}

describe('a reference', () => {
  // The expected values are from Go's URL.Parse.
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

  // With quadratic time, these would take hours.
  it.each([
    ['steps back', `/${'a'.repeat(MEGABYTE)}${'/x/..'.repeat(MEGABYTE)}`, MEGABYTE + 10],
    ['escapes', `/${'%41'.repeat(MEGABYTE)}`, 3 * MEGABYTE + 9],
    ['bytes to escape', `/${'é'.repeat(MEGABYTE)}`, 3 * MEGABYTE + 9],
    ['segments', '/a'.repeat(MEGABYTE), 2 * MEGABYTE + 8],
  ])('with a million %s is resolved in linear time', (_, reference, length) => {
    expect(seenFromBase(reference)).toHaveLength(length);
  });
});
