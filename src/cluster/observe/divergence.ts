import {
  allContainers,
  isObject,
  JsonReader,
  type Pod,
  type Probe,
  tryParseJson,
} from '../../api/index.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import { kubeletOf, nearestRelease, type ReleaseBehavior } from '../../kubelet/release.js';
import { backOffSpan } from '../../schedule/restarts.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import type { ProbeType } from '../../trace/event.js';
import type { KubeObject } from '../types.js';

/** Something that a kubelet of the node's version would not have done. */
export interface Divergence {
  readonly expected: string;
  readonly happened: string;
  /** The part of the kubelet that is concerned. */
  readonly concerns: 'probe' | 'backOff' | 'restart';
}

/*
 * Each check has a bound that no kubelet of the version exceeds, and a wider one where a report may be late, a clock wrong or
 * an event lost: a false alarm costs more than a missed one. Times are milliseconds; `startedAt` and `finishedAt` are
 * whole seconds, as the kubelet stores and compares them.
 */

/** Precision of the kubelet's times, and clocks that differ a little. */
const TIME_TOLERANCE = 2_000;
/** Time that a start may take beyond its back-off: an image pull, a slow runtime. */
const SLOW_START = 120_000;
/** Time after which the status that belongs to an event has arrived. */
const LATE_STATUS = 30_000;

interface Run {
  readonly startedAt: number;
  readonly probe: Probe;
  readonly type: ProbeType;
}

/** Checks a kill; with `carries`, failures of the previous run may count. */
export function killDivergence(
  { startedAt, probe, type }: Run,
  killedAt: number,
  carries: boolean,
): Divergence | undefined {
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  const failures = carries ? 0 : (failureThreshold - 1) * periodSeconds;
  const minSeconds = initialDelaySeconds + failures;
  const life = (killedAt - startedAt) / 1000;
  if (life * 1000 > minSeconds * 1000 - TIME_TOLERANCE) return undefined;
  return {
    concerns: 'probe',
    expected: `no kill by the ${type} probe within ${minSeconds} s of the start: it takes ${counted(failureThreshold, 'failure')}, ${periodSeconds} s apart`,
    happened: `killed ${formatSeconds(life)} after the start`,
  };
}

/** Checks `started` or `ready`, which a probe has to set first. */
export function readyDivergence(
  { startedAt, probe, type }: Run,
  readyChangedAt: number,
): Divergence | undefined {
  const minSeconds = probe.initialDelaySeconds;
  const after = readyChangedAt - startedAt;
  if (after > minSeconds * 1000 - TIME_TOLERANCE) return undefined;
  const word = type === 'startup' ? 'started' : 'ready';
  return {
    concerns: 'probe',
    expected: `not ${word} before the ${type} probe's initialDelaySeconds of ${minSeconds}`,
    happened: `${word} ${formatSeconds(after / 1000)} after the start`,
  };
}

/** Checks for failures in the same run after those that have to end it. */
export function stillProbedDivergence(
  { probe, type }: Omit<Run, 'startedAt'>,
  reachedAt: number | undefined,
  failedAt: number,
  inRow: number,
): Divergence | undefined {
  if (type === 'readiness' || reachedAt === undefined) return undefined;
  if (failedAt - reachedAt < LATE_STATUS) return undefined;
  return {
    concerns: 'probe',
    expected: `killed after ${counted(probe.failureThreshold, 'failure')} of the ${type} probe in a row`,
    happened: `${counted(inRow, 'failure')} in a row, and still running`,
  };
}

/** Checks an attempt of a probe that has to wait for startup. `since` is the first such attempt that was seen. */
export function startupGateDivergence(
  type: ProbeType,
  since: number | undefined,
  failedAt: number,
): Divergence | undefined {
  if (since === undefined || failedAt - since < LATE_STATUS / 2) return undefined;
  return {
    concerns: 'probe',
    expected: `no ${type} probe before the startup probe has succeeded`,
    happened: `the ${type} probe ran while the container was not started`,
  };
}

/** Back-offs of a kubelet with its default configuration, in seconds. */
const DELAYS = [10, 20, 40, 80, 160, 300];

export function backOffDivergence(delay: number): Divergence | undefined {
  if (DELAYS.includes(delay / 1000)) return undefined;
  return {
    concerns: 'backOff',
    expected: 'a back-off of 10 s, doubled with each restart up to 300 s',
    happened: `a back-off of ${delay / 1000} s`,
  };
}

/** Checks a start after a back-off that the kubelet has named. */
export function restartDivergence(
  { finishedAt, delay }: { readonly finishedAt: number; readonly delay: number },
  startedAt: number,
  behavior: ReleaseBehavior,
): Divergence | undefined {
  const waited = startedAt - finishedAt;
  const seconds = delay / 1000;
  const expected = `restarted after the back-off of ${seconds} s`;
  const happened = `restarted ${formatSeconds(waited / 1000)} after its end`;
  if (waited + TIME_TOLERANCE < delay) return { concerns: 'backOff', expected, happened };
  const isLate = waited > backOffSpan(seconds, behavior).to * 1000 + SLOW_START;
  return isLate ? { concerns: 'restart', expected, happened } : undefined;
}

/** Checks a container that has to be restarted; without a named back-off, the longest one is assumed. */
export function noRestartDivergence(
  finishedAt: number,
  delay: number | undefined,
  now: number,
  behavior: ReleaseBehavior,
): Divergence | undefined {
  const seconds = (delay ?? 300_000) / 1000;
  const latest = backOffSpan(seconds, behavior).to;
  if (now - finishedAt < latest * 1000 + SLOW_START) return undefined;
  const after = delay === undefined ? '' : ` ${seconds} s`;
  return {
    concerns: 'restart',
    expected: `restarted after its back-off${after}, at the latest ${formatSeconds(latest)} after its end`,
    happened: `not restarted ${formatSeconds((now - finishedAt) / 1000)} after its end`,
  };
}

export interface NodeFacts {
  readonly kubeletVersion: string;
  /** The Ready condition where it is not True: `NotReady: Kubelet stopped posting node status.` */
  readonly notReady: string | undefined;
}

/** Returns the known cause that fits a divergence best. */
export function divergenceCause(
  { concerns }: Divergence,
  { spec, metadata }: Pod,
  node: NodeFacts | undefined,
  skew: number,
): string | undefined {
  const { kubeletVersion = '' } = node ?? {};
  if (kubeletVersion !== '' && kubeletOf(kubeletVersion) === undefined) {
    return `the node's kubelet is ${kubeletVersion}, and kprobe decides as v${nearestRelease(kubeletVersion)}`;
  }
  if (node?.notReady !== undefined) return `the node is not ready: ${node.notReady}`;
  if (concerns === 'probe') {
    const variables = allContainers(spec).flatMap(({ env = [] }) => env);
    const isRewritten = variables.some(({ name }) => name === ISTIO_PROBERS);
    if (isRewritten) return 'a mesh has rewritten the probes';
    return skew > TIME_TOLERANCE
      ? `the clock of the node differs from this machine's by ${formatSeconds(skew / 1000)}`
      : 'the probe may have changed while the container ran';
  }
  if (metadata.deletionTimestamp !== undefined) return 'the pod is being deleted';
  return concerns === 'backOff'
    ? "the kubelet's crashLoopBackOff.maxContainerRestartPeriod or the feature gate ReduceDefaultCrashLoopBackOffDecay; or the kubelet was restarted"
    : 'the kubelet is paused, overloaded or cannot reach the container runtime';
}

/** The variable in which Istio's injector keeps the probes that it has replaced, by the path that the kubelet requests. */
const ISTIO_PROBERS = 'ISTIO_KUBE_APP_PROBERS';

/** Describes the probes of a pod that a mesh has rewritten. */
export function rewrittenProbes({ spec }: KubeObject): string[] {
  const pod = new JsonReader(spec);
  const all = [...pod.list('containers'), ...pod.list('initContainers')];
  const variables = all.flatMap((container) => container.list('env'));
  const probers = variables.find((variable) => variable.text('name') === ISTIO_PROBERS);
  if (probers === undefined) return [];
  const originals = tryParseJson(probers.text('value'));
  if (!isObject(originals)) {
    return [`the value of ${ISTIO_PROBERS} cannot be read: the original probes are not known`];
  }
  return all.flatMap((container) =>
    PROBE_TYPES.flatMap((type) => {
      const action = container.in(`${type}Probe`).in('httpGet');
      const path = action.text('path');
      const original = originals[path];
      if (original === undefined) return [];
      const asked = `http :${portText(action)}${path}`;
      return `Istio rewrites the ${type} probe of ${container.text('name')}: the kubelet asks ${asked}, and the sidecar then asks ${originalText(original)}`;
    }),
  );
}

function originalText(probe: unknown): string {
  const fields = new JsonReader(probe);
  const [kind, scheme] = SCHEMES.find(([name]) => fields.keys().includes(name)) ?? ['', ''];
  const handler = fields.in(kind);
  const port = portText(handler);
  if (port === '') return `something that kprobe cannot read: ${JSON.stringify(probe)}`;
  return `${scheme} :${port}${kind === 'httpGet' ? handler.text('path') : ''}`;
}

const SCHEMES = Object.entries({ httpGet: 'http', tcpSocket: 'tcp', grpc: 'grpc' });

function portText(handler: JsonReader): string {
  return handler.text('port') || (handler.number('port') || '').toString();
}
