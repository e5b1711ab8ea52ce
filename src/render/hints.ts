import type { Probe } from '../api/index.js';
import { resolveContainerPort } from '../kubelet/prober/http-request.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import { type AttemptView, type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { formatLatency } from './text/duration.js';

interface HintContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: AttemptView;
  /** As far as it is known. */
  readonly body: string;
}

/** Returns undefined where it does not apply. */
type HintRule = (context: HintContext) => string | undefined;

export function hintFor(
  { container, probe }: { readonly container: ContainerView; readonly probe: ProbeView },
  attempt: AttemptView,
): string | undefined {
  const spec = probeOf(container.spec, probe.type);
  const isPlainSuccess = isSuccess(attempt) && attempt.result !== 'warning';
  if (spec === undefined || isPlainSuccess) return undefined;
  const body = new TextDecoder().decode(attempt.detail?.body);
  const context: HintContext = { container, probe, spec, attempt, body };
  for (const rule of RULES) {
    const hint = rule(context);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

function isSuccess(attempt: AttemptView): boolean {
  return verdictOfAttempt(attempt) === 'success';
}

const execFailed: HintRule = ({ spec, attempt: { exitCode, reason } }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  if (exitCode === 126) return `exit 126: ${command} was found, but could not be run`;
  if (exitCode === 127) return `exit 127: ${command}, or what it calls, is not in the image`;
  if (exitCode === 137) {
    return 'exit 137: the command was killed, by the system or with its container';
  }
  if (reason === 'notFound') {
    return `${command} is not there: a probe's command has to be in the container's image`;
  }
  if (reason === 'notPermitted') return `${command} may not be run`;
  return reason === 'timeout'
    ? `the command takes longer than the timeout of ${spec.timeoutSeconds} s`
    : undefined;
};

const grpcFailed: HintRule = ({ spec, attempt: { reason, detail } }) => {
  const { service = '' } = spec.grpc ?? {};
  switch (reason) {
    case 'unimplemented':
      return 'the server speaks gRPC, but has no grpc.health.v1.Health service';
    case 'unknownService':
      return service === ''
        ? 'the health service knows no service without a name: set grpc.service'
        : `the health service does not know the service ${service}`;
    case 'notServing':
      return 'the server answers that it is not serving';
    case 'notConnected':
      return detail?.timings.connect === undefined
        ? undefined
        : 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1';
    default:
      return undefined;
  }
};

const wrongProtocol: HintRule = ({ spec, attempt: { reason }, body }) => {
  if (reason === 'plainHTTP') return 'the port answers plain HTTP, the scheme is HTTPS';
  const saysTls = /HTTP request (?:was sent )?to an? HTTPS (?:server|port)/i.test(body);
  if (reason === 'speaksTLS' || (saysTls && spec.httpGet?.scheme !== 'HTTPS')) {
    return 'the port answers TLS, the scheme is HTTP: set scheme: HTTPS';
  }
  if (reason === 'speaksHTTP2') return 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1';
  return reason === 'notHTTP'
    ? 'the port answers, but not in HTTP: is it the right one?'
    : undefined;
};

const redirected: HintRule = ({ attempt }) => {
  if (attempt.reason === 'redirects') return 'the path redirects in a circle';
  if (attempt.result !== 'warning') return undefined;
  const to = /^location: *(.+?)\r?$/im.exec(attempt.detail?.response ?? '')?.[1];
  return `redirected${to === undefined ? '' : ` to ${to}`}: the kubelet does not follow to another host, and counts it as a success`;
};

const httpStatus: HintRule = ({ spec, attempt: { statusCode, error }, body }) => {
  if (statusCode === undefined || error !== undefined) return undefined;
  switch (statusCode) {
    case 401:
    case 403:
      return `the server wants credentials (${statusCode}): a probe sends only those in httpHeaders`;
    case 404:
      return `the server answers, but has nothing at ${spec.httpGet?.path ?? '/'}: is the path right?`;
    case 405:
      return 'the server does not accept GET there';
    default:
      return bodyHint(body);
  }
};

const MAX_QUOTE = 80;

/** The kubelet's event leaves out the body. */
function bodyHint(body: string): string | undefined {
  const first = body.trim().split('\n')[0]?.trim() ?? '';
  if (first === '' || first.startsWith('<')) return undefined;
  return `the answer says: ${first.length > MAX_QUOTE ? `${first.slice(0, MAX_QUOTE)}…` : first}`;
}

const badPortName: HintRule = ({ container, spec, attempt }) => {
  const port = spec.httpGet?.port ?? spec.tcpSocket?.port;
  if (typeof port !== 'string' || attempt.error === undefined) return undefined;
  return resolveContainerPort(port, container.spec).ok
    ? undefined
    : `no port of the container is named ${port}`;
};

const refused: HintRule = (context) => {
  const { attempt, spec, probe } = context;
  // The gRPC client tries until the timeout, and says only that.
  if (attempt.reason !== 'refused' && attempt.reason !== 'notConnected') return undefined;
  const address = attempt.detail?.address;
  const named = spec.httpGet?.port ?? spec.tcpSocket?.port ?? spec.grpc?.port ?? '';
  const own = portOf(address) ?? String(named);
  const other = otherPort(context, own);
  if (other !== undefined) return `nothing listens on port ${own}${other}: is the port right?`;
  const worked = probe.attempts.some((one) => one.run === attempt.run && one.result === 'success');
  return worked
    ? `nothing listens on ${address ?? `port ${own}`} any more: the server has ended, or closed its port`
    : `nothing listens on ${address ?? `port ${own}`}: not up yet, another port, or another address`;
};

/** A line in which a server prints its port, as most do when they start. */
const PRINTS_PORT =
  /\b(?:listen|serving|bound|started|running)\w*\b.*?(?:\bport\D{0,5}(\d{2,5})|:(\d{4,5})|\bon (\d{4,5})(?![-/]))(?![\d:]|\.\d)/i;

/** A port that answers another probe, or else one that the container's output mentions. */
function otherPort({ container, probe, attempt }: HintContext, own: string): string | undefined {
  const other = container.probes.find(
    (one) => one !== probe && one.attempts.at(-1)?.result === 'success',
  );
  const answering = portOf(other?.attempts.at(-1)?.detail?.address);
  if (other !== undefined && answering !== undefined && answering !== own) {
    return `, while the ${other.type} probe's port ${answering} answers`;
  }
  const printed = container.output
    .filter(({ run }) => run === attempt.run)
    .flatMap(({ text }) => PRINTS_PORT.exec(text)?.slice(1).filter(Boolean) ?? []);
  const last = printed.at(-1);
  return last === undefined || printed.includes(own)
    ? undefined
    : `; the container's output mentions port ${last}`;
}

function portOf(address = ''): string | undefined {
  return /:(\d+)$/.exec(address)?.[1];
}

const noAnswer: HintRule = ({ spec, attempt, probe }) => {
  if (attempt.reason !== 'timeout') return undefined;
  const timeout = `the timeout of ${spec.timeoutSeconds} s`;
  const { timings } = attempt.detail ?? {};
  if (timings?.firstByte !== undefined) {
    return `the answer began after ${formatLatency(timings.firstByte)}, but did not end within ${timeout}`;
  }
  const slowest = Math.max(0, ...probe.attempts.filter(isSuccess).map((one) => one.latency));
  if (slowest > 500 * spec.timeoutSeconds) {
    return `answers took up to ${formatLatency(slowest)} before, and this one more than ${timeout}: raise timeoutSeconds?`;
  }
  return timings?.connect === undefined
    ? `the connection was not accepted within ${timeout}`
    : `the server accepts the connection, but does not answer within ${timeout}`;
};

const noConnection: HintRule = ({ attempt: { reason } }) => {
  if (reason === 'closed' || reason === 'reset') {
    return 'the server accepts the connection, and closes it without an answer';
  }
  return reason === 'noHost'
    ? 'the host name does not resolve here; in a cluster it may'
    : undefined;
};

/** The first that applies is the most telling. */
const RULES: readonly HintRule[] = [
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
