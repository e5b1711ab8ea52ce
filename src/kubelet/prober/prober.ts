import type { Container, Pod, PodStatus, Probe } from '../../api/index.js';
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
  ): PromiseLike<ProbeAnswer>;
}

interface Attempt {
  readonly probeType: ProbeType;
  readonly spec: Probe;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly container: Container;
  readonly containerID: string;
}

/** Makes probe attempts and tells of those that fail. Ports prober (pkg/kubelet/prober/prober.go). */
export function createProber(options: ProberOptions): Prober {
  return {
    probe(probeType, pod, podStatus, container, containerID) {
      const spec = probeOf(container, probeType);
      if (!spec) {
        const outcome = { result: 'success', output: '' } as const;
        return Promise.resolve({ result: 'success', outcome, tries: 0 });
      }
      const attempt = { probeType, spec, pod, podStatus, container, containerID };
      return runProbeWithRetries(options, attempt, 1);
    },
  };
}

/** Ports runProbeWithRetries (pkg/kubelet/prober/prober.go); `tries` counts the one that begins. */
function runProbeWithRetries(
  options: ProberOptions,
  attempt: Attempt,
  tries: number,
): PromiseLike<ProbeAnswer> {
  return runProbe(options, attempt).then((outcome) =>
    outcome.error !== undefined && tries < MAX_PROBE_RETRIES
      ? runProbeWithRetries(options, attempt, tries + 1)
      : answered(options, attempt, outcome, tries),
  );
}

/** Ports the ends of probe (pkg/kubelet/prober/prober.go): a warning is a success, all else a failure. */
function answered(
  options: ProberOptions,
  { probeType, pod, container }: Attempt,
  outcome: ProbeOutcome,
  tries: number,
): ProbeAnswer {
  const { result, error } = outcome;
  if (error === undefined && result === 'success') return { result, outcome, tries };
  const event = probeEvent(probeType, outcome);
  if (event) options.recordEvent(pod, container, event.type, event.reason, event.message);
  return {
    result: error === undefined && result === 'warning' ? 'success' : 'failure',
    ...(error === undefined ? {} : { error }),
    outcome,
    tries,
    ...(event ? { event } : {}),
  };
}

/** Ports runProbe (pkg/kubelet/prober/prober.go). */
function runProbe(options: ProberOptions, attempt: Attempt): PromiseLike<ProbeOutcome> {
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
function unrunnable(error: ByteString): PromiseLike<ProbeOutcome> {
  return Promise.resolve({ result: 'unknown', output: '', error: toText(error) });
}

function runExec(
  options: ProberOptions,
  attempt: Attempt,
  written: readonly string[],
): PromiseLike<ProbeOutcome> {
  const { timeoutSeconds } = attempt.spec;
  const command = expandContainerCommandOnlyStatic(written, attempt.container.env);
  return options
    .execSync(parseContainerID(attempt.containerID), command, timeoutSeconds)
    .then((end) => execOutcome(end, command, timeoutSeconds));
}

function runHTTPGet(
  { transports, kubeletVersion }: ProberOptions,
  attempt: Attempt,
  action: NonNullable<Probe['httpGet']>,
): PromiseLike<ProbeOutcome> {
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
): PromiseLike<ProbeOutcome> {
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
