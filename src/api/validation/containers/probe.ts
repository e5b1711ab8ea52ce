/* Ported from pkg/apis/core/validation/validation.go, with its names. */

import { isEnabled } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateNonnegativeFields,
  validatePortNumber,
  validateRequired,
  validateSupported,
  validateSupportedIfSet,
} from '../common/checks.js';
import type { FieldError, FieldPath } from '../common/field-error.js';
import { isHTTPHeaderName, isValidPortName } from '../common/formats.js';

type Probe = Decoded<v1.Probe>;
type HTTPGetAction = Decoded<v1.HTTPGetAction>;
type Seconds = number | undefined;

/** The actions of probes and hooks together; no Go type has all five. */
type CommonHandler = Decoded<v1.ProbeHandler> & Decoded<v1.LifecycleHandler>;

const SUPPORTED_SCHEMES = ['HTTP', 'HTTPS'];
const SUPPORTED_HTTP_PROTOCOLS = ['HTTP1', 'HTTP2'];
const SUPPORTED_GRPC_PROBE_MODES = ['Plaintext', 'TLS'];
const PERIOD = /\.(?:startup|readiness|liveness)Probe\.periodSeconds$/;

/**
 * Returns true for an error that would crash a kubelet that got the pod anyway: a ticker (time.NewTicker) panics when
 * its period is not positive.
 */
export function endsKubelet({ field }: FieldError): boolean {
  return PERIOD.test(field);
}

/** Ports validateLivenessProbe, validateReadinessProbe and validateStartupProbe. */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Decoded<v1.Container>,
  grace: Seconds,
  at: FieldPath,
): void {
  validateRestartingProbe(livenessProbe, grace, at.child('livenessProbe'));
  if (readinessProbe !== undefined) {
    const readinessAt = at.child('readinessProbe');
    validateProbe(readinessProbe, grace, readinessAt);
    const { terminationGracePeriodSeconds: seconds } = readinessProbe;
    const graceAt = readinessAt.child('terminationGracePeriodSeconds');
    if (seconds !== undefined) graceAt.invalid(seconds, 'must not be set for readinessProbes');
  }
  validateRestartingProbe(startupProbe, grace, at.child('startupProbe'));
}

function validateRestartingProbe(probe: Probe | undefined, grace: Seconds, at: FieldPath): void {
  if (probe === undefined) return;
  validateProbe(probe, grace, at);
  const { successThreshold = 0 } = probe;
  if (successThreshold !== 1) at.child('successThreshold').invalid(successThreshold, 'must be 1');
}

const PROBE_NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, grace: Seconds, at: FieldPath): void {
  const { exec, httpGet, tcpSocket, grpc, terminationGracePeriodSeconds: seconds } = probe;
  validateHandler({ exec, httpGet, tcpSocket, grpc }, grace, at);
  validateNonnegativeFields(probe, PROBE_NUMBERS, at);
  if (seconds !== undefined && seconds <= 0) {
    at.child('terminationGracePeriodSeconds').invalid(seconds, 'must be greater than 0');
  }
}

/** Ports validateLifecycle (validation.go). The server has already dropped a stopSignal whose feature gate is off. */
export function validateLifecycle(
  { postStart, preStop, stopSignal }: Decoded<v1.Lifecycle> = {},
  { terminationGracePeriodSeconds: grace, os }: Decoded<v1.PodSpec>,
  at: FieldPath,
): void {
  if (postStart) validateHandler(postStart, grace, at.child('postStart'));
  if (preStop) validateHandler(preStop, grace, at.child('preStop'));
  if (stopSignal !== undefined) validateStopSignal(stopSignal, os, at.child('stopSignal'));
}

/** In the order of Go's sort. */
const LINUX_SIGNALS = [
  ...['ABRT', 'ALRM', 'BUS', 'CHLD', 'CLD', 'CONT', 'FPE', 'HUP', 'ILL', 'INT', 'IO', 'IOT'],
  ...['KILL', 'PIPE', 'POLL', 'PROF', 'PWR', 'QUIT', 'SEGV', 'STKFLT', 'STOP', 'SYS', 'TERM'],
  ...['TRAP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'USR1', 'USR2', 'VTALRM', 'WINCH', 'XCPU', 'XFSZ'],
  ...['RTMIN', ...Array.from({ length: 15 }, (_, n) => `RTMIN+${n + 1}`)],
  ...['RTMAX', ...Array.from({ length: 14 }, (_, n) => `RTMAX-${n + 1}`)],
]
  .map((name) => `SIG${name}`)
  .sort();
const STOP_SIGNALS: Readonly<Record<string, readonly string[]>> = {
  linux: LINUX_SIGNALS,
  windows: ['SIGKILL', 'SIGTERM'],
};

function validateStopSignal(signal: string, os: Decoded<v1.PodSpec>['os'], at: FieldPath): void {
  if (os === undefined) {
    at.forbidden('may not be set for containers with empty `spec.os.name`');
    return;
  }
  const supported = STOP_SIGNALS[os.name ?? ''];
  if (supported !== undefined) validateSupportedIfSet(signal, supported, at);
}

/** Validates the first handler in this order, and forbids any other. Ports validateHandler (validation.go). */
function validateHandler(handler: CommonHandler, grace: Seconds, at: FieldPath): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const found: (readonly [name: string, validate: (at: FieldPath) => void])[] = [];
  if (exec) found.push(['exec', (actionAt) => validateExecAction(exec, actionAt)]);
  if (httpGet) found.push(['httpGet', (actionAt) => validateHTTPGetAction(httpGet, actionAt)]);
  if (tcpSocket) found.push(['tcpSocket', (actionAt) => validatePort(tcpSocket.port, actionAt)]);
  if (grpc) found.push(['grpc', (actionAt) => validateGRPCAction(grpc, actionAt)]);
  if (sleep)
    found.push(['sleep', (actionAt) => validateSleepSeconds(sleep.seconds, grace, actionAt)]);
  if (found.length === 0) at.required('must specify a handler type');
  found.forEach(([name, validate], index) => {
    if (index === 0) validate(at.child(name));
    else at.child(name).forbidden('may not specify more than 1 handler type');
  });
}

function validateExecAction({ command = [] }: Decoded<v1.ExecAction>, at: FieldPath): void {
  if (command.length === 0) at.child('command').required();
}

function validateHTTPGetAction(http: HTTPGetAction, at: FieldPath): void {
  validateRequired(http.path, at.child('path'));
  validatePort(http.port, at);
  validateSupported(http.scheme, SUPPORTED_SCHEMES, at.child('scheme'));
  for (const { name = '' } of http.httpHeaders ?? []) {
    at.child('httpHeaders').invalidFor(name, isHTTPHeaderName(name));
  }
  validateHTTPProtocol(http, at);
}

function validateHTTPProtocol({ protocol, scheme, host = '' }: HTTPGetAction, at: FieldPath): void {
  validateSupportedIfSet(protocol, SUPPORTED_HTTP_PROTOCOLS, at.child('protocol'));
  if (protocol !== 'HTTP2') return;
  if (scheme !== 'HTTP')
    at.child('protocol').invalid(protocol, 'is only supported with HTTP (H2C)');
  else if (host !== '') {
    at.child('host').invalid(host, 'must be empty when `protocol` is "HTTP2"');
  }
}

function validateGRPCAction({ port, mode }: Decoded<v1.GRPCAction>, at: FieldPath): void {
  validatePort(port, at);
  validateSupportedIfSet(mode, SUPPORTED_GRPC_PROBE_MODES, at.child('mode'));
}

/** Ports ValidatePortNumOrName (pkg/apis/core/validation/validation.go). */
function validatePort(port: number | string = 0, at: FieldPath): void {
  if (typeof port === 'string') at.child('port').invalidFor(port, isValidPortName(port));
  else validatePortNumber(port, at.child('port'));
}

function validateSleepSeconds(seconds = 0, grace: Seconds, at: FieldPath): void {
  const allowsZero = isEnabled('PodLifecycleSleepActionAllowZero', at.server);
  const isAllowed = seconds > 0 || (seconds === 0 && allowsZero);
  if (grace === undefined || (isAllowed && seconds <= grace)) return;
  const limit = `less than terminationGracePeriodSeconds (${grace})`;
  const detail = allowsZero
    ? `must be non-negative and ${limit}`
    : `must be greater than 0 and ${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  at.invalid(seconds, detail);
}
