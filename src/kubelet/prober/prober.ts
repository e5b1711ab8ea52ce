import {
  type Container,
  omitUndefined,
  type Pod,
  type PodStatus,
  type Probe,
} from '../../api/index.js';
import { bytesOf, type ByteString, latin1, toByteString, toText } from '../../go/byte-string.js';
import type { ProbeType, Result } from '../../trace/event.js';
import type { EventRecorder } from '../event-recorder.js';
import { formatPod, parseContainerID } from '../pod-name.js';
import type { ProbeOutcome, ProbeTarget, ProbeTransports, Runtime } from '../ports.js';
import {
  behaviorOf,
  DEFAULT_BEHAVIOR,
  DEFAULT_KUBELET,
  type KubeletConfig,
  type ReleaseBehavior,
} from '../release.js';
import { execOutcome, expandContainerCommandOnlyStatic } from './exec-probe.js';
import { newRequestForHTTPGetAction, resolveContainerPort } from './http-request.js';
import { probeOf, probeTypeName } from './probe-of.js';

const MAX_PROBE_RETRIES = 3;

interface ProberOptions {
  readonly transports: ProbeTransports;
  readonly execSync: Runtime['execSync'];
  readonly recordEvent: EventRecorder['containerEvent'];
  /** Determines the User-Agent and the behavior; that of the default release when absent. */
  readonly kubelet?: KubeletConfig;
}

export interface ProbeAnswer {
  /** Result that the worker counts, unless there is an error. */
  readonly result: Result;
  readonly error?: string;
  readonly outcome: ProbeOutcome;
  readonly tries: number;
  readonly event?: ProbeEvent;
}

/** Reason of the abort of an attempt whose probe was changed or removed: it leaves no event. */
export const OBSOLETE = 'obsolete';

export interface Prober {
  probe(
    probeType: ProbeType,
    pod: Pod,
    podStatus: PodStatus,
    container: Container,
    containerID: string,
    canceled?: AbortSignal,
  ): Promise<ProbeAnswer>;
}

interface Attempt extends ProbeTarget {
  readonly probeType: ProbeType;
  readonly spec: Probe;
  readonly podStatus: PodStatus;
  readonly canceled?: AbortSignal | undefined;
}

/** Makes probe attempts, and records an event for those that fail. Ports prober (pkg/kubelet/prober/prober.go). */
export function createProber(options: ProberOptions): Prober {
  const behavior = behaviorOf(options.kubelet ?? DEFAULT_KUBELET);
  return {
    async probe(probeType, pod, podStatus, container, containerID, canceled) {
      const spec = probeOf(container, probeType);
      if (spec === undefined) {
        return { result: 'success', outcome: { result: 'success', output: '' }, tries: 0 };
      }
      const attempt = { probeType, spec, pod, podStatus, container, containerID, canceled };
      let tries = 1;
      let outcome = await runProbe(options, attempt, behavior);
      // This loop ports runProbeWithRetries.
      for (; outcome.error !== undefined && tries < MAX_PROBE_RETRIES; tries++) {
        outcome = await runProbe(options, attempt, behavior);
      }
      const { result, error } = outcome;
      const event = probeEvent(probeTypeName(probeType), outcome, behavior);
      if (event && canceled?.reason !== OBSOLETE)
        options.recordEvent(pod, container, event.type, event.reason, event.message);
      const passed = error === undefined && (result === 'success' || result === 'warning');
      return {
        result: passed ? 'success' : 'failure',
        outcome,
        tries,
        ...omitUndefined({ error, event }),
      };
    },
  };
}

/** Ports runProbe (pkg/kubelet/prober/prober.go). */
async function runProbe(
  { transports, execSync, kubelet }: ProberOptions,
  attempt: Attempt,
  behavior: ReleaseBehavior,
): Promise<ProbeOutcome> {
  const { pod, container, containerID, spec, canceled } = attempt;
  const { exec, httpGet, tcpSocket, grpc, timeoutSeconds } = spec;
  const { podIP = '' } = attempt.podStatus;
  if (exec) {
    const command = expandContainerCommandOnlyStatic(exec.command ?? [], container.env);
    const id = parseContainerID(containerID);
    const end = await execSync(id, command, timeoutSeconds, canceled);
    return execOutcome(end, command, timeoutSeconds, behavior);
  }
  if (httpGet) {
    const request = newRequestForHTTPGetAction(httpGet, {
      container,
      podIP,
      userAgentFragment: 'probe',
      kubeletVersion: kubelet?.version,
      behavior,
    });
    if (!request.ok) return unrunnable(request.error);
    const isH2C = behavior.probesHTTP2 && httpGet.protocol === 'HTTP2';
    return transports.http(attempt, request.value, timeoutSeconds, isH2C);
  }
  if (tcpSocket) {
    const port = resolveContainerPort(tcpSocket.port, container, behavior);
    if (!port.ok) return unrunnable(port.error);
    const host = tcpSocket.host ?? '';
    return transports.tcp(attempt, host === '' ? podIP : host, port.value, timeoutSeconds);
  }
  if (grpc) {
    const { port, service = '', mode } = grpc;
    const useTLS = behavior.probesGRPCOverTLS && mode === 'TLS';
    return transports.grpc(attempt, podIP, port, service, timeoutSeconds, useTLS);
  }
  return unrunnable(toByteString(`missing probe handler for ${formatPod(pod)}:${container.name}`));
}

function unrunnable(error: ByteString): ProbeOutcome {
  return { result: 'unknown', output: '', error: toText(error) };
}

export interface ProbeEvent {
  readonly type: 'Warning';
  readonly reason: 'Unhealthy' | 'ProbeWarning';
  readonly message: string;
  /** The raw message when it is not UTF-8. */
  readonly messageBytes?: Uint8Array;
}

/** Returns the event of an attempt that errored, failed or warned. Ports the texts of prober.probe (prober.go). */
export function probeEvent(
  typeName: string,
  outcome: ProbeOutcome,
  behavior: ReleaseBehavior = DEFAULT_BEHAVIOR,
): ProbeEvent | undefined {
  const { result, error } = outcome;
  if (error !== undefined) {
    const errored = behavior.errorNamesState
      ? `errored and resulted in ${result} state`
      : 'errored';
    const message = `${typeName} probe ${errored}: ${error}`;
    return { type: 'Warning', reason: 'Unhealthy', message };
  }
  if (result === 'warning') {
    return {
      type: 'Warning',
      reason: 'ProbeWarning',
      ...messageOf(`${typeName} probe warning: `, outcome),
    };
  }
  if (result !== 'failure') return undefined;
  return {
    type: 'Warning',
    reason: 'Unhealthy',
    ...messageOf(`${typeName} probe failed: `, outcome),
  };
}

/** Returns the prefix and the output, also as bytes when the output is not UTF-8. */
function messageOf(
  prefix: string,
  { output, outputBytes }: ProbeOutcome,
): Pick<ProbeEvent, 'message' | 'messageBytes'> {
  const message = prefix + output;
  if (!outputBytes) return { message };
  return { message, messageBytes: bytesOf(toByteString(prefix) + latin1(outputBytes)) };
}
