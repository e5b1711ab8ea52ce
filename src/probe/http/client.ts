import type { ByteString } from '../../go/byte-string.js';
import { getHeader, type Header } from '../../go/header.js';
import { quote } from '../../go/quote.js';
import { type GoUrl, stripPassword } from '../../go/url.js';
import { parseReference } from '../../go/url-parse.js';
import type { HttpRequest } from '../../kubelet/prober/http-request.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import type { HttpResponse, HttpTransport } from './http-response.js';
import { checkRedirect, redirectedRequest } from './redirect.js';
import { timeoutText } from './request-canceled.js';
import { roundTrip } from './round-trip.js';

/** What of a redirect's body is read before the next hop. */
const MAX_BODY_SLURP_SIZE = 2048;

/** Sends a request and follows its redirects; throws an IoError `Get "…": …`. Ports Client.do (net/http/client.go). */
export async function doRequest(
  attempt: Attempt,
  transport: HttpTransport,
  first: HttpRequest,
): Promise<HttpResponse> {
  const hops: HttpRequest[] = [first];
  let dropsBody = false;
  for (let request = first; ;) {
    const response = await send(attempt, transport, request);
    const location = getHeader(response.header, 'Location');
    if (!isRedirect(response.statusCode) || location === '') return response;
    dropsBody ||= !keepsBody(response.statusCode);
    const url = locate(request, response, location);
    const next = redirectedRequest(hops, { url, location, dropsBody });
    const verdict = checkRedirect(next, hops, attempt.options.followNonLocalRedirects ?? false);
    if (verdict === 'useLastResponse') return response;
    await slurp(response);
    response.close();
    if (verdict === 'tooMany') throw urlError(location, 'stopped after 10 redirects');
    hops.push(next);
    request = next;
  }
}

/** Ports redirectBehavior (net/http/client.go). */
function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || keepsBody(status);
}

function keepsBody(status: number): boolean {
  return status === 307 || status === 308;
}

function locate(request: HttpRequest, response: HttpResponse, location: ByteString): GoUrl {
  const located = parseReference(request.url, location);
  if (located.ok) return located.value;
  response.close();
  const why = `failed to parse Location header ${quote(location)}: ${located.error}`;
  throw urlError(stripPassword(request.url), why);
}

/** Ports url.Error.Error (net/url/url.go) for a GET. */
function urlError(url: ByteString, why: string): IoError {
  return new IoError(`Get ${quote(url)}: ${why}`);
}

/** Ports Client.send (net/http/client.go). */
async function send(
  attempt: Attempt,
  transport: HttpTransport,
  request: HttpRequest,
): Promise<HttpResponse> {
  try {
    return await roundTrip(attempt, transport, withBasicAuth(request));
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    const isTLS = request.url.scheme === 'https';
    const why = attempt.deadline.expired ? timeoutText(error, isTLS) : error.message;
    throw urlError(stripPassword(request.url), why);
  }
}

function withBasicAuth(request: HttpRequest): HttpRequest {
  const { url, header } = request;
  if (!url.user || getHeader(header, 'Authorization') !== '') return request;
  const credentials = `${url.user.username}:${url.user.password ?? ''}`;
  const authorization = `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}`;
  const withAuthorization: Header = new Map([...header, ['Authorization', [authorization]]]);
  return { ...request, header: withAuthorization };
}

async function slurp({ body, contentLength }: HttpResponse): Promise<void> {
  if (contentLength > MAX_BODY_SLURP_SIZE) return;
  const into = new Uint8Array(MAX_BODY_SLURP_SIZE);
  for (let read = 0; read < into.length;) {
    const { size, error } = await body.read(into.subarray(read));
    if (error) return;
    read += size;
  }
}
