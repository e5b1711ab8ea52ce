import type { Decoded } from '../schema/decoded.js';
import { imageTag } from '../values/image-tag.js';

type Container = Decoded<'Container'>;

/** Ports SetDefaults_Container (pkg/apis/core/v1/defaults.go) and the defaults of what a container holds. */
export function setDefaultsContainer(container: Container): Container {
  const { ports, env, lifecycle, startupProbe, readinessProbe, livenessProbe } = container;
  return {
    ...container,
    name: container.name ?? '',
    image: container.image ?? '',
    imagePullPolicy: container.imagePullPolicy ?? defaultPullPolicy(container.image ?? ''),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    ...(ports && { ports: ports.map(setDefaultsContainerPort) }),
    ...(env && { env: env.map(setDefaultsEnvVar) }),
    ...(lifecycle && { lifecycle: setDefaultsLifecycle(lifecycle) }),
    ...(startupProbe && { startupProbe: setDefaultsProbe(startupProbe) }),
    ...(readinessProbe && { readinessProbe: setDefaultsProbe(readinessProbe) }),
    ...(livenessProbe && { livenessProbe: setDefaultsProbe(livenessProbe) }),
  };
}

/** Always for `latest`, which a missing tag means too; IfNotPresent otherwise. */
export function defaultPullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function setDefaultsContainerPort(port: Decoded<'ContainerPort'>): Decoded<'ContainerPort'> {
  return { ...port, containerPort: port.containerPort ?? 0, protocol: port.protocol ?? 'TCP' };
}

function setDefaultsEnvVar(variable: Decoded<'EnvVar'>): Decoded<'EnvVar'> {
  const { name = '', valueFrom } = variable;
  return { ...variable, name, ...(valueFrom && { valueFrom: setDefaultsEnvVarSource(valueFrom) }) };
}

function setDefaultsEnvVarSource(source: Decoded<'EnvVarSource'>): Decoded<'EnvVarSource'> {
  const { fieldRef, fileKeyRef } = source;
  return {
    ...source,
    ...(fieldRef && { fieldRef: setDefaultsObjectFieldSelector(fieldRef) }),
    ...(fileKeyRef && { fileKeyRef: { ...fileKeyRef, optional: fileKeyRef.optional ?? false } }),
  };
}

/** Ports SetDefaults_ObjectFieldSelector (pkg/apis/core/v1/defaults.go). */
export function setDefaultsObjectFieldSelector<
  T extends { readonly apiVersion?: string | undefined },
>(selector: T): T {
  return { ...selector, apiVersion: selector.apiVersion ?? 'v1' };
}

/**
 * The gate of stopSignal is off, so it is dropped without a word, and with it a lifecycle that has nothing
 * else: dropContainerStopSignals (pkg/api/pod/util.go).
 */
function setDefaultsLifecycle(lifecycle: Decoded<'Lifecycle'>): Decoded<'Lifecycle'> | undefined {
  const { postStart, preStop, stopSignal } = lifecycle;
  if (stopSignal !== undefined && postStart === undefined && preStop === undefined)
    return undefined;
  return {
    ...(postStart && { postStart: setDefaultsLifecycleHandler(postStart) }),
    ...(preStop && { preStop: setDefaultsLifecycleHandler(preStop) }),
  };
}

function setDefaultsLifecycleHandler(
  handler: Decoded<'LifecycleHandler'>,
): Decoded<'LifecycleHandler'> {
  const { httpGet, tcpSocket, sleep } = handler;
  return {
    ...handler,
    ...(httpGet && { httpGet: setDefaultsHTTPGetAction(httpGet) }),
    ...(tcpSocket && { tcpSocket: { port: 0, ...tcpSocket } }),
    ...(sleep && { sleep: { seconds: 0, ...sleep } }),
  };
}

/** Ports SetDefaults_Probe (pkg/apis/core/v1/defaults.go); a zero is defaulted as if it were absent. */
function setDefaultsProbe(probe: Decoded<'Probe'>): Decoded<'Probe'> {
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
function setDefaultsHTTPGetAction(action: Decoded<'HTTPGetAction'>): Decoded<'HTTPGetAction'> {
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
