import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { complaintErrors } from './common.js';
import { isHTTPHeaderName, isValidPortName, isValidPortNum } from './formats.js';

/** What a probe or a hook does; of the types that have a handler, none has all five. */
export interface CommonHandler {
  readonly exec?: Decoded<'ExecAction'> | undefined;
  readonly httpGet?: Decoded<'HTTPGetAction'> | undefined;
  readonly tcpSocket?: Decoded<'TCPSocketAction'> | undefined;
  readonly grpc?: Decoded<'GRPCAction'> | undefined;
  readonly sleep?: Decoded<'SleepAction'> | undefined;
}

const SUPPORTED_SCHEMES = ['HTTP', 'HTTPS'];

/**
 * Only the first handler is looked into, in this order; further ones are forbidden. Ports validateHandler
 * (pkg/apis/core/validation/validation.go).
 */
export function validateHandler(
  handler: CommonHandler,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const found: (readonly [name: string, validate: (path: string) => FieldError[]])[] = [];
  if (exec) found.push(['exec', (at) => validateExecAction(exec, at)]);
  if (httpGet) found.push(['httpGet', (at) => validateHTTPGetAction(httpGet, at)]);
  if (tcpSocket) found.push(['tcpSocket', (at) => validatePort(tcpSocket.port, `${at}.port`)]);
  if (grpc) found.push(['grpc', (at) => validatePort(grpc.port, `${at}.port`)]);
  if (sleep) found.push(['sleep', (at) => validateSleepAction(sleep, gracePeriod, at)]);
  if (found.length === 0) return [required(path, 'must specify a handler type')];
  return found.flatMap(([name, validate], index) =>
    index === 0
      ? validate(`${path}.${name}`)
      : [forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')],
  );
}

/** Ports validateExecAction (pkg/apis/core/validation/validation.go). */
function validateExecAction(exec: Decoded<'ExecAction'>, path: string): FieldError[] {
  return (exec.command ?? []).length === 0 ? [required(`${path}.command`)] : [];
}

/** Ports validateHTTPGetAction (pkg/apis/core/validation/validation.go). */
function validateHTTPGetAction(http: Decoded<'HTTPGetAction'>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((http.path ?? '') === '') errors.push(required(`${path}.path`));
  errors.push(...validatePort(http.port, `${path}.port`));
  const scheme = http.scheme ?? '';
  if (!SUPPORTED_SCHEMES.includes(scheme)) {
    errors.push(notSupported(`${path}.scheme`, scheme, SUPPORTED_SCHEMES));
  }
  for (const { name = '' } of http.httpHeaders ?? []) {
    errors.push(...complaintErrors(`${path}.httpHeaders`, name, isHTTPHeaderName(name)));
  }
  return errors;
}

/** Ports ValidatePortNumOrName (pkg/apis/core/validation/validation.go). */
function validatePort(port: number | string | undefined, path: string): FieldError[] {
  if (typeof port === 'string') return complaintErrors(path, port, isValidPortName(port));
  const number = port ?? 0;
  return isValidPortNum(number).map((complaint) => invalid(path, number, complaint));
}

/** Ports validateSleepAction (pkg/apis/core/validation/validation.go). */
function validateSleepAction(
  sleep: Decoded<'SleepAction'>,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  const seconds = sleep.seconds ?? 0;
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, detail)];
}
