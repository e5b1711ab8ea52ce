import { describe, expect, it } from 'vitest';

import { toByteString, toText } from '../../src/go/byte-string.js';
import { requestURI, stripPassword, urlString } from '../../src/go/url.js';
import { parseUrl } from '../../src/go/url-parse.js';
import { parseReference } from '../../src/go/url-reference.js';
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

  it.each(tables.ref)('%j sees the reference %j as Go does', (base, reference, resolved) => {
    const parsed = parseUrl(base);
    if (!parsed.ok) throw new Error(parsed.error);
    const found = parseReference(parsed.value, reference);
    expect(found.ok ? urlString(found.value) : found.error).toBe(resolved);
  });

  it('shows no password where an error shows it', () => {
    const parsed = parseUrl('http://u%20v:p:q@h/x');
    expect(parsed.ok && stripPassword(parsed.value)).toBe('http://u v:***@h/x');
  });
});
