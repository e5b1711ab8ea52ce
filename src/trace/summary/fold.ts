import type { Container, Pod } from '../../api/index.js';
import { containerProbes } from '../../kubelet/prober/probe-of.js';
import { behaviorOf } from '../../kubelet/release.js';
import { isRestartableInitContainer } from '../../kubelet/restart-policy.js';
import { isClusterSide, nameInCluster } from '../cluster-side.js';
import type { LineOf, TraceLine } from '../trace-line.js';
import type { ContainerRole, ContainerView } from './container-view.js';
import { foldActions, foldContainerEvent, foldStatus } from './fold-container.js';
import { foldEvent } from './fold-event.js';
import { foldProbeEvent } from './fold-probe.js';
import { EMPTY_HISTOGRAM, type ProbeView } from './probe-view.js';
import {
  appendBounded,
  type Behind,
  findPod,
  NO_CORRELATION,
  type PodSummary,
  type Summary,
  type WorkloadView,
} from './summary.js';

const MAX_NOTES = 100;

export function fold(summary: Summary, event: TraceLine): Summary {
  const { t } = event;
  if (event.kind === 'note') {
    const { level, text } = event;
    return { ...summary, t, notes: appendBounded(summary.notes, { t, level, text }, MAX_NOTES) };
  }
  if (event.kind === 'runtime') {
    const { runtimeError, ...rest } = summary;
    const { up, server, error = 'it cannot be reached' } = event;
    if (up) return { ...rest, t };
    const sentence = server === undefined ? `the runtime cannot be reached: ${error}` : error;
    return { ...rest, t, runtimeError: sentence };
  }
  if (event.kind === 'workload') {
    return {
      ...summary,
      t,
      pods: settledBy(event, summary),
      workloads: withWorkload(summary, event),
    };
  }
  const position = summary.positions.get(event.pod) ?? -1;
  const known = findPod(summary, event.pod);
  if (known === undefined) {
    if (event.kind !== 'pod') return { ...summary, t };
    const added = newPodSummary(event.pod, event.object, event.at ?? t);
    return {
      ...summary,
      t,
      pods: [...withClusterSide(summary, event.pod), added],
      positions: appendedPosition(summary, event.pod),
      probes: summary.probes + probesOf(added),
    };
  }
  if (event.kind === 'gone') return withoutPod(summary, known, t);
  const pod = foldPod(known, event, summary.probes);
  if (pod === known) return { ...summary, t };
  const pods = summary.pods.slice();
  pods[position] = pod;
  const behind = event.kind === 'attempt' ? foldLateness(summary.behind, event) : summary.behind;
  const probes = summary.probes + (event.kind === 'pod' ? probesOf(pod) - probesOf(known) : 0);
  return { ...summary, t, pods, probes, ...(behind !== undefined && { behind }) };
}

function withClusterSide({ pods }: Summary, added: string): Summary['pods'] {
  if (!isClusterSide(added)) return pods;
  const key = nameInCluster(added);
  return pods.map((pod) => (pod.key === key ? { ...pod, hasClusterSide: true } : pod));
}

/** Summaries share the positions, since pods are only appended: copies for 5,000 pods would take seconds. */
function appendedPosition({ positions, pods }: Summary, key: string): Summary['positions'] {
  const shared = pods.length === 0 ? new Map<string, number>() : (positions as Map<string, number>);
  return shared.set(key, pods.length);
}

function withoutPod(summary: Summary, gone: PodSummary, t: number): Summary {
  const pods = summary.pods.filter((pod) => pod !== gone);
  const positions = new Map(pods.map(({ key }, index) => [key, index]));
  return { ...summary, t, pods, positions, probes: summary.probes - probesOf(gone) };
}

function probesOf({ containers }: PodSummary): number {
  return containers.reduce((sum, { probes }) => sum + probes.length, 0);
}

function foldLateness(
  behind: Behind | undefined,
  { t, late, skipped = 0 }: LineOf<'attempt'>,
): Behind | undefined {
  if (late === undefined) return behind;
  return { t, late: late / 1000, skipped: (behind?.skipped ?? 0) + skipped };
}

/** Marks the pods of a Job that is complete. */
function settledBy(
  { workload, namespace, done }: LineOf<'workload'>,
  { pods }: Summary,
): Summary['pods'] {
  const isOfJob = ({ object: { metadata } }: PodSummary): boolean =>
    metadata.namespace === namespace &&
    workload === `job/${metadata.labels?.['batch.kubernetes.io/job-name']}`;
  return done ? pods.map((pod) => (isOfJob(pod) ? { ...pod, isSettled: true } : pod)) : pods;
}

function withWorkload({ workloads }: Summary, event: LineOf<'workload'>): readonly WorkloadView[] {
  const { workload, namespace } = event;
  const before = workloads.find(
    (each) => each.workload === workload && each.namespace === namespace,
  );
  const view = { ...event, history: historyOf(before, event) };
  return before === undefined
    ? [...workloads, view]
    : workloads.map((each) => (each === before ? view : each));
}

const MAX_REPLICA_POINTS = 500;

function historyOf(
  before: WorkloadView | undefined,
  { t, done, replicas }: LineOf<'workload'>,
): WorkloadView['history'] {
  const begins = before?.done === true && !done;
  const history = begins ? [] : (before?.history ?? []);
  const isKnown = JSON.stringify(before?.replicas) === JSON.stringify(replicas);
  if (replicas === undefined || isKnown) return history;
  return appendBounded(history, { t, ...replicas }, MAX_REPLICA_POINTS);
}

type PodEvent = Exclude<TraceLine, { kind: 'runtime' | 'note' | 'workload' | 'gone' }>;

/** Keeps the first divergence; a node that is ready again is none. */
function foldDivergence(pod: PodSummary, event: LineOf<'divergence'>): PodSummary {
  const { divergence, ...rest } = pod;
  if (divergence === undefined) return event.over ? pod : { ...pod, divergence: event };
  return event.over && divergence.happened === event.happened ? rest : pod;
}

function foldPod(pod: PodSummary, event: PodEvent, probes: number): PodSummary {
  const { t } = event;
  switch (event.kind) {
    case 'pod':
      // Another pod has taken the name.
      if (event.at !== undefined && event.object.metadata.uid !== pod.object.metadata.uid) {
        return newPodSummary(pod.key, event.object, event.at);
      }
      return {
        ...pod,
        object: event.object,
        containers: containersOf(event.object, pod.containers),
      };
    case 'action':
      return event.do === 'delete' ? { ...pod, deletedAt: event.at ?? t } : pod;
    case 'status':
      return foldStatus(pod, event, t);
    case 'event':
      return foldEvent(pod, event, t);
    case 'actions':
      return foldActions(pod, event, t);
    case 'kubelet':
      return { ...pod, behavior: behaviorOf(event) };
    case 'divergence':
      return foldDivergence(pod, event);
    case 'runPodSandbox':
    case 'stopPodSandbox':
      return pod;
    case 'attempt':
    case 'attemptDone':
    case 'counted':
    case 'worker':
    case 'trial':
      return inContainer(pod, event.container, (c) => foldProbeEvent(c, event, probes));
    default:
      return inContainer(pod, event.container, (c) =>
        foldContainerEvent(c, event, t, pod.behavior),
      );
  }
}

function inContainer(
  pod: PodSummary,
  name: string,
  change: (container: ContainerView) => ContainerView,
): PodSummary {
  return { ...pod, containers: pod.containers.map((c) => (c.name === name ? change(c) : c)) };
}

export function newPodSummary(key: string, object: Pod, t: number): PodSummary {
  return {
    key,
    object,
    addedAt: t,
    phase: '',
    reason: '',
    conditions: {},
    status: undefined,
    containers: containersOf(object, []),
    events: [],
    correlation: NO_CORRELATION,
    readiness: [],
  };
}

/** Returns the containers of a pod's spec; `known` ones keep their history. */
function containersOf({ spec }: Pod, known: readonly ContainerView[]): ContainerView[] {
  const view = (container: Container, role: ContainerRole): ContainerView => {
    const before = known.find(({ name }) => name === container.name);
    return changed(before ?? newContainer(container, role), container, role);
  };
  return [
    ...(spec.initContainers ?? []).map((container) =>
      view(container, isRestartableInitContainer(container) ? 'sidecar' : 'init'),
    ),
    ...spec.containers.map((container) => view(container, 'container')),
  ];
}

/** Removes probes that the spec no longer has; others keep their history. */
function changed(before: ContainerView, spec: Container, role: ContainerRole): ContainerView {
  const probes = (role === 'init' ? [] : newProbes(spec)).map(
    (probe) => before.probes.find(({ type }) => type === probe.type) ?? probe,
  );
  return { ...before, role, spec, probes };
}

function newContainer(spec: Container, role: ContainerRole): ContainerView {
  return {
    name: spec.name,
    role,
    spec,
    state: { kind: 'unknown', text: '' },
    lastState: { kind: 'unknown', text: '' },
    ready: false,
    started: false,
    restartCount: 0,
    runs: [],
    probes: role === 'init' ? [] : newProbes(spec),
    states: [],
    replays: [],
    output: [],
    outputCount: 0,
  };
}

function newProbes(spec: Container): ProbeView[] {
  const none = { successes: 0, failures: 0, errors: 0, latencies: EMPTY_HISTOGRAM };
  return containerProbes(spec).map(({ type, probe: { successThreshold: threshold } }) => {
    return { type, resultRun: 0, threshold, ...none, attempts: [], trials: [] };
  });
}
