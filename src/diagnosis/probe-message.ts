import type { Probe } from '../api/index.js';
import type { AttemptOutcome, FailureReason } from '../kubelet/ports.js';
import type { ProbeType } from '../trace/event.js';
import { COMBINED } from '../trace/summary/fold-event.js';

/** The message of an Unhealthy or ProbeWarning event. */
export interface ProbeMessage {
  readonly probe: ProbeType;
  readonly how: 'failed' | 'warning' | 'errored';
  readonly output: string;
}

const MESSAGE =
  /^(Startup|Readiness|Liveness) probe (failed|warning|errored)(?: and resulted in \w+ state)?: ([^]*)$/;

/** Parses a message: the inverse of probeEvent (kubelet/prober/prober.ts). */
export function parseProbeMessage(message: string): ProbeMessage | undefined {
  const own = message.startsWith(COMBINED) ? message.slice(COMBINED.length) : message;
  const [, name = '', how, output = ''] = MESSAGE.exec(own) ?? [];
  if (how === undefined) return undefined;
  return { probe: name.toLowerCase() as ProbeType, how: how as ProbeMessage['how'], output };
}

/** Returns the attempt of a message, with the reason as far as the kubelet's words tell it. */
export function reportedOutcome({ how, output }: ProbeMessage, { exec }: Probe): AttemptOutcome {
  if (how === 'warning') return { result: 'warning', output };
  const isCommand = exec !== undefined && how === 'failed';
  // A command's own output is not a message of the kubelet.
  const own = isCommand && !output.startsWith('command timed out: ') ? '' : output;
  const reason = REASONS.find(([pattern]) => pattern.test(own))?.[1];
  const because = reason === undefined ? {} : { reason };
  if (how === 'errored') return { result: 'unknown', output: '', error: output, ...because };
  const status = /^HTTP probe failed with statuscode: (\d+)/.exec(own)?.[1];
  const address = /\bdial tcp (\S+:\d+): connect: /.exec(own)?.[1];
  return {
    result: 'failure',
    output,
    ...(status === undefined ? because : { statusCode: Number(status) }),
    ...(address === undefined ? {} : { detail: { address, timings: { total: 0 } } }),
  };
}

/** The texts of Go's libraries and the container runtimes; the first that matches is the most telling. */
const REASONS: readonly (readonly [RegExp, FailureReason])[] = [
  [/service unhealthy \(responded with/, 'notServing'],
  [/does not implement the grpc health protocol/, 'unimplemented'],
  [/health rpc probe failed: .*code = NotFound/, 'unknownService'],
  [/failed to connect service/, 'notConnected'],
  [/connection refused/, 'refused'],
  [/connection reset by peer/, 'reset'],
  [/no such host/, 'noHost'],
  [/no route to host|network is unreachable/, 'noRoute'],
  [/stopped after 10 redirects/, 'redirects'],
  [/server gave HTTP response to HTTPS client/, 'plainHTTP'],
  [/malformed HTTP response "\\x15\\x03/, 'speaksTLS'],
  [/malformed HTTP response "\\x00\\x00/, 'speaksHTTP2'],
  [/malformed HTTP/, 'notHTTP'],
  [/deadline exceeded|Client\.Timeout|i\/o timeout|timed out after|did not complete/, 'timeout'],
  [/\b(?:tls|x509): /, 'tls'],
  [/executable file not found|no such file or directory/, 'notFound'],
  [/permission denied/, 'notPermitted'],
  [/\bEOF$/, 'closed'],
];
