import type { Container, ContainerStatus, Pod, PodStatus, Probe } from '../../api/index.js';
import type { ProbeType, Result, WorkerState } from '../../trace/event.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../release.js';
import {
  containerShouldRestart,
  isRestartableInitContainer,
  shouldAllContainersRestart,
} from '../restart-policy.js';
import { probeOf } from './probe-of.js';
import { INITIAL_VALUE, nextResultRun, thresholdOf } from './result-run.js';

/*
 * One tick of a worker, in two pure halves around the attempt:
 *
 *   tick ──► beforeProbe ──► stop    the worker ends
 *                       ├──► skip    wait for the next tick
 *                       └──► probe ──► attempt ──► afterProbe ──► wait for the next tick
 *
 * Both return the worker's next state and the changes to its results manager.
 */

/** State of a worker between ticks. */
export interface Worker {
  readonly pod: Pod;
  readonly container: Container;
  readonly spec: Probe;
  readonly probeType: ProbeType;
  /** Container that was probed last; empty before the first. */
  readonly containerID: string;
  readonly lastResult: Result;
  /** Number of times in a row that the last result has come. */
  readonly resultRun: number;
  /** Probing is on hold until there is a new container. */
  readonly onHold: boolean;
}

export type ResultChange =
  | { readonly kind: 'set'; readonly containerID: string; readonly result: Result }
  | { readonly kind: 'remove'; readonly containerID: string };

interface Decision {
  readonly kind: 'stop' | 'skip' | 'probe';
  readonly state: WorkerState;
  readonly set?: Result;
}

export interface BeforeProbe extends Omit<Decision, 'set'> {
  readonly worker: Worker;
  readonly changes: readonly ResultChange[];
}

/** Returns a worker; `containerID` is given for a container that has a result already. Ports newWorker (worker.go). */
export function newWorker(
  probeType: ProbeType,
  pod: Pod,
  container: Container,
  spec: Probe,
  containerID = '',
): Worker {
  const state = { containerID, lastResult: 'success', resultRun: 0, onHold: false } as const;
  return { pod, container, spec, probeType, ...state };
}

/** Decides what a tick does. Ports doProbe's first half (pkg/kubelet/prober/worker.go). */
export function beforeProbe(
  worker: Worker,
  status: PodStatus | undefined,
  now: number,
  kubeletStart: number,
  behavior: ReleaseBehavior = DEFAULT_BEHAVIOR,
): BeforeProbe {
  // Either the pod has not been created yet, or it was already deleted.
  if (status === undefined) return { kind: 'skip', state: 'noStatus', worker, changes: [] };
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    return { kind: 'stop', state: 'stopped', worker, changes: [] };
  }
  const c = findContainerStatus(status, worker.container.name);
  if (c?.containerID === undefined) {
    return { kind: 'skip', state: 'noContainer', worker, changes: [] };
  }
  let next = worker;
  const changes: ResultChange[] = [];
  const { containerID } = c;
  if (worker.containerID !== containerID) {
    // A new container: its results start over, probing resumes, and a changed delay counts.
    const spec = probeOf(worker.container, worker.probeType) ?? worker.spec;
    next = { ...worker, spec, containerID, onHold: false };
    changes.push(...resultsOfNewContainer(worker, c, containerID, kubeletStart, behavior));
  }
  const { kind, state, set } = decide(next, c, status, now, behavior);
  if (set !== undefined) changes.push({ kind: 'set', containerID, result: set });
  return { kind, state, worker: next, changes };
}

function decide(
  worker: Worker,
  c: ContainerStatus,
  status: PodStatus,
  now: number,
  behavior: ReleaseBehavior,
): Decision {
  if (worker.onHold) return { kind: 'skip', state: 'onHold' };
  const { running, terminated } = c.state;
  if (running === undefined) {
    return terminated === undefined || mayBeRestarted(worker, terminated.exitCode, status, behavior)
      ? { kind: 'skip', state: 'notRunning', set: 'failure' }
      : { kind: 'stop', state: 'stopped', set: 'failure' };
  }
  if (worker.pod.metadata.deletionTimestamp !== undefined && worker.probeType !== 'readiness') {
    // The last result is a success, so that the shutdown does not count as a failure.
    return { kind: 'stop', state: 'stopped', set: 'success' };
  }
  const age = Math.trunc((now - (running.startedAt ?? 0)) / 1000);
  if (age < worker.spec.initialDelaySeconds) return { kind: 'skip', state: 'initialDelay' };
  // Liveness and readiness wait for startup; the startup probe stops once the container has started.
  if (worker.probeType === 'startup') {
    if (c.started === true) return { kind: 'skip', state: 'started' };
  } else if (c.started !== true) return { kind: 'skip', state: 'awaitingStartup' };
  return { kind: 'probe', state: 'probing' };
}

/** Returns whether a worker continues after its container has ended. */
function mayBeRestarted(
  { container, pod }: Worker,
  exitCode: number,
  status: PodStatus,
  behavior: ReleaseBehavior,
): boolean {
  if (!behavior.workersEndByExitCode) {
    const isSidecar = isInitContainer(pod, container) && isRestartableInitContainer(container);
    // With the rules of 1.34, no worker ends with its container (worker.go).
    const isKept = behavior.restartRules || (isSidecar && behavior.keepsSidecarWorkers);
    return pod.spec.restartPolicy !== 'Never' || isKept;
  }
  return (
    containerShouldRestart(container, pod.spec, exitCode) ||
    shouldAllContainersRestart(pod, undefined, status)
  );
}

function isInitContainer(pod: Pod, container: Container): boolean {
  return pod.spec.initContainers?.some(({ name }) => name === container.name) === true;
}

/** Counts a result against its threshold, and sets it when that is met. Ports doProbe's second half (worker.go). */
export function afterProbe(
  worker: Worker,
  result: Result,
): { readonly worker: Worker; readonly set?: Result } {
  const { pod, container, spec, probeType, containerID } = worker;
  const run = nextResultRun(worker, result);
  // Below the threshold the probe's state stays as it is.
  const isSet = run >= thresholdOf(spec, result);
  // After a failed liveness or startup probe the container is restarted. Probing holds until there is a new one, because
  // a command that runs in a container while it is stopped may corrupt the container (kubernetes/kubernetes#21751).
  // After a startup probe has succeeded, holding avoids attempts that nothing needs (kubernetes/kubernetes#117153).
  const onHold =
    isSet && (probeType === 'startup' || (probeType === 'liveness' && result === 'failure'));
  const resultRun = onHold ? 0 : run;
  // The fields are listed, because V8 is slow to spread an object that a spread has made: 3 % of a simulation's time.
  const next = {
    pod,
    container,
    spec,
    probeType,
    containerID,
    lastResult: result,
    resultRun,
    onHold,
  };
  return isSet ? { worker: next, set: result } : { worker: next };
}

export function initialDelayEnd(worker: Worker, status?: PodStatus): number | undefined {
  const c = status && findContainerStatus(status, worker.container.name);
  const startedAt = c?.state.running?.startedAt;
  return startedAt === undefined ? undefined : startedAt + worker.spec.initialDelaySeconds * 1000;
}

export function findContainerStatus(status: PodStatus, name: string): ContainerStatus | undefined {
  const created = (c: ContainerStatus): boolean => c.name === name && c.containerID !== undefined;
  return status.containerStatuses?.find(created) ?? status.initContainerStatuses?.find(created);
}

function resultsOfNewContainer(
  worker: Worker,
  c: ContainerStatus,
  containerID: string,
  kubeletStart: number,
  { keepsResultsOnRestart }: ReleaseBehavior,
): ResultChange[] {
  const changes: ResultChange[] = [];
  if (worker.containerID !== '') changes.push({ kind: 'remove', containerID: worker.containerID });
  const { probeType, container, pod } = worker;
  const isSidecar = isInitContainer(pod, container) && isRestartableInitContainer(container);
  // A sidecar that had started before the kubelet did keeps its success. Without a startup result the kubelet would count
  // the pod as not initialized (kubernetes/kubernetes#136910).
  if (keepsResultsOnRestart && probeType === 'startup' && c.started === true && isSidecar) {
    changes.push({ kind: 'set', containerID, result: 'success' });
  }
  // A container that is older than the kubelet keeps its state, so that a restart of the kubelet leaves pods ready.
  if (!keepsResultsOnRestart || !isOlderThanKubelet(c, kubeletStart)) {
    changes.push({ kind: 'set', containerID, result: INITIAL_VALUE[probeType] });
  }
  return changes;
}

/** Milliseconds before the kubelet's start. Ports kubeletRestartGracePeriod (pkg/kubelet/prober/prober_manager.go). */
const KUBELET_RESTART_GRACE_PERIOD = 10_000;

/** Returns whether a container was already running before the kubelet started. */
export function isOlderThanKubelet({ state }: ContainerStatus, kubeletStart: number): boolean {
  const startedAt = state.running?.startedAt;
  return startedAt !== undefined && startedAt < kubeletStart - KUBELET_RESTART_GRACE_PERIOD;
}
