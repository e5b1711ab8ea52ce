import type { ByteString } from './byte-string.js';
import { ok, type Result } from './result.js';
import { escapedPath, type GoUrl } from './url.js';
import { parseUrl, setPath } from './url-parse.js';

/** A reference such as a Location, seen from `base`. Ports URL.Parse (net/url/url.go). */
export function parseReference(base: GoUrl, reference: ByteString): Result<GoUrl> {
  const parsed = parseUrl(reference);
  return parsed.ok ? ok(resolveReference(base, parsed.value)) : parsed;
}

/** Ports URL.ResolveReference (net/url/url.go). */
function resolveReference(base: GoUrl, ref: GoUrl): GoUrl {
  const scheme = ref.scheme || base.scheme;
  if (ref.scheme !== '' || ref.host !== '' || ref.user !== undefined) {
    return withPath({ ...ref, scheme }, resolvePath(escapedPath(ref), ''));
  }
  const nowhere = { ...ref, scheme, host: '', path: '' };
  if (ref.opaque !== '') return nowhere;
  const inherited = inheritQuery(base, ref);
  if (ref.path === '' && base.opaque !== '') {
    return { ...nowhere, ...inherited, opaque: base.opaque };
  }
  const { host, user } = base;
  const there = {
    ...ref,
    ...inherited,
    scheme,
    host,
    ...(user === undefined ? {} : { user }),
  };
  return withPath(there, resolvePath(escapedPath(base), escapedPath(ref)));
}

function inheritQuery(base: GoUrl, ref: GoUrl): Partial<GoUrl> {
  if (ref.path !== '' || ref.forceQuery || ref.rawQuery !== '') return {};
  const { rawQuery, fragment, rawFragment } = base;
  return ref.fragment === '' ? { rawQuery, fragment, rawFragment } : { rawQuery };
}

function withPath(url: GoUrl, path: ByteString): GoUrl {
  const set = setPath(url, path);
  return set.ok ? set.value : url;
}

/** Ports resolvePath (net/url/url.go). */
function resolvePath(base: ByteString, ref: ByteString): ByteString {
  const full = fullPath(base, ref);
  if (full === '') return '';
  // What has been written after the leading slash: nothing yet is not the same as an empty segment.
  const resolved: ByteString[] = [];
  const segments = full.split('/');
  for (const segment of segments) {
    if (segment === '.') {
      if (resolved.length === 0) resolved.push('');
    } else if (segment === '..') {
      resolved.pop();
      if (resolved.length === 1 && resolved[0] === '') resolved.pop();
    } else {
      resolved.push(segment);
    }
  }
  const last = segments.at(-1);
  const path = `/${resolved.join('/')}${last === '.' || last === '..' ? '/' : ''}`;
  return path.startsWith('//') ? path.slice(1) : path;
}

function fullPath(base: ByteString, ref: ByteString): ByteString {
  if (ref === '') return base;
  return ref.startsWith('/') ? ref : base.slice(0, base.lastIndexOf('/') + 1) + ref;
}
