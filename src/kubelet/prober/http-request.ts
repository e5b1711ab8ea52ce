/* Ports pkg/probe/http (request.go, http.go), with its names. */

import type { Container, HTTPGetAction, HTTPHeader, IntOrString } from '../../api/index.js';
import { joinHostPort } from '../../go/addr.js';
import { type ByteString, outputOf, toByteString } from '../../go/byte-string.js';
import { getHeader, headerOf } from '../../go/http/header.js';
import type { HttpRequest } from '../../go/http/request.js';
import { atoi64 } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import { fail, ok, type OrError } from '../../go/result.js';
import { EMPTY_URL, type GoUrl, removeEmptyPort, urlString } from '../../go/url.js';
import { parseUrl } from '../../go/url-parse.js';
import type { ProbeOutcome } from '../ports.js';
import {
  DEFAULT_BEHAVIOR,
  DEFAULT_RELEASE,
  minorVersion,
  type ReleaseBehavior,
} from '../release.js';

interface HttpRequestOptions {
  readonly container: Container;
  /** Destination when the action names no host. */
  readonly podIP: string;
  /** Purpose of the request in its User-Agent. */
  readonly userAgentFragment: 'probe' | 'lifecycle';
  /** Version in the User-Agent, such as `1.36`, which is the default. */
  readonly kubeletVersion?: string | undefined;
  readonly behavior?: ReleaseBehavior | undefined;
}

export function newRequestForHTTPGetAction(
  action: HTTPGetAction,
  options: HttpRequestOptions,
): OrError<HttpRequest> {
  const { container, podIP, userAgentFragment, kubeletVersion = DEFAULT_RELEASE } = options;
  const actionScheme: string = action.scheme ?? '';
  const scheme = actionScheme === '' ? 'http' : toByteString(actionScheme.toLowerCase());
  const port = resolveContainerPort(action.port, container, options.behavior);
  if (!port.ok) return port;
  // As in Go, an empty host counts as absent.
  const host = action.host === undefined || action.host === '' ? podIP : action.host;
  const url = formatURL(scheme, host, port.value, action.path ?? '');
  const header = v1HeaderToHTTPHeader(action.httpHeaders ?? []);
  return newProbeRequest(url, header, `kube-${userAgentFragment}/${minorVersion(kubeletVersion)}`);
}

function newProbeRequest(
  url: GoUrl,
  header: Map<ByteString, readonly ByteString[]>,
  userAgent: string,
): OrError<HttpRequest> {
  const parsed = parseUrl(urlString(url));
  if (!parsed.ok) return parsed;
  if (!header.has('User-Agent')) header.set('User-Agent', [userAgent]);
  if (!header.has('Accept')) header.set('Accept', ['*/*']);
  else if (getHeader(header, 'Accept') === '') header.delete('Accept');
  return ok({
    url: { ...parsed.value, host: removeEmptyPort(parsed.value.host) },
    header,
    host: getHeader(header, 'Host'),
  });
}

function v1HeaderToHTTPHeader(list: readonly HTTPHeader[]): Map<ByteString, readonly ByteString[]> {
  return headerOf(list.map(({ name, value }) => [toByteString(name), toByteString(value)]));
}

function formatURL(scheme: string, host: string, port: number, path: string): GoUrl {
  const rawPath = toByteString(path);
  const parsed = parseUrl(rawPath);
  // Something is busted with the path, but it's too late to reject it. Pass it along as is.
  const url = parsed.ok ? parsed.value : { ...EMPTY_URL, path: rawPath };
  return { ...url, scheme, host: joinHostPort(toByteString(host), port) };
}

/**
 * Returns the number of a probe's port, which may be a number, the name of a container's port, or a number as a string.
 * Ports ResolveContainerPort (pkg/probe/util.go).
 */
export function resolveContainerPort(
  port: IntOrString,
  container: Container,
  behavior: ReleaseBehavior = DEFAULT_BEHAVIOR,
): OrError<number> {
  const resolved = typeof port === 'number' ? ok(port) : portByName(port, container, behavior);
  if (!resolved.ok) return resolved;
  const number = Number(resolved.value);
  return number > 0 && number < 65536 ? ok(number) : fail(`invalid port number: ${resolved.value}`);
}

/** Ports findPortByName (pkg/probe/util.go) and its caller's fallback. */
function portByName(
  name: string,
  container: Container,
  { portsByNameOnly }: ReleaseBehavior,
): OrError<number | bigint> {
  const port = container.ports?.find((candidate) => (candidate.name ?? '') === name);
  if (port) return ok(port.containerPort);
  const text = toByteString(name);
  // Last ditch effort - maybe it was an int stored as string?
  return portsByNameOnly ? fail(`port ${quote(text)} not found`) : atoi64(text);
}

/** Returns the outcome of a response. `body` is its first 10 KiB. Ports the end of DoHTTPProbe (pkg/probe/http/http.go). */
export function httpOutcome(statusCode: number, body: ByteString): ProbeOutcome {
  if (statusCode < 200 || statusCode >= 400) {
    // This user-facing message must not contain the response body.
    const output = `HTTP probe failed with statuscode: ${statusCode}`;
    return { result: 'failure', output, statusCode };
  }
  if (statusCode < 300) return { result: 'success', ...outputOf(body), statusCode };
  const warning = `Probe terminated redirects, Response body: ${body}`;
  return { result: 'warning', ...outputOf(warning), statusCode };
}
