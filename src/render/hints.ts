import type { Probe } from '../api/index.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import { type AttemptView, type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { formatLatency } from './text/duration.js';

interface HintContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: AttemptView;
  readonly output: string;
  /** The response's head and body, as far as they are known. */
  readonly response: string;
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
  const { detail, error, output } = attempt;
  const context: HintContext = {
    container,
    probe,
    spec,
    attempt,
    output: error ?? output,
    response: detail?.response ?? '',
    body: new TextDecoder().decode(detail?.body),
  };
  for (const rule of RULES) {
    const hint = rule(context);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

function isSuccess(attempt: AttemptView): boolean {
  return verdictOfAttempt(attempt) === 'success';
}

const execFailed: HintRule = ({ spec, response, output }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  const exit = /^exit code (\d+)$/.exec(response)?.[1];
  if (exit === '126') return `exit 126: ${command} was found, but could not be run`;
  if (exit === '127') return `exit 127: ${command}, or what it calls, is not in the image`;
  if (exit === '137')
    return 'exit 137: the command was killed, by the system or with its container';
  if (/executable file not found|no such file or directory/.test(output)) {
    return `${command} is not there: a probe's command has to be in the container's image`;
  }
  if (/permission denied/.test(output)) return `${command} may not be run`;
  return /timed out/.test(output)
    ? `the command takes longer than the timeout of ${spec.timeoutSeconds} s`
    : undefined;
};

const grpcFailed: HintRule = ({ spec, output, attempt }) => {
  if (spec.grpc === undefined) return undefined;
  const { service = '' } = spec.grpc;
  if (/does not implement the grpc health protocol/.test(output)) {
    return 'the server speaks gRPC, but has no grpc.health.v1.Health service';
  }
  if (/NotFound|SERVICE_UNKNOWN/.test(output)) {
    return service === ''
      ? 'the health service knows no service without a name: set grpc.service'
      : `the health service does not know the service ${service}`;
  }
  if (/NOT_SERVING/.test(output)) return 'the server answers that it is not serving';
  return /failed to connect service/.test(output) && attempt.detail?.timings.connect !== undefined
    ? 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1'
    : undefined;
};

const wrongProtocol: HintRule = ({ spec, output, body }) => {
  if (/server gave HTTP response to HTTPS client/.test(output)) {
    return 'the port answers plain HTTP, the scheme is HTTPS';
  }
  if (spec.httpGet === undefined) return undefined;
  const isTlsAlert = /malformed HTTP response "\\x15\\x03/.test(output);
  const saysTls = /HTTP request (?:was sent )?to an? HTTPS (?:server|port)/i.test(body);
  if (spec.httpGet.scheme !== 'HTTPS' && (isTlsAlert || saysTls)) {
    return 'the port answers TLS, the scheme is HTTP: set scheme: HTTPS';
  }
  if (/malformed HTTP response "\\x00\\x00/.test(output)) {
    return 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1';
  }
  return /malformed HTTP/.test(output)
    ? 'the port answers, but not in HTTP: is it the right one?'
    : undefined;
};

const redirected: HintRule = ({ attempt, response, output }) => {
  if (/stopped after \d+ redirects/.test(output)) return 'the path redirects in a circle';
  if (attempt.result !== 'warning') return undefined;
  const to = /^location: *(.+?)\r?$/im.exec(response)?.[1];
  return `redirected${to === undefined ? '' : ` to ${to}`}: the kubelet does not follow to another host, and counts it as a success`;
};

const httpStatus: HintRule = ({ spec, output, body }) => {
  const code = Number(/statuscode: (\d+)/.exec(output)?.[1]);
  switch (code) {
    case 401:
    case 403:
      return `the server wants credentials (${code}): a probe sends only those in httpHeaders`;
    case 404:
      return `the server answers, but has nothing at ${spec.httpGet?.path ?? '/'}: is the path right?`;
    case 405:
      return 'the server does not accept GET there';
    default:
      return Number.isNaN(code) ? undefined : bodyHint(body);
  }
};

const MAX_QUOTE = 80;

/** The kubelet's event leaves out the body. */
function bodyHint(body: string): string | undefined {
  const first = body.trim().split('\n')[0]?.trim() ?? '';
  if (first === '' || first.startsWith('<')) return undefined;
  return `the answer says: ${first.length > MAX_QUOTE ? `${first.slice(0, MAX_QUOTE)}…` : first}`;
}

const badPortName: HintRule = ({ output }) => {
  const name = /strconv\.Atoi: parsing "([^"]*)": invalid syntax/.exec(output)?.[1];
  return name === undefined ? undefined : `no port of the container is named ${name}`;
};

const refused: HintRule = (context) => {
  const { output, attempt, spec, probe } = context;
  const isRefused =
    /connection refused/.test(output) ||
    // The gRPC client tries until the timeout, and says only that.
    (spec.grpc !== undefined &&
      /failed to connect service/.test(output) &&
      attempt.detail?.timings.connect === undefined);
  if (!isRefused) return undefined;
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

const noAnswer: HintRule = ({ output, spec, attempt, probe }) => {
  if (!/deadline exceeded|i\/o timeout|did not complete within/.test(output)) return undefined;
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

const noConnection: HintRule = ({ output }) => {
  if (/EOF|connection reset/.test(output)) {
    return 'the server accepts the connection, and closes it without an answer';
  }
  return /no such host/.test(output)
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
