import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';
import {
  type Cause,
  type CauseContext,
  type CauseRule,
  changeTo,
  type EndedAttempt,
} from './cause.js';
import { badPortName, noAnswer, noConnection, refused } from './connection-cause.js';

/** Returns the cause of an attempt's failure, error or warning. */
export function attemptCause(
  { container, probe }: { readonly container: ContainerView; readonly probe: ProbeView },
  attempt: EndedAttempt,
): Cause | undefined {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined || (attempt.result === 'success' && attempt.error === undefined)) {
    return undefined;
  }
  const body = new TextDecoder().decode(attempt.detail?.body);
  const field = `${probe.type}Probe`;
  const context: CauseContext = { container, probe, spec, attempt, body, field };
  for (const rule of RULES) {
    const cause = rule(context);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

const execFailed: CauseRule = ({ spec, field, attempt: { exitCode, reason } }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  const correct = `Correct ${field}.exec.command, or add ${command} to the image`;
  const allow = `Make ${command} executable in the image`;
  if (exitCode === 126) {
    return { why: `exit 126: ${command} was found, but could not be run`, change: allow };
  }
  if (exitCode === 127) {
    return { why: `exit 127: ${command}, or what it calls, is not in the image`, change: correct };
  }
  if (exitCode === 137) {
    return { why: 'exit 137: the command was killed, by the system or with its container' };
  }
  if (reason === 'notFound') {
    const why = `${command} is not there: a probe's command has to be in the container's image`;
    return { why, change: correct };
  }
  if (reason === 'notPermitted') return { why: `${command} may not be run`, change: allow };
  if (reason !== 'timeout') return undefined;
  return {
    why: `the command takes longer than the timeout of ${spec.timeoutSeconds} s`,
    change: `Raise ${field}.timeoutSeconds`,
  };
};

const grpcFailed: CauseRule = ({ spec, field, attempt: { reason, detail } }) => {
  const { service = '' } = spec.grpc ?? {};
  switch (reason) {
    case 'unimplemented':
      return {
        why: 'the server speaks gRPC, but has no grpc.health.v1.Health service',
        change: `Add that service to the server, or use ${field}.tcpSocket`,
      };
    case 'unknownService':
      return service === ''
        ? {
            why: 'the health service knows no service without a name',
            change: `Set ${field}.grpc.service`,
          }
        : {
            why: `the health service does not know the service ${service}`,
            change: `Correct ${field}.grpc.service`,
          };
    case 'notServing':
      return {
        why: 'the server answers that it is not serving',
        change: `Let the server report SERVING${service === '' ? '' : ` for ${service}`} once it is ready`,
      };
    case 'notConnected':
      if (detail?.timings.connect === undefined) return undefined;
      return {
        why: 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1',
        change: `Correct ${field}.grpc.port, or serve health checks without TLS`,
      };
    default:
      return undefined;
  }
};

const wrongProtocol: CauseRule = ({ spec, field, attempt: { reason }, body }) => {
  if (reason === 'plainHTTP') {
    return {
      why: 'the port answers plain HTTP, the scheme is HTTPS',
      ...changeTo(`${field}.httpGet.scheme`, 'HTTP'),
    };
  }
  const saysTls = /HTTP request (?:was sent )?to an? HTTPS (?:server|port)/i.test(body);
  if (reason === 'speaksTLS' || (saysTls && spec.httpGet?.scheme !== 'HTTPS')) {
    return {
      why: 'the port answers TLS, the scheme is HTTP',
      ...changeTo(`${field}.httpGet.scheme`, 'HTTPS'),
    };
  }
  if (reason === 'speaksHTTP2') {
    return {
      why: 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1',
      change: `Serve HTTP/1.1 too, or use ${field}.grpc`,
    };
  }
  if (reason !== 'notHTTP') return undefined;
  return { why: 'the port answers, but not in HTTP', change: `Correct ${field}.httpGet.port` };
};

const redirected: CauseRule = ({ attempt, field }) => {
  const change = `Correct ${field}.httpGet.path`;
  if (attempt.reason === 'redirects') return { why: 'the path redirects in a circle', change };
  if (attempt.result !== 'warning') return undefined;
  const to = /^location: *(.+?)\r?$/im.exec(attempt.detail?.response ?? '')?.[1];
  return {
    why: `redirected${to === undefined ? '' : ` to ${to}`}: the kubelet does not follow to another host, and counts it as a success`,
  };
};

const httpStatus: CauseRule = ({ spec, field, attempt: { statusCode, error, evidence }, body }) => {
  if (statusCode === undefined || error !== undefined) return undefined;
  const correct = `Correct ${field}.httpGet.path`;
  switch (statusCode) {
    case 401:
    case 403:
      return {
        why: `the server wants credentials (${statusCode}): a probe sends only those in httpHeaders`,
        change: `Set ${field}.httpGet.httpHeaders, or serve the path without credentials`,
      };
    case 404:
      return {
        why: `the server answers, but has nothing at ${spec.httpGet?.path ?? '/'}`,
        change: correct,
      };
    case 405:
      return { why: 'the server does not accept GET there', change: correct };
  }
  if (evidence !== undefined) {
    return { why: '', change: 'kprobe once --kube shows what it answers: events leave that out' };
  }
  const quote = quoteBody(body);
  return quote === undefined ? quote : { why: `the answer says: ${quote}`, change: ADVICE[field] };
};

const ADVICE: Readonly<Record<string, string>> = {
  startupProbe: 'If it needs longer to start, raise startupProbe.failureThreshold',
  readinessProbe: 'Fix what the answer names; no field of the probe is wrong',
  livenessProbe: 'If a restart cannot fix that, check it in readinessProbe instead',
};

const MAX_QUOTE = 80;

/** Returns the first line, or the error or message of a JSON body. */
function quoteBody(body: string): string | undefined {
  const first = jsonMessage(body) ?? body.trim().split('\n')[0]?.trim() ?? '';
  if (first === '' || first.startsWith('<')) return undefined;
  return first.length > MAX_QUOTE ? `${first.slice(0, MAX_QUOTE)}…` : first;
}

const MESSAGE_FIELDS = ['error', 'message', 'detail', 'reason'];

function jsonMessage(body: string): string | undefined {
  try {
    let value: unknown = JSON.parse(body);
    // `{"error": {"message": "…"}}` is common, too.
    for (let depth = 0; depth < 2; depth += 1) {
      const object = new Map(Object.entries(value ?? {}));
      value = MESSAGE_FIELDS.map((name): unknown => object.get(name)).find(Boolean);
      if (typeof value === 'string') return value;
    }
  } catch {
    // The body is no JSON, or it was cut off.
  }
  return undefined;
}

/** The first that applies is the most telling. */
const RULES: readonly CauseRule[] = [
  execFailed,
  grpcFailed,
  wrongProtocol,
  redirected,
  httpStatus,
  badPortName,
  refused,
  noAnswer,
  noConnection,
];
