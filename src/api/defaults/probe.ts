import type { Decoded } from '../schema/decoded.js';

/** Ports SetDefaults_Probe (pkg/apis/core/v1/defaults.go); a zero is defaulted as if it were absent. */
export function setDefaultsProbe(probe: Decoded<'Probe'>): Decoded<'Probe'> {
  const { httpGet, grpc } = probe;
  return {
    ...probe,
    ...(httpGet && { httpGet: setDefaultsHTTPGetAction(httpGet) }),
    ...(grpc && { grpc: { port: 0, ...grpc, service: grpc.service ?? '' } }),
    ...(probe.tcpSocket && { tcpSocket: { port: 0, ...probe.tcpSocket } }),
    initialDelaySeconds: probe.initialDelaySeconds ?? 0,
    timeoutSeconds: probe.timeoutSeconds ?? 1,
    periodSeconds: probe.periodSeconds ?? 10,
    successThreshold: probe.successThreshold ?? 1,
    failureThreshold: probe.failureThreshold ?? 3,
  };
}

/** Ports SetDefaults_HTTPGetAction (pkg/apis/core/v1/defaults.go). */
export function setDefaultsHTTPGetAction(
  action: Decoded<'HTTPGetAction'>,
): Decoded<'HTTPGetAction'> {
  const { httpHeaders } = action;
  return {
    ...action,
    path: action.path ?? '/',
    port: action.port ?? 0,
    scheme: action.scheme ?? 'HTTP',
    ...(httpHeaders && {
      httpHeaders: httpHeaders.map((each) => ({ name: '', value: '', ...each })),
    }),
  };
}
