/* Ported from net/url/url.go, with its names. */

import { parseAddr } from './addr.js';
import type { ByteString } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type OrError } from './result.js';
import { EMPTY_URL, escape, escapedPath, type GoUrl, unescape, type Userinfo } from './url.js';

/** The error's text is that of url.Error: `parse "…": …`. Ports url.Parse (net/url/url.go). */
export function parseUrl(text: ByteString): OrError<GoUrl> {
  const hash = text.indexOf('#');
  const beforeFragment = hash === -1 ? text : text.slice(0, hash);
  const url = parse(beforeFragment);
  if (!url.ok) return fail(`parse ${quote(beforeFragment)}: ${url.error}`);
  const raw = hash === -1 ? '' : text.slice(hash + 1);
  if (raw === '') return url;
  const fragment = unescape(raw, 'fragment');
  if (!fragment.ok) return fail(`parse ${quote(text)}: ${fragment.error}`);
  const rawFragment = escape(fragment.value, 'fragment') === raw ? '' : raw;
  return ok({ ...url.value, fragment: fragment.value, rawFragment });
}

const CONTROL = /[\x00-\x1f\x7f]/;

/** Ports parse (net/url/url.go) without its parameter viaRequest, which is false. */
function parse(text: ByteString): OrError<GoUrl> {
  if (CONTROL.test(text)) return fail('net/url: invalid control character in URL');
  if (text === '*') return ok({ ...EMPTY_URL, path: '*' });
  if (text.startsWith(':')) return fail('missing protocol scheme');
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  const scheme = written?.toLowerCase() ?? '';
  const afterScheme = written === undefined ? text : text.slice(written.length + 1);
  const { rest, rawQuery, forceQuery } = cutQuery(afterScheme);
  const url = { ...EMPTY_URL, scheme, rawQuery, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return ok({ ...url, opaque: rest });
    if (/^[^/]*:/.test(rest)) return fail('first path segment in URL cannot contain colon');
  }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2);
    const authority = parseAuthority(scheme, rest.slice(2, slash === -1 ? undefined : slash));
    if (!authority.ok) return authority;
    return setPath({ ...url, ...authority.value }, slash === -1 ? '' : rest.slice(slash));
  }
  return setPath({ ...url, omitHost: scheme !== '' && rest.startsWith('/') }, rest);
}

function cutQuery(text: ByteString) {
  const question = text.indexOf('?');
  if (question === -1) return { rest: text, rawQuery: '', forceQuery: false };
  const rawQuery = text.slice(question + 1);
  return { rest: text.slice(0, question), rawQuery, forceQuery: rawQuery === '' };
}

/** Ports URL.setPath (net/url/url.go). */
function setPath(url: GoUrl, raw: ByteString): OrError<GoUrl> {
  const path = unescape(raw, 'path');
  if (!path.ok) return path;
  return ok({ ...url, path: path.value, rawPath: escape(path.value, 'path') === raw ? '' : raw });
}

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

function parseAuthority(
  scheme: ByteString,
  authority: ByteString,
): OrError<{ host: ByteString; user?: Userinfo }> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (!host.ok) return host;
  if (at === -1) return ok({ host: host.value });
  const userinfo = authority.slice(0, at);
  if (!USERINFO.test(userinfo)) return fail('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  const username = unescape(colon === -1 ? userinfo : userinfo.slice(0, colon), 'userPassword');
  if (!username.ok) return username;
  if (colon === -1) return ok({ host: host.value, user: { username: username.value } });
  const password = unescape(userinfo.slice(colon + 1), 'userPassword');
  if (!password.ok) return password;
  return ok({ host: host.value, user: { username: username.value, password: password.value } });
}

const OPTIONAL_PORT = /^(?::[0-9]*)?$/;

function parseHost(scheme: ByteString, host: ByteString): OrError<ByteString> {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return fail('invalid IP-literal');
  if (bracket === 0) return parseIPLiteral(host);
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon === -1 ? '' : host.slice(colon);
  if (!OPTIONAL_PORT.test(port)) return fail(`invalid port ${quote(port)} after host`);
  return unescape(host, 'host');
}

function parseIPLiteral(host: ByteString): OrError<ByteString> {
  const close = host.lastIndexOf(']');
  if (close < 0) return fail("missing ']' in host");
  const port = host.slice(close + 1);
  if (!OPTIONAL_PORT.test(port)) return fail(`invalid port ${quote(port)} after host`);
  const hostname = unescapeWithZone(host.slice(1, close));
  if (!hostname.ok) return hostname;
  const addr = parseAddr(hostname.value);
  if (typeof addr === 'string') return fail(`invalid host: ${addr}`);
  return addr === 4 ? fail('invalid IP-literal') : ok(`[${hostname.value}]${port}`);
}

/** `%25` begins a zone, whose escapes are less restricted (RFC 6874). */
function unescapeWithZone(hostname: ByteString): OrError<ByteString> {
  const zoneAt = hostname.indexOf('%25');
  if (zoneAt === -1) return unescape(hostname, 'host');
  const host = unescape(hostname.slice(0, zoneAt), 'host');
  if (!host.ok) return host;
  const zone = unescape(hostname.slice(zoneAt), 'zone');
  return zone.ok ? ok(host.value + zone.value) : zone;
}

/** A reference such as a Location, seen from `base`. Ports URL.Parse (net/url/url.go). */
export function parseReference(base: GoUrl, reference: ByteString): OrError<GoUrl> {
  const parsed = parseUrl(reference);
  return parsed.ok ? ok(resolveReference(base, parsed.value)) : parsed;
}

/** Ports URL.ResolveReference (net/url/url.go). */
function resolveReference(base: GoUrl, ref: GoUrl): GoUrl {
  const scheme = ref.scheme || base.scheme;
  if (ref.scheme !== '' || ref.host !== '' || ref.user !== undefined) {
    return withPath({ ...ref, scheme }, resolvePath(escapedPath(ref), ''));
  }
  const withoutHost = { ...ref, scheme, host: '', path: '' };
  if (ref.opaque !== '') return withoutHost;
  const inherited = inheritQuery(base, ref);
  if (ref.path === '' && base.opaque !== '') {
    return { ...withoutHost, ...inherited, opaque: base.opaque };
  }
  const { host, user } = base;
  const resolved = { ...ref, ...inherited, scheme, host, ...(user && { user }) };
  return withPath(resolved, resolvePath(escapedPath(base), escapedPath(ref)));
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

function resolvePath(base: ByteString, ref: ByteString): ByteString {
  const full = fullPath(base, ref);
  if (full === '') return '';
  // The segments after the leading slash; no segment differs from one empty segment.
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
