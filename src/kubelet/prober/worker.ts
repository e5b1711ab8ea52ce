import type { Container, ContainerStatus, Pod, PodStatus, Probe } from '../../api/index.js';
import type { ProbeType, Result, WorkerState } from '../event.js';
import { podKey } from '../pod-name.js';
import {
  containerShouldRestart,
  isRestartableInitContainer,
  shouldAllContainersRestart,
} from '../restart-policy.js';

/*
 * One tick of a worker, in two pure halves around the attempt:
 *
 *   tick ──► beforeProbe ──► stop    the worker ends
 *                       ├──► skip    wait for the next tick
 *                       └──► probe ──► attempt ──► afterProbe ──► wait for the next tick
 *
 * Both return the worker's next state and what is to be done to its results manager.
 */

/** What a worker remembers from tick to tick. */
export interface Worker {
  /** Of this probe of this container of this pod. */
  readonly key: string;
  /** `namespace/name`. */
  readonly podKey: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly spec: Probe;
  readonly probeType: ProbeType;
  /** The container probed last, empty before there was one. */
  readonly containerID: string;
  readonly lastResult: Result;
  /** How often in a row the last result came. */
  readonly resultRun: number;
  /** Set until there is a new container. */
  readonly onHold: boolean;
}

/** A change to the results manager. */
export type ResultChange =
  | { readonly kind: 'set'; readonly containerID: string; readonly result: Result }
  | { readonly kind: 'remove'; readonly containerID: string };

export interface BeforeProbe {
  readonly kind: 'stop' | 'skip' | 'probe';
  readonly worker: Worker;
  readonly changes: readonly ResultChange[];
  readonly state: WorkerState;
}

export interface AfterProbe {
  readonly worker: Worker;
  /** The result to set, where the threshold is met. */
  readonly set?: Result;
}

const INITIAL_VALUE: Readonly<Record<ProbeType, Result>> = {
  readiness: 'failure',
  liveness: 'success',
  startup: 'unknown',
};

/** Tells the worker of one probe from all others. */
export function workerKey(uid: string, container: string, probeType: ProbeType): string {
  return `${uid} ${container} ${probeType}`;
}

/** Ports newWorker (pkg/kubelet/prober/worker.go). */
export function newWorker(
  probeType: ProbeType,
  pod: Pod,
  container: Container,
  spec: Probe,
): Worker {
  return {
    key: workerKey(pod.metadata.uid, container.name, probeType),
    podKey: podKey(pod),
    pod,
    container,
    spec,
    probeType,
    containerID: '',
    lastResult: 'success',
    resultRun: 0,
    onHold: false,
  };
}

/** Decides what a tick does. Ports doProbe's first half (pkg/kubelet/prober/worker.go). */
export function beforeProbe(
  worker: Worker,
  status: PodStatus | undefined,
  now: number,
  kubeletStart: number,
): BeforeProbe {
  let next = worker;
  let changes = NONE;

  // Either the pod has not been created yet, or it was already deleted.
  if (status === undefined) return { kind: 'skip', worker: next, changes, state: 'noStatus' };
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    return { kind: 'stop', worker: next, changes, state: 'stopped' };
  }
  const c = findContainerStatus(status, worker.container.name);
  if (c?.containerID === undefined) {
    return { kind: 'skip', worker: next, changes, state: 'noContainer' };
  }

  if (worker.containerID !== c.containerID) {
    // A new container: its result begins anew, and probing resumes.
    next = { ...worker, containerID: c.containerID, onHold: false };
    changes = resultsOfNewContainer(worker, c, c.containerID, kubeletStart);
  }
  if (next.onHold) return { kind: 'skip', worker: next, changes, state: 'onHold' };

  const { running, terminated } = c.state;
  if (running === undefined) {
    changes = [...changes, { kind: 'set', containerID: next.containerID, result: 'failure' }];
    return terminated === undefined || mayRunAgain(next, status, terminated.exitCode)
      ? { kind: 'skip', worker: next, changes, state: 'notRunning' }
      : { kind: 'stop', worker: next, changes, state: 'stopped' };
  }

  if (worker.pod.metadata.deletionTimestamp !== undefined && worker.probeType !== 'readiness') {
    // A last result that keeps the shutdown quiet.
    changes = [...changes, { kind: 'set', containerID: next.containerID, result: 'success' }];
    return { kind: 'stop', worker: next, changes, state: 'stopped' };
  }

  const age = Math.trunc((now - (running.startedAt ?? 0)) / 1000);
  if (age < worker.spec.initialDelaySeconds) {
    return { kind: 'skip', worker: next, changes, state: 'initialDelay' };
  }

  // A startup probe rests once the container has started; the others rest until then.
  if (c.started === true) {
    if (worker.probeType === 'startup') {
      return { kind: 'skip', worker: next, changes, state: 'started' };
    }
  } else if (worker.probeType !== 'startup') {
    return { kind: 'skip', worker: next, changes, state: 'awaitingStartup' };
  }
  return { kind: 'probe', worker: next, changes, state: 'probing' };
}

const NONE: readonly ResultChange[] = [];

/** Counts a result against its threshold. Ports doProbe's second half (pkg/kubelet/prober/worker.go). */
export function afterProbe(worker: Worker, result: Result): AfterProbe {
  const resultRun = worker.lastResult === result ? worker.resultRun + 1 : 1;
  // Below the threshold the probe's state stays as it is.
  if (resultRun < thresholdOf(worker.spec, result)) {
    return { worker: counted(worker, result, resultRun, worker.onHold) };
  }
  if ((worker.probeType === 'liveness' && result === 'failure') || worker.probeType === 'startup') {
    // The container will be restarted, or has started: rest until there is a new one.
    return { worker: counted(worker, result, 0, true), set: result };
  }
  return { worker: counted(worker, result, resultRun, worker.onHold), set: result };
}

function counted(worker: Worker, lastResult: Result, resultRun: number, onHold: boolean): Worker {
  const { key, podKey, pod, container, spec, probeType, containerID } = worker;
  return {
    key,
    podKey,
    pod,
    container,
    spec,
    probeType,
    containerID,
    lastResult,
    resultRun,
    onHold,
  };
}

/** When the initial delay of the container that runs is over. */
export function initialDelayEnd(worker: Worker, status?: PodStatus): number | undefined {
  const c = status && findContainerStatus(status, worker.container.name);
  const startedAt = c?.state.running?.startedAt;
  return startedAt === undefined ? undefined : startedAt + worker.spec.initialDelaySeconds * 1000;
}

/** How many results in a row it takes. */
export function thresholdOf(spec: Probe, result: Result): number {
  switch (result) {
    case 'success':
      return spec.successThreshold;
    case 'failure':
      return spec.failureThreshold;
    case 'unknown':
      return 1;
  }
}

function findContainerStatus(status: PodStatus, name: string): ContainerStatus | undefined {
  return (
    findCreated(status.containerStatuses, name) ?? findCreated(status.initContainerStatuses, name)
  );
}

/** Each look comes here: without a closure. */
function findCreated(
  statuses: readonly ContainerStatus[] | undefined,
  name: string,
): ContainerStatus | undefined {
  if (statuses === undefined) return undefined;
  for (const c of statuses) if (c.name === name && c.containerID !== undefined) return c;
  return undefined;
}

function resultsOfNewContainer(
  worker: Worker,
  c: ContainerStatus,
  containerID: string,
  kubeletStart: number,
): ResultChange[] {
  const changes: ResultChange[] = [];
  if (worker.containerID !== '') {
    changes.push({ kind: 'remove', containerID: worker.containerID });
  }
  const { probeType } = worker;
  if (probeType === 'startup' && c.started === true && isSidecar(worker)) {
    changes.push({ kind: 'set', containerID, result: 'success' });
  }
  // A container older than the kubelet keeps what it was: a restarted kubelet makes nothing unready.
  const startedAt = c.state.running?.startedAt;
  const isRestart = startedAt !== undefined && startedAt < kubeletRestartGracePeriod(kubeletStart);
  if (!isRestart) changes.push({ kind: 'set', containerID, result: INITIAL_VALUE[probeType] });
  return changes;
}

/** A container that started before this ran before the kubelet did. Ports kubeletRestartGracePeriod (prober_manager.go). */
export function kubeletRestartGracePeriod(kubeletStart: number): number {
  return kubeletStart - 10_000;
}

function isSidecar(worker: Worker): boolean {
  const isInit = worker.pod.spec.initContainers?.some((c) => c.name === worker.container.name);
  return isInit === true && isRestartableInitContainer(worker.container);
}

function mayRunAgain(worker: Worker, status: PodStatus, exitCode: number): boolean {
  return (
    containerShouldRestart(worker.container, worker.pod.spec, exitCode) ||
    shouldAllContainersRestart(worker.pod, undefined, status)
  );
}
