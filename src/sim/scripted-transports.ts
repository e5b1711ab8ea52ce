import { type Clock, sleep } from '../clock/clock.js';
import { toByteString, toText } from '../go/byte-string.js';
import { formatDuration } from '../go/duration.js';
import type { HttpRequest } from '../go/http/request.js';
import { stripPassword } from '../go/url.js';
import { parseContainerID } from '../kubelet/pod-name.js';
import type {
  FailureReason,
  ProbeOutcome,
  ProbeTarget,
  ProbeTransports,
} from '../kubelet/ports.js';
import { httpOutcome } from '../kubelet/prober/http-request.js';
import { grpcEndpoint, httpEndpoint, tcpEndpoint } from './endpoint.js';
import type { NetworkResponse } from './scenario.js';
import type { RequestEnd, ScriptedContainer } from './scripted-container.js';

type FindContainer = (id: string) => ScriptedContainer | undefined;

const SUCCESS: ProbeOutcome = { result: 'success', output: '' };
const TIMEOUT = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

/** Returns transports that answer from the containers' scripts, with the texts of the kubelet's probers. */
export function scriptedTransports(clock: Clock, find: FindContainer): ProbeTransports {
  const request = (target: ProbeTarget, endpoint: string, timeout: number): Promise<RequestEnd> => {
    const container = find(parseContainerID(target.containerID));
    return container?.request(endpoint, timeout) ?? Promise.resolve(CLOSED);
  };
  return {
    async http(target, httpRequest, timeout) {
      const end = await request(target, httpEndpoint(httpRequest), timeout);
      return recordedOutcome(end) ?? scriptedOutcome(httpRequest, end);
    },
    async tcp(target, host, port, timeout) {
      const end = await request(target, tcpEndpoint(port), timeout);
      return recordedOutcome(end) ?? tcpOutcome(`${host}:${port}`, end);
    },
    async grpc(target, host, port, service, timeout) {
      const begin = clock.now();
      const end = await request(target, grpcEndpoint(port, service), timeout);
      // The prober keeps trying to connect until its timeout.
      if (isClosed(end)) await sleep(clock, begin + timeout * 1000 - clock.now());
      return recordedOutcome(end) ?? grpcOutcome(`${host}:${port}`, end, timeout);
    },
    async httpHook(target, httpRequest) {
      const end = await request(target, httpEndpoint(httpRequest), 0);
      // The hook succeeds with any answer.
      if (end.kind === 'answered' && !isClosed(end)) return undefined;
      return scriptedOutcome(httpRequest, end).output;
    },
  };
}

const CLOSED: RequestEnd = { kind: 'answered', response: { kind: 'closed' } };

function isClosed(end: RequestEnd): boolean {
  return end.kind === 'answered' && end.response.kind === 'closed';
}

function scriptedOutcome({ url }: HttpRequest, end: RequestEnd): ProbeOutcome {
  const httpFailure = (cause: string, reason: FailureReason): ProbeOutcome =>
    failure(`Get "${toText(stripPassword(url))}": ${cause}`, reason);
  if (end.kind === 'timedOut') return httpFailure(TIMEOUT, 'timeout');
  if (end.kind === 'cutOff') return httpFailure('EOF', 'closed');
  if (end.response.kind === 'closed') return httpFailure(refusedText(toText(url.host)), 'refused');
  const { response } = end;
  if (response.kind !== 'http') return httpOutcome(HTTP_STATUS[response.kind], toByteString(''));
  return httpOutcome(response.status, toByteString(response.body));
}

function recordedOutcome(end: RequestEnd): ProbeOutcome | undefined {
  return end.kind === 'answered' && end.response.kind === 'recorded'
    ? end.response.outcome
    : undefined;
}

const HTTP_STATUS = {
  ok: 200,
  fails: 500,
  notReady: 503,
  closed: 503,
  grpc: 400,
  recorded: 200,
} as const;

function tcpOutcome(address: string, end: RequestEnd): ProbeOutcome {
  if (end.kind === 'timedOut') return failure(`dial tcp ${address}: i/o timeout`, 'timeout');
  // The probe does not wait for what happens after the connection.
  if (end.kind === 'answered' && (end.response.kind === 'ok' || end.response.kind === 'http')) {
    return SUCCESS;
  }
  return failure(refusedText(address), 'refused');
}

function grpcOutcome(address: string, end: RequestEnd, seconds: number): ProbeOutcome {
  const timeout = formatDuration(seconds * 1000);
  if (end.kind === 'timedOut') {
    return failure(`timeout: health rpc did not complete within ${timeout}`, 'timeout');
  }
  if (end.kind === 'cutOff') {
    return failure(
      'error: health rpc probe failed: rpc error: code = Unavailable desc = error reading from server: EOF',
      'closed',
    );
  }
  if (end.response.kind === 'closed') {
    return failure(
      `timeout: failed to connect service "${address}" within ${timeout}: context deadline exceeded`,
      'notConnected',
    );
  }
  const status = grpcStatus(end.response);
  if (status === 'SERVING') return { result: 'success', output: 'service healthy' };
  return failure(`service unhealthy (responded with "${status}")`, GRPC_REASONS.get(status));
}

const GRPC_REASONS: ReadonlyMap<string, FailureReason> = new Map([
  ['NOT_SERVING', 'notServing'],
  ['SERVICE_UNKNOWN', 'unknownService'],
]);

function failure(output: string, reason: FailureReason | undefined): ProbeOutcome {
  return { result: 'failure', output, reason };
}

function grpcStatus(response: NetworkResponse): string {
  if (response.kind === 'grpc') return response.status;
  return response.kind === 'ok' ? 'SERVING' : 'NOT_SERVING';
}

function refusedText(address: string): string {
  return `dial tcp ${address}: connect: connection refused`;
}
