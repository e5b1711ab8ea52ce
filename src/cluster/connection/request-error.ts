import { isObject, tryParseJson } from '../../api/index.js';
import { ClusterError, type ClusterErrorCode } from '../cluster-error.js';
import { isClusterWide } from '../resources.js';

const CODES: Readonly<Record<number, ClusterErrorCode>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  410: 'expired',
  422: 'invalid',
  429: 'busy',
  503: 'busy',
  504: 'timeout',
};

/** A metav1.Status. */
export interface Status {
  readonly kind?: string;
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string }[];
  };
}

/** Returns the error of an answer, with the message of its Status or its text. */
export function answerError(
  code: number,
  body: string,
  base: URL,
  retryAfter?: string | string[],
): ClusterError {
  const seconds = Number(retryAfter ?? NaN);
  const status = { ...parseStatus(body), code };
  return errorOfStatus(status, base, Number.isNaN(seconds) ? undefined : seconds);
}

export function errorOfStatus(
  { code = 500, message, details }: Status,
  base: URL,
  retryAfterSeconds = details?.retryAfterSeconds,
): ClusterError {
  const text = message ?? `HTTP ${code}`;
  const kind = CODES[code] ?? 'failed';
  if (kind === 'unauthorized') {
    const problem = 'the credentials are missing, wrong or expired';
    return new ClusterError(kind, `${base.origin}: ${problem} (${text})`);
  }
  const denied = kind === 'forbidden' ? denial(text) : undefined;
  const detail = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds * 1000 };
  return denied ?? new ClusterError(kind, text, detail);
}

function parseStatus(body: string): Status {
  const status = tryParseJson(body);
  if (isObject(status) && status['kind'] === 'Status') return status;
  // A proxy or a kubelet answers with text.
  const line = body.trim().split('\n')[0]?.slice(0, 300) ?? '';
  return line === '' || /^[<{[]/.test(line) ? {} : { message: line };
}

const DENIAL =
  /User "(?<user>.*?)" cannot (?<verb>\S+) resource "(?<resource>\S+)" in API group "(?<group>\S*)"(?: in the namespace "(?<namespace>[^"]*)")?/;

const KUBELET_DENIAL =
  /^Forbidden \(user=(?<user>.*?), verb=(?<verb>\w+), resource=nodes, subresource(?:\(s\))?=\[?(?<subresource>[\w, ]+)/;

/** Names verb, resource and namespace of an RBAC denial, with the rule that would allow the request. */
function denial(message: string): ClusterError | undefined {
  const kubelet = KUBELET_DENIAL.exec(message)?.groups;
  if (kubelet !== undefined) {
    const { user = '', verb = '', subresource = '' } = kubelet;
    const resource = `nodes/${subresource.split(',')[0] ?? ''}`;
    const text = `user "${user}" may not ${verb} ${resource}`;
    return new ClusterError('forbidden', text, { rule: ruleFor('', resource) });
  }
  const groups = DENIAL.exec(message)?.groups;
  if (groups === undefined) return undefined;
  const { user = '', verb = '', resource = '', group = '', namespace } = groups;
  const everywhere = isClusterWide(resource) ? '' : ' in all namespaces';
  const where = namespace === undefined ? everywhere : ` in namespace "${namespace}"`;
  const full = group === '' ? resource : `${resource}.${group}`;
  const who = `user "${user}"${user === 'system:anonymous' ? ' (no credentials)' : ''}`;
  const text = `${who} may not ${verb} ${full}${where}`;
  return new ClusterError('forbidden', text, { rule: ruleFor(group, resource) });
}

/** Returns the rule that kprobe needs for a resource. */
function ruleFor(group: string, resource: string): string {
  const isCreated = resource === 'pods/exec' || resource === 'pods/portforward';
  const isOne = resource.includes('/') || resource === 'nodes';
  const verbs = isCreated ? '["get", "create"]' : isOne ? '["get"]' : '["get", "list", "watch"]';
  return `- apiGroups: ["${group}"]\n  resources: ["${resource}"]\n  verbs: ${verbs}\n`;
}

const UNTRUSTED =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID|INVALID_CA|HOSTNAME_MISMATCH)/;

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name does not resolve',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EPIPE: 'connection closed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped for 60 s',
  UND_ERR_SOCKET: 'connection closed',
};

/** Turns the error of a request into a ClusterError; leaves ClusterErrors and aborts. `timeout` is the wait for the answer, in milliseconds. */
export function connectionError(error: unknown, base: URL, timeout: number): Error {
  if (!(error instanceof Error)) return new ClusterError('failed', String(error));
  if (error instanceof ClusterError || error.name === 'AbortError') return error;
  const cause = rootCause(error);
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  // undici asserts that no interim answer is the last one.
  if (error instanceof SyntaxError || code === 'ERR_ASSERTION') return notAPI(base);
  if (UNTRUSTED.test(code)) {
    const problem = `the certificate of the server does not verify: ${cause.message}`;
    return new ClusterError('untrusted', `${base.origin}: ${problem}`);
  }
  const problem =
    code === 'UND_ERR_HEADERS_TIMEOUT'
      ? `no answer within ${timeout / 1000} s`
      : (UNREACHABLE[code] ?? cause.message);
  return new ClusterError('unreachable', `${base.origin} cannot be reached: ${problem}`);
}

/** Returns the error about a server whose answer is none of an API server. */
export function notAPI({ origin }: URL): ClusterError {
  return new ClusterError('failed', `${origin} does not answer as an API server does`);
}

/** Returns the innermost error, which has the code: undici and attempts at several addresses wrap it. */
function rootCause(error: Error): Error {
  const inner: unknown =
    error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  return inner instanceof Error ? rootCause(inner) : error;
}
