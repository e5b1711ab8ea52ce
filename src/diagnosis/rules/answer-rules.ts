import {
  inputAskedFor,
  oneLine,
  readAnswer,
  refusesHost,
  saysItStarts,
  stateHeader,
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
  isYoung,
  lastLocation,
  listeningIn,
  outputDuring,
  passedTrials,
  provenChanges,
  type Rule,
  startupChange,
  successesBefore,
  trialOf,
} from '../attempt-context.js';
import { type Advice, advise } from '../change.js';
import type { Fault, Finding } from '../fault.js';
import { reportedError } from '../program-output.js';
import { errorAdvice, surroundingAdvice, waitAdvice } from '../surroundings.js';
import { NO_PATH } from '../trials.js';
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
      const proven = provenChanges(context, 'httpGet.protocol');
      const changes = proven.length > 0 ? proven : advise({ do: 'serveHTTP1', field });
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
  const { attempt, response } = context;
  const { reason, statusCode } = attempt;
  if (reason !== 'closed' && reason !== 'reset') return undefined;
  const scheme = provenChanges(context, 'httpGet.scheme');
  const speaks = context.spec.httpGet?.scheme === 'HTTPS' ? 'HTTP' : 'HTTPS';
  if (scheme.length > 0) return found({ kind: 'schemeMismatch', speaks }, scheme);
  const after = statusCode === undefined && response === '' ? 'nothing' : 'part';
  const before = successesBefore(context);
  const evidence = before === undefined ? [] : [before];
  const changes = before === undefined ? closingChange(context) : [];
  return found({ kind: 'closedEarly', after, reset: reason === 'reset' }, changes, { evidence });
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

/** A probe that has succeeded in this run has no wrong path, port or scheme. */
function flapping(context: AttemptContext, changes: Finding['changes'] = []): Finding | undefined {
  const before = successesBefore(context);
  if (before === undefined) return undefined;
  const { statusCode, reason = 'failed' } = context.attempt;
  return found({ kind: 'flapping', word: String(statusCode ?? reason) }, changes, {
    evidence: [before],
  });
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
  const scheme = provenChanges(context, 'httpGet.scheme');
  const otherwise = scheme.length > 0 ? scheme : advise({ do: 'noRedirect', field });
  return found(fault, forwardedChange(context, otherwise));
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
      if (text !== '' || proven.length > 0) {
        const changes = proven.length > 0 ? proven : accessChange(context, text);
        return found({ kind: 'forbidden', text }, changes);
      }
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
      const proven = provenChanges(context, 'httpGet.path').slice(0, 1);
      const otherwise = advise({ do: 'correct', fields, or: 'answer' });
      return found({ kind: 'errorAnswer', text }, proven.length > 0 ? proven : otherwise);
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
  const proven = provenChanges(context, 'httpGet.httpHeaders');
  const changes = proven.length > 0 ? proven : advise({ do: 'allowHost', field, host });
  return found({ kind: 'hostRejected', status, host }, changes);
}

function errorAnswer(
  context: AttemptContext,
  status: number,
  body: string,
  output: readonly string[],
): Finding {
  const { attempt } = context;
  if (attempt.evidence !== undefined) {
    const before = flapping(context);
    return (
      before ?? found({ kind: 'statusOnly', status, isReported: true }, advise({ do: 'onceKube' }))
    );
  }
  const { down, text } = readAnswer(body);
  const before = successesBefore(context);
  const [first] = down;
  const isSilent = first === undefined && text === '';
  const changes = fixChange(context, status, first?.text ?? text, isSilent);
  const evidence = before === undefined ? [] : [before];
  if (first !== undefined) {
    const parts = down.map(({ name }) => name);
    return found({ kind: 'dependencyDown', parts, text: first.text }, changes, { evidence });
  }
  if (text !== '') {
    // Without a success, the answers of a start are what the liveness probe counts.
    const start = before === undefined && saysItStarts(text) ? startupChange(context) : [];
    const proven = provenChanges(context, 'httpGet.path').slice(0, 1);
    return found({ kind: 'errorAnswer', text }, [...proven, ...start, ...changes], { evidence });
  }
  return silentAnswer(context, status, output, changes);
}

function fixChange(
  context: AttemptContext,
  status: number,
  text: string,
  isSilent: boolean,
): Finding['changes'] {
  const { probe, field, spec, container } = context;
  const isFirst = successesBefore(context) === undefined;
  const input = [400, 422].includes(status) && isFirst ? inputAskedFor(text) : undefined;
  if (input !== undefined) return advise({ do: 'sendInput', field, ...input });
  const isOfSurroundings = isFirst && probe.type !== 'liveness';
  const surrounding = isOfSurroundings ? surroundingAdvice(text, container.spec) : undefined;
  if (surrounding !== undefined) return advise(surrounding);
  const isStarting = isYoung(context) && saysItStarts(text);
  if (probe.type !== 'liveness' && isStarting && !isLate(context)) return [];
  // With a successThreshold, a failure is what keeps a container from ready.
  const passes = !isFirst && probe.type === 'readiness' && spec.successThreshold === 1;
  const isOfRequest = status < 500 || spec.httpGet?.path?.includes('?') === true;
  return advise({
    do: 'fixAnswer',
    probe: probe.type,
    ...(isSilent && { isSilent }),
    ...(passes && { passes }),
    ...(isOfRequest && { field }),
  });
}

/** Reports whether more than half of the failures that a startup probe allows are used up. */
function isLate({ probe, spec }: AttemptContext): boolean {
  const { resultRun = 0 } = probe.attempts.at(-1) ?? {};
  return probe.type === 'startup' && 2 * resultRun > spec.failureThreshold;
}

/** Finds what is known of an answer without a word: the log has the error. */
function silentAnswer(
  context: AttemptContext,
  status: number,
  output: readonly string[],
  changes: Finding['changes'],
): Finding {
  const { attempt, field, container } = context;
  const header = stateHeader(context.response);
  const logged = reportedError(output);
  if (logged === undefined && header !== undefined)
    return found({ kind: 'errorAnswer', text: header }, changes);
  if (logged !== undefined && /^limiting (?:requests|connections)\b/.test(logged.text)) {
    return found({ kind: 'rateLimited', status }, advise({ do: 'noLimit', field }));
  }
  if (logged !== undefined) {
    const { text: error, at } = logged;
    const fault = { kind: 'errorAnswer', text: oneLine(error), isLogged: true, at } as const;
    const advice = errorAdvice(logged, container.spec);
    // With 400 to 499, a server blames the request.
    const isOfRequest = advice.do === 'fixError' && status < 500;
    return found(fault, isOfRequest ? changes : advise(advice), { certainty: 'likely' });
  }
  // Not to be ready is no error for a program that logs why.
  const waits = (line: string): boolean => waitAdvice(line, container.spec) !== undefined;
  const text = output.findLast((line) => !/\b(?:GET|HEAD) \//.test(line) && waits(line));
  if (text !== undefined && status >= 500) {
    const fault = { kind: 'errorAnswer', text: oneLine(text), isLogged: true } as const;
    return found(fault, fixChange(context, status, text, false), { certainty: 'likely' });
  }
  if (status === 400 && passedTrials(context, `${field}.httpGet.httpHeaders`).length > 0) {
    return found(
      { kind: 'hostRejected', status, host: attempt.detail?.address ?? '' },
      provenChanges(context, 'httpGet.httpHeaders'),
    );
  }
  const isUnlogged = status === 500 && listeningIn(context)?.started === true;
  const advice = isUnlogged ? advise({ do: 'logErrors' }) : [];
  const fault = { kind: 'statusOnly', status, isReported: false } as const;
  return flapping(context, changes) ?? found(fault, advice);
}
