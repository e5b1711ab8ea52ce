import type { Container } from '../../api/types/container.js';
import type { Pod } from '../../api/types/pod.js';
import type { Probe } from '../../api/types/probe.js';
import type { PodStatus } from '../../api/types/status.js';
import { type ByteString, toByteString, toText } from '../../go/byte-string.js';
import { parseContainerID } from '../container-id.js';
import type { ProbeType, Result } from '../event.js';
import { formatPod } from '../pod-name.js';
import type { ProbeOutcome, ProbeTransports, Runtime } from '../ports.js';
import { resolveContainerPort } from './container-port.js';
import { execOutcome } from './exec-probe.js';
import { expandContainerCommandOnlyStatic } from './expand-command.js';
import { newRequestForHTTPGetAction } from './http-request.js';
import { type ProbeEvent, probeEvent } from './probe-event.js';
import { probeOf } from './probe-of.js';

const MAX_PROBE_RETRIES = 3;

export type RecordEvent = (
  pod: Pod,
  container: Container,
  type: 'Warning',
  reason: ProbeEvent['reason'],
  message: string,
) => void;

export interface ProberOptions {
  readonly transports: ProbeTransports;
  readonly execSync: Runtime['execSync'];
  /** Sends a container event. */
  readonly recordEvent: RecordEvent;
  /** As in `1.36`, the default; it is part of the User-Agent. */
  readonly kubeletVersion?: string;
}

export interface ProbeAnswer {
  /** What the worker counts, unless there is an error. */
  readonly result: Result;
  /** The last try's error: no try came to a result. */
  readonly error?: string;
  /** The last try's end. */
  readonly outcome: ProbeOutcome;
  readonly tries: number;
  /** What was sent through recordEvent. */
  readonly event?: ProbeEvent;
}

export interface Prober {
  probe(
    probeType: ProbeType,
    pod: Pod,
    podStatus: PodStatus,
    container: Container,
    containerID: string,
  ): Promise<ProbeAnswer>;
}

interface Attempt {
  readonly spec: Probe;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly container: Container;
  readonly containerID: string;
}

/** Makes probe attempts and tells of those that fail. Ports prober (pkg/kubelet/prober/prober.go). */
export function createProber(options: ProberOptions): Prober {
  return {
    async probe(probeType, pod, podStatus, container, containerID) {
      const spec = probeOf(container, probeType);
      if (!spec) {
        return { result: 'success', outcome: { result: 'success', output: '' }, tries: 0 };
      }
      const attempt = { spec, pod, podStatus, container, containerID };
      let tries = 1;
      let outcome = await runProbe(options, attempt);
      // Ports runProbeWithRetries (pkg/kubelet/prober/prober.go).
      for (; outcome.error !== undefined && tries < MAX_PROBE_RETRIES; tries++) {
        outcome = await runProbe(options, attempt);
      }
      const event = probeEvent(probeType, outcome);
      if (event) options.recordEvent(pod, container, event.type, event.reason, event.message);
      return { ...verdict(outcome), outcome, tries, ...(event ? { event } : {}) };
    },
  };
}

/** Ports the ends of probe (pkg/kubelet/prober/prober.go): a warning is a success, all else a failure. */
function verdict({ result, error }: ProbeOutcome): Pick<ProbeAnswer, 'result' | 'error'> {
  if (error !== undefined) return { result: 'failure', error };
  return { result: result === 'success' || result === 'warning' ? 'success' : 'failure' };
}

/** Ports runProbe (pkg/kubelet/prober/prober.go). */
function runProbe(options: ProberOptions, attempt: Attempt): Promise<ProbeOutcome> {
  const { spec, pod, container } = attempt;
  if (spec.exec) return runExec(options, attempt, spec.exec.command ?? []);
  if (spec.httpGet) return runHTTPGet(options, attempt, spec.httpGet);
  if (spec.tcpSocket) return runTCPSocket(options, attempt, spec.tcpSocket);
  if (spec.grpc) {
    const { port, service = '' } = spec.grpc;
    const host = attempt.podStatus.podIP ?? '';
    return options.transports.grpc(attempt, host, port, service, spec.timeoutSeconds);
  }
  return unrunnable(toByteString(`missing probe handler for ${formatPod(pod)}:${container.name}`));
}

/** The attempt could not be made at all. */
function unrunnable(error: ByteString): Promise<ProbeOutcome> {
  return Promise.resolve({ result: 'unknown', output: '', error: toText(error) });
}

function runExec(
  { execSync }: ProberOptions,
  { spec, container, containerID }: Attempt,
  written: readonly string[],
): Promise<ProbeOutcome> {
  const { timeoutSeconds } = spec;
  const command = expandContainerCommandOnlyStatic(written, container.env);
  return execSync(parseContainerID(containerID), command, timeoutSeconds).then((end) =>
    execOutcome(end, command, timeoutSeconds),
  );
}

function runHTTPGet(
  { transports, kubeletVersion }: ProberOptions,
  attempt: Attempt,
  action: NonNullable<Probe['httpGet']>,
): Promise<ProbeOutcome> {
  const { spec, container, podStatus } = attempt;
  const podIP = podStatus.podIP ?? '';
  const request = newRequestForHTTPGetAction(action, {
    container,
    podIP,
    userAgentFragment: 'probe',
    ...(kubeletVersion === undefined ? {} : { kubeletVersion }),
  });
  if (!request.ok) return unrunnable(request.error);
  return transports.http(attempt, request.value, spec.timeoutSeconds);
}

function runTCPSocket(
  { transports }: ProberOptions,
  attempt: Attempt,
  action: NonNullable<Probe['tcpSocket']>,
): Promise<ProbeOutcome> {
  const { spec, container, podStatus } = attempt;
  const port = resolveContainerPort(action.port, container);
  if (!port.ok) return unrunnable(port.error);
  const host = action.host ?? '';
  return transports.tcp(
    attempt,
    host === '' ? (podStatus.podIP ?? '') : host,
    port.value,
    spec.timeoutSeconds,
  );
}
