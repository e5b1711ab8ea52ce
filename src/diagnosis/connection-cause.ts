import { resolveContainerPort } from '../kubelet/prober/http-request.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { formatLatency } from '../text/duration.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import { verdictOfAttempt } from '../trace/summary/probe-view.js';
import { type CauseContext, type CauseRule, changeTo } from './cause.js';
import { takenPort } from './past-run.js';

export const badPortName: CauseRule = ({ container, spec, field, attempt }) => {
  const handler = spec.httpGet === undefined ? 'tcpSocket' : 'httpGet';
  const port = spec[handler]?.port;
  if (typeof port !== 'string' || attempt.error === undefined) return undefined;
  if (resolveContainerPort(port, container.spec).ok) return undefined;
  const declared = (container.spec.ports ?? []).map(
    ({ name, containerPort }) => name ?? String(containerPort),
  );
  const [proposed] = declared.length > 0 ? declared : printedPorts(container, attempt.run);
  const why = `no port of the container is named ${port}`;
  const portField = `${field}.${handler}.port`;
  if (proposed === undefined) {
    return { why, change: `Add a port named ${port} to ports, or set ${portField} to a number` };
  }
  if (declared.length < 2) return { why, ...changeTo(portField, portValue(proposed)) };
  return { why, change: `Set ${portField} to ${declared.join(' or ')}` };
};

export const refused: CauseRule = (context) => {
  const { attempt, spec, probe, container, field } = context;
  // The gRPC client tries until the timeout, and says only that.
  if (attempt.reason !== 'refused' && attempt.reason !== 'notConnected') return undefined;
  const address = attempt.detail?.address;
  const named = spec.httpGet?.port ?? spec.tcpSocket?.port ?? spec.grpc?.port ?? '';
  const own = portOf(address) ?? String(named);
  const where = address ?? `port ${own}`;
  const portField = `${field}.${spec.httpGet ? 'httpGet' : spec.tcpSocket ? 'tcpSocket' : 'grpc'}.port`;
  const lines = container.output.filter(({ run }) => run === attempt.run).map(({ text }) => text);
  const taken = takenPort(lines);
  if (taken !== undefined) {
    return { why: `nothing listens on ${where}: ${taken.why}`, change: taken.change };
  }
  const other = otherPort(context, own);
  if (other !== undefined) {
    return {
      why: `nothing listens on port ${own}${other.text}`,
      ...changeTo(portField, portValue(other.port)),
    };
  }
  const { ports = [] } = container.spec;
  const declared = ports.map(({ containerPort }) => String(containerPort));
  if (attempt.evidence !== undefined && declared.length > 0 && !declared.includes(own)) {
    return {
      why: `nothing listens on ${where}; the container declares port ${declared.join(', ')}`,
      change: `Correct ${portField}`,
    };
  }
  if (probe.attempts.some((one) => one.run === attempt.run && one.result === 'success')) {
    return {
      why: `nothing listens on ${where} any more: the server has ended, or closed its port`,
    };
  }
  return {
    why: `nothing listens on ${where}: not up yet, another port, or another address`,
    change: `Correct ${portField}, or ${container.spec.startupProbe === undefined ? 'add a startupProbe' : 'raise startupProbe.failureThreshold'} if it starts slowly`,
  };
};

/** A line in which a server prints its port, as most do when they start. */
const PRINTS_PORT =
  /\b(?:listen|serving|bound|started|running)\w*\b.*?(?:\bport\D{0,5}(\d{2,5})|:(\d{4,5})|\bon (\d{4,5})(?![-/]))(?![\d:]|\.\d)/i;

/** A port that answers another probe, or else one that the container's output mentions. */
function otherPort({ container, probe, attempt }: CauseContext, own: string) {
  const other = container.probes.find(
    (one) => one !== probe && one.attempts.at(-1)?.result === 'success',
  );
  const answering = portOf(other?.attempts.at(-1)?.detail?.address);
  if (other !== undefined && answering !== undefined && answering !== own) {
    return { port: answering, text: `, while the ${other.type} probe's port ${answering} answers` };
  }
  const printed = printedPorts(container, attempt.run);
  const last = printed.at(-1);
  return last === undefined || printed.includes(own)
    ? undefined
    : { port: last, text: `; the container's output mentions port ${last}` };
}

function printedPorts({ output }: ContainerView, inRun: number): string[] {
  return output
    .filter(({ run }) => run === inRun)
    .flatMap(({ text }) => PRINTS_PORT.exec(text)?.slice(1).filter(Boolean) ?? []);
}

function portValue(port: string): number | string {
  return /^\d+$/.test(port) ? Number(port) : port;
}

function portOf(address = ''): string | undefined {
  return /:(\d+)$/.exec(address)?.[1];
}

export const noAnswer: CauseRule = (context) => {
  const { spec, attempt, field } = context;
  if (attempt.reason !== 'timeout') return undefined;
  const timeout = `the timeout of ${spec.timeoutSeconds} s`;
  const { timings } = attempt.detail ?? {};
  const slowest = slowestAnswer(context);
  const enough = Math.max(spec.timeoutSeconds + 1, Math.ceil((1.5 * slowest) / 1000));
  const timeoutField = `${field}.timeoutSeconds`;
  const raise = changeTo(timeoutField, enough, `Raise ${timeoutField} to ${enough}`);
  if (timings?.firstByte !== undefined) {
    const began = formatLatency(timings.firstByte);
    const why = `the answer began after ${began}, but did not end within ${timeout}`;
    return { why, ...raise };
  }
  if (slowest > 500 * spec.timeoutSeconds) {
    const why = `answers took up to ${formatLatency(slowest)} before, and this one more than ${timeout}`;
    return { why, ...raise };
  }
  // A cluster's kubelet reports only where an HTTP attempt stood.
  const isAccepted = timings?.connect !== undefined || /awaiting headers/.test(attempt.output);
  if (attempt.evidence !== undefined && !isAccepted) {
    const change = `Answer sooner, or raise ${field}.timeoutSeconds`;
    return { why: `no answer within ${timeout}`, change };
  }
  if (!isAccepted) {
    const change = `Let the server accept connections sooner, or raise ${field}.timeoutSeconds`;
    return { why: `the connection was not accepted within ${timeout}`, change };
  }
  return {
    why: `the server accepts the connection, but does not answer within ${timeout}`,
    change: `Raise ${field}.timeoutSeconds above ${spec.timeoutSeconds}, or answer the probe without slow work`,
  };
};

/** Milliseconds of the slowest answer to this probe, or to another with the same handler. */
function slowestAnswer({ container, probe, spec }: CauseContext): number {
  const handler = JSON.stringify([spec.httpGet, spec.tcpSocket, spec.grpc]);
  const latencies = container.probes.flatMap((other) => {
    const { httpGet, tcpSocket, grpc } = probeOf(container.spec, other.type) ?? {};
    const isSame = JSON.stringify([httpGet, tcpSocket, grpc]) === handler;
    if (other !== probe && !isSame) return [];
    const answered = other.attempts.filter((one) => verdictOfAttempt(one) === 'success');
    return answered.map(({ latency }) => latency);
  });
  return Math.max(0, ...latencies);
}

export const noConnection: CauseRule = ({ attempt: { reason }, field }) => {
  if (reason === 'closed' || reason === 'reset') {
    return { why: 'the server accepts the connection, and closes it without an answer' };
  }
  if (reason !== 'noHost') return undefined;
  return {
    why: 'the host name does not resolve here; in a cluster it may',
    change: `Remove ${field}.httpGet.host, or correct it`,
  };
};
