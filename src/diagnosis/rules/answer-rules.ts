import {
  inputAskedFor,
  oneLine,
  readAnswer,
  refusesHost,
  upgradeHeader,
  wantsCertificate,
  wantsTls,
} from '../answer.js';
import {
  type AttemptContext,
  fieldChange,
  found,
  handlerChange,
  hostHeader,
  lastLocation,
  outputDuring,
  provenChanges,
  provenOr,
  type Rule,
  successesBefore,
  trialOf,
} from '../attempt-context.js';
import { type Advice, advise } from '../change.js';
import type { Fault, Finding } from '../fault.js';
import { reportedError } from '../output/program-output.js';
import { surroundingAdvice } from '../surroundings.js';
import { NO_PATH } from '../trials.js';
import { errorAnswer, flapping } from './error-answer.js';
import { notFound } from './not-found-rule.js';

export const wrongProtocol: Rule = (context) => {
  const { spec, field, attempt, body } = context;
  const { reason } = attempt;
  if (lastLocation(context) !== undefined) return undefined;
  const speaks =
    reason === 'plainHTTP'
      ? 'HTTP'
      : reason === 'speaksTLS' || (wantsTls(body) && spec.httpGet?.scheme !== 'HTTPS')
        ? 'HTTPS'
        : undefined;
  if (wantsCertificate(body)) return clientCertificate(context);
  if (speaks !== undefined) {
    return (
      flapping(context) ??
      found({ kind: 'schemeMismatch', speaks }, [fieldChange(context, 'httpGet.scheme', speaks)])
    );
  }
  switch (reason) {
    case 'speaksHTTP2': {
      const changes = provenOr(context, 'httpGet.protocol', { do: 'serveHTTP1', field });
      return found({ kind: 'onlyHTTP2' }, changes);
    }
    case 'notHTTP':
      return otherProtocol(context, /malformed HTTP .*/.exec(attempt.output)?.[0]);
    case 'badHTTP': {
      const text = (attempt.error ?? attempt.output).replace(/^.* connection broken: /, '');
      return found({ kind: 'badHTTP', text: oneLine(text) }, advise({ do: 'fixResponse' }));
    }
    case 'tls':
      return tlsFault(context);
    default:
      return undefined;
  }
};

function otherProtocol(context: AttemptContext, text: string | undefined): Finding {
  const fields = [`${context.field}.httpGet.port`];
  const changes = advise({ do: 'correct', fields, or: 'tcp' });
  return flapping(context) ?? found({ kind: 'notHTTP', text }, changes);
}

/** Alerts that a server sends to a client without a certificate (RFC 8446, section 6), as Go names them. */
const CERTIFICATE = /certificate required|bad certificate|alert number (?:42|116)\b/i;

const VERSION = /protocol version/i;
const NAME = /handshake failure|unrecognized name/i;

function clientCertificate({ field }: AttemptContext): Finding {
  return found({ kind: 'clientCertificate' }, advise({ do: 'noClientCertificate', field }));
}

function tlsFault(context: AttemptContext): Finding {
  const { attempt, field } = context;
  const { output, error } = attempt;
  const text = oneLine((error ?? output).replace(/^.*?\b((?:remote error: )?tls: |x509: )/, '$1'));
  if (CERTIFICATE.test(text)) return clientCertificate(context);
  if (text.includes('first record does not look like')) return otherProtocol(context, text);
  // `version`: the server wants a version of TLS that Go does not offer. `name`: it has no certificate for the name.
  const is = VERSION.test(text) ? 'version' : NAME.test(text) ? 'name' : undefined;
  const changes = is === undefined ? [] : advise({ do: 'acceptTls', field, is });
  return found({ kind: 'tlsRefused', text }, changes);
}

export const closedEarly: Rule = (context) => {
  const { attempt, response, spec } = context;
  const { reason, statusCode, detail } = attempt;
  if (reason !== 'closed' && reason !== 'reset') return undefined;
  const scheme = provenChanges(context, 'httpGet.scheme');
  const speaks = spec.httpGet?.scheme === 'HTTPS' ? 'HTTP' : 'HTTPS';
  if (scheme.length > 0) return found({ kind: 'schemeMismatch', speaks }, scheme);
  // What stands for a gRPC response is the status that its client makes of it.
  const head = spec.grpc === undefined ? response : (detail?.timings.firstByte ?? '');
  const after = statusCode === undefined && head === '' ? 'nothing' : 'part';
  const before = successesBefore(context);
  const changes = before === undefined ? closingChange(context) : [];
  const fault = { kind: 'closedEarly', after, reset: reason === 'reset' } as const;
  return found(fault, changes, { evidence: [before] });
};

/** Returns what helps against a connection that is closed early: the length if the body is shorter than announced, else what a trial proved. */
function closingChange(context: AttemptContext): Finding['changes'] {
  const { attempt, response } = context;
  const length = Number(/^content-length: *(\d+)/im.exec(response)?.[1] ?? 0);
  const came = attempt.detail?.body?.length ?? 0;
  if (came < length && attempt.reason === 'closed')
    return advise({ do: 'correctLength', length, came });
  const ports = provenChanges(context, 'httpGet.port');
  if (ports.length === 1) return ports;
  const headers = provenChanges(context, 'httpGet.httpHeaders');
  if (headers.length > 0) return headers;
  const handler = handlerChange(context);
  // A server that closes whatever is asked may not speak HTTP at all.
  const { result } = trialOf(context, `${context.field}.httpGet.path`, NO_PATH.to) ?? {};
  const isForAll = handler.length === 0 && result === 'failure';
  const fields = [`${context.field}.httpGet.port`];
  return isForAll ? advise({ do: 'correct', fields, or: 'tcp' }) : handler;
}

export const redirected: Rule = (context) => {
  const { attempt, field, spec } = context;
  const to = lastLocation(context);
  if (spec.httpGet === undefined) return undefined;
  const path = advise({ do: 'correct', fields: [`${field}.httpGet.path`] });
  if (attempt.reason === 'redirects')
    return found({ kind: 'redirect', to: to ?? '', end: 'circle' }, forwardedChange(context, path));
  if (attempt.result === 'warning')
    return found(
      { kind: 'redirect', to: to ?? '', end: 'otherHost' },
      forwardedChange(context, advise({ do: 'noRedirect', field })),
    );
  const isMissing = attempt.statusCode === 404;
  if (to === undefined || (attempt.statusCode !== undefined && !isMissing)) return undefined;
  const before = isMissing ? flapping(context) : undefined;
  if (before !== undefined) return before;
  const defaultPort = defaultPortOf(to);
  const end = isMissing ? 'notFound' : (REDIRECT_ENDS[attempt.reason ?? 'other'] ?? 'failed');
  const port = defaultPort === undefined ? {} : { defaultPort };
  const fault: Fault = { kind: 'redirect', to, end, ...port };
  const scheme = provenOr(context, 'httpGet.scheme', { do: 'noRedirect', field });
  return found(fault, forwardedChange(context, scheme));
};

const REDIRECT_ENDS: Partial<Record<string, 'refused' | 'plainHTTP'>> = {
  refused: 'refused',
  plainHTTP: 'plainHTTP',
};

/**
 * Returns the change with which a trial was not redirected: the path that the redirect leads to, or a header by which a
 * server takes the request for one that a proxy has decrypted.
 */
function forwardedChange(
  context: AttemptContext,
  otherwise: Finding['changes'],
): Finding['changes'] {
  const path = provenChanges(context, 'httpGet.path');
  const proven = path.length > 0 ? path : provenChanges(context, 'httpGet.httpHeaders');
  return proven.length > 0 ? proven : otherwise;
}

function defaultPortOf(location: string): number | undefined {
  if (!URL.canParse(location)) return undefined;
  const { protocol, port } = new URL(location);
  if (port !== '') return undefined;
  return protocol === 'https:' ? 443 : 80;
}

/** The kubelet replaces `$(NAME)` in command, args and env alone. */
export const literalVariable: Rule = (context) => {
  const { spec, field, attempt } = context;
  const { path = '/', httpHeaders = [] } = spec.httpGet ?? {};
  if ((attempt.statusCode ?? 0) < 400 || successesBefore(context) !== undefined) return undefined;
  const named = [['path', path], ...httpHeaders.map(({ value }) => ['httpHeaders', value])];
  for (const [name = '', text = ''] of named) {
    const words = text.match(/\$(?:\(\w+\)|\{\w+\}|[A-Z]\w+)/g);
    if (words === null) continue;
    const changes = advise({ do: 'correct', fields: [`${field}.httpGet.${name}`] });
    return found({ kind: 'notExpanded', words, isField: true }, changes, { certainty: 'likely' });
  }
  return undefined;
};

export const httpStatus: Rule = (context) => {
  const { field, attempt, body } = context;
  const { statusCode: status, error } = attempt;
  if (status === undefined || error !== undefined) return undefined;
  const output = outputDuring(context);
  const rejected = hostFault(context, status, output);
  if (rejected !== undefined) return rejected;
  const before = [401, 403, 404, 405].includes(status) ? flapping(context) : undefined;
  if (before !== undefined) return before;
  const isUpgrade = status === 426 || (status === 400 && /\bweb-?socket\b/i.test(body));
  if (status === 405 || isUpgrade) {
    const or = isUpgrade ? 'tcp' : undefined;
    const text = status === 426 ? upgradeHeader(context.response) : undefined;
    const name = text !== undefined && /\bTLS\b/i.test(text) ? 'scheme' : 'path';
    const fault: Fault =
      text === undefined ? { kind: 'methodNotAllowed' } : { kind: 'errorAnswer', text };
    return found(fault, advise({ do: 'correct', fields: [`${field}.httpGet.${name}`], or }));
  }
  switch (status) {
    case 401:
      return found({ kind: 'noCredentials', status }, accessChange(context, readAnswer(body).text));
    case 403: {
      const { text } = readAnswer(body);
      const proven = provenChanges(context, 'httpGet.httpHeaders');
      if (proven.length > 0) return found({ kind: 'forbidden', text }, proven);
      if (text !== '') return found({ kind: 'forbidden', text }, accessChange(context, text));
      const logged = reportedError(output.filter((line) => DENIED.test(line)))?.text ?? '';
      const advice: Advice = NO_INDEX.test(logged)
        ? { do: 'correct', fields: [`${field}.httpGet.path`] }
        : (surroundingAdvice(logged, context.container.spec) ?? { do: 'allowPath', field });
      return found({ kind: 'forbidden', text: oneLine(logged) }, advise(advice));
    }
    case 404:
      return notFound(context);
    case 406:
    case 431: {
      const fields = [`${field}.httpGet.httpHeaders`];
      return found({ kind: 'headersRefused', status }, advise({ do: 'correct', fields }));
    }
    case 429: {
      const { text } = readAnswer(body);
      if (text === '' || LIMITED.test(text))
        return found({ kind: 'rateLimited', status }, advise({ do: 'noLimit', field }));
      const fields = [`${field}.httpGet.path`];
      const changes = provenOr(context, 'httpGet.path', { do: 'correct', fields, or: 'answer' });
      return found({ kind: 'errorAnswer', text }, changes.slice(0, 1));
    }
    default:
      return errorAnswer(context, status, body, output);
  }
};

const LIMITED =
  /\b(?:rate|limit\w*|quota|thrott\w+|too (?:many|fast)|slow down|retry|requests?)\b/i;

/** Returns what gives a probe access: a header that the answer names, or credentials. */
function accessChange({ field, attempt }: AttemptContext, text: string): Finding['changes'] {
  const input = inputAskedFor(text);
  if (input !== undefined) return advise({ do: 'sendInput', field, ...input });
  return advise({ do: attempt.statusCode === 401 ? 'credentials' : 'allowPath', field });
}

/** Texts of nginx and Apache about a folder without a page of its own. */
const NO_INDEX = /directory ?index/i;
const DENIED = /forbidden|denied|not permitted/i;

function hostFault(
  context: AttemptContext,
  status: number,
  output: readonly string[],
): Finding | undefined {
  const { field, body } = context;
  const isRefused =
    status === 421 ||
    ([400, 403, 404].includes(status) && (refusesHost(body) || output.some(refusesHost)));
  if (!isRefused) return undefined;
  const host = hostHeader(context);
  const before = flapping(context);
  if (before !== undefined) return before;
  const changes = provenOr(context, 'httpGet.httpHeaders', { do: 'allowHost', field, host });
  return found({ kind: 'hostRejected', status, host }, changes);
}
