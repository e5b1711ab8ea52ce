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
  let resolved = '/';
  let isFirst = true;
  const segments = full.split('/');
  for (const segment of segments) {
    if (segment === '.') {
      isFirst = false;
    } else if (segment === '..') {
      const slash = resolved.lastIndexOf('/');
      resolved = slash > 0 ? resolved.slice(0, slash) : '/';
      isFirst = resolved.length === 1;
    } else {
      resolved += isFirst ? segment : `/${segment}`;
      isFirst = false;
    }
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') resolved += '/';
  return resolved.startsWith('//') ? resolved.slice(1) : resolved;
}

function fullPath(base: ByteString, ref: ByteString): ByteString {
  if (ref === '') return base;
  return ref.startsWith('/') ? ref : base.slice(0, base.lastIndexOf('/') + 1) + ref;
}
