import { type AttemptView, verdictOfAttempt } from '../../trace/summary/probe-view.js';
import { formatLatency } from '../text/duration.js';
import type { HintContext, HintRule } from './hint-context.js';

const badPortName: HintRule = ({ output }) => {
  const name = /strconv\.Atoi: parsing "([^"]*)": invalid syntax/.exec(output)?.[1];
  return name === undefined ? undefined : `no port of the container is named ${name}`;
};

const isRefused = ({ output, attempt, spec }: HintContext): boolean =>
  /connection refused/.test(output) ||
  // The gRPC client tries until the timeout, and says only that.
  (spec.grpc !== undefined &&
    /failed to connect service/.test(output) &&
    attempt.detail?.timings.connect === undefined);

const listensElsewhere: HintRule = (context) => {
  if (!isRefused(context)) return undefined;
  const { container, probe } = context;
  const own = portOf(context);
  const other = container.probes.find(
    (one) => one !== probe && one.attempts.at(-1)?.result === 'success',
  );
  const answering = /:(\d+)$/.exec(other?.attempts.at(-1)?.detail?.address ?? '')?.[1];
  return other === undefined || answering === undefined || answering === own
    ? undefined
    : `nothing listens on port ${own}, while the ${other.type} probe's port ${answering} answers: is the port right?`;
};

/** A line in which a server prints its port, as most do when they start. */
const PRINTS_PORT =
  /\b(?:listen|serving|bound|started|running)\w*\b.*?(?:\bport\D{0,5}(\d{2,5})|:(\d{4,5})|\bon (\d{4,5})(?![-/]))(?![\d:]|\.\d)/i;

const printsAnotherPort: HintRule = (context) => {
  if (!isRefused(context)) return undefined;
  const { container, attempt } = context;
  const own = portOf(context);
  const told = container.output
    .filter(({ run }) => run === attempt.run)
    .flatMap(({ text }) => PRINTS_PORT.exec(text)?.slice(1).filter(Boolean) ?? []);
  const other = told.at(-1);
  return other === undefined || told.includes(own)
    ? undefined
    : `nothing listens on port ${own}; the container's output mentions port ${other}: is the port right?`;
};

const refused: HintRule = (context) => {
  if (!isRefused(context)) return undefined;
  const { attempt, probe } = context;
  const address = attempt.detail?.address ?? `port ${portOf(context)}`;
  const worked = probe.attempts.some((one) => one.run === attempt.run && one.result === 'success');
  return worked
    ? `nothing listens on ${address} any more: the server has ended, or closed its port`
    : `nothing listens on ${address}: not up yet, another port, or another address`;
};

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

function isSuccess(attempt: AttemptView): boolean {
  return verdictOfAttempt(attempt) === 'success';
}

const closed: HintRule = ({ output }) =>
  /EOF|connection reset/.test(output)
    ? 'the server accepts the connection, and closes it without an answer'
    : undefined;

const noHost: HintRule = ({ output }) =>
  /no such host/.test(output)
    ? 'the host name does not resolve here; in a cluster it may'
    : undefined;

function portOf({ attempt, spec }: HintContext): string {
  const named = spec.httpGet?.port ?? spec.tcpSocket?.port ?? spec.grpc?.port ?? '';
  return /:(\d+)$/.exec(attempt.detail?.address ?? '')?.[1] ?? String(named);
}

export const NETWORK_HINTS: readonly HintRule[] = [
  badPortName,
  listensElsewhere,
  printsAnotherPort,
  refused,
  noAnswer,
  closed,
  noHost,
];
