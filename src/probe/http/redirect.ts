import type { ByteString } from '../../go/byte-string.js';
import { getHeader, type Header } from '../../go/header.js';
import { type GoUrl, hostname, replaceFirst, urlString, userinfoString } from '../../go/url.js';
import { parseUrl } from '../../go/url-parse.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import { idnaASCII } from './address.js';

/** The headers that go to no other domain. */
const SENSITIVE = new Set([
  'Authorization',
  'Www-Authenticate',
  'Cookie',
  'Cookie2',
  'Proxy-Authorization',
  'Proxy-Authenticate',
]);
/** The headers that tell of a body, which a redirect other than 307 and 308 drops. */
const OF_BODY = new Set([
  'Content-Encoding',
  'Content-Language',
  'Content-Location',
  'Content-Type',
]);
const MAX_REQUESTS = 10;

/** Where a response leads. */
export interface Redirection {
  readonly url: GoUrl;
  /** As it was written. */
  readonly location: ByteString;
  /** A hop, this one or one before, dropped the body. */
  readonly dropsBody: boolean;
}

/** The request that a redirect asks for. Ports a part of Client.do (net/http/client.go). */
export function redirectedRequest(
  hops: readonly HttpRequest[],
  { url, location, dropsBody }: Redirection,
): HttpRequest {
  const [first, last] = [hops[0], hops.at(-1)];
  if (!first || !last) throw new Error('a redirect without a request');
  const header = copiedHeader(first.header, leavesDomain(hops, url), dropsBody);
  const referer = refererForURL(last.url, url, getHeader(header, 'Referer'));
  if (referer !== '') header.set('Referer', [referer]);
  return { url, header, host: keptHost(last, location) };
}

/** A Host of the caller's own is kept where the Location is relative. */
function keptHost({ host, url }: HttpRequest, location: ByteString): ByteString {
  if (host === '' || host === url.host) return '';
  const reference = parseUrl(location);
  return reference.ok && reference.value.scheme === '' ? host : '';
}

/** Whether a hop has left the first request's domain. Ports shouldCopyHeaderOnRedirect (net/http/client.go). */
function leavesDomain(hops: readonly HttpRequest[], next: GoUrl): boolean {
  const [first] = hops;
  if (!first) return false;
  const domain = idnaASCII(hostname(first.url));
  return [...hops.map(({ url }) => url), next].some(
    (url) => url.host !== first.url.host && !isDomainOrSubdomain(idnaASCII(hostname(url)), domain),
  );
}

/** Ports isDomainOrSubdomain (net/http/client.go). */
function isDomainOrSubdomain(sub: string, parent: string): boolean {
  if (sub === parent) return true;
  return !/[:%]/.test(sub) && sub.endsWith(`.${parent}`);
}

/** Ports makeHeadersCopier (net/http/client.go). */
function copiedHeader(
  header: Header,
  leaves: boolean,
  dropsBody: boolean,
): Map<ByteString, readonly ByteString[]> {
  const isKept = (name: ByteString): boolean =>
    !(leaves && SENSITIVE.has(name)) && !(dropsBody && OF_BODY.has(name));
  return new Map([...header].filter(([name]) => isKept(name)));
}

/** Ports refererForURL (net/http/client.go). */
function refererForURL(last: GoUrl, next: GoUrl, explicit: ByteString): ByteString {
  if (last.scheme === 'https' && next.scheme === 'http') return '';
  if (explicit !== '') return explicit;
  const referer = urlString(last);
  return last.user ? replaceFirst(referer, `${userinfoString(last.user)}@`, '') : referer;
}

/** Ports RedirectChecker (pkg/probe/http/http.go). */
export function checkRedirect(
  next: HttpRequest,
  hops: readonly HttpRequest[],
  followNonLocal: boolean,
): 'follow' | 'useLastResponse' | 'tooMany' {
  const isLocal = hops[0] !== undefined && hostname(next.url) === hostname(hops[0].url);
  if (!followNonLocal && !isLocal) return 'useLastResponse';
  return hops.length >= MAX_REQUESTS ? 'tooMany' : 'follow';
}
