import {
  type Container,
  containerNamed,
  type ContainerStatus,
  omitUndefined,
  type Pod,
  type PodStatus,
} from '../../api/index.js';
import type { ProbeType, Result } from '../../trace/event.js';
import { EventRecorder } from '../event-recorder.js';
import { buildContainerID } from '../pod-name.js';
import type { RuntimePodStatus } from '../ports.js';
import { DEFAULT_BEHAVIOR, type ReleaseBehavior } from '../release.js';
import { isRestartableInitContainer, isTrue } from '../restart-policy.js';
import { changedProbes, containerProbes, probeTypeName } from './probe-of.js';
import { ResultsManager, type ResultUpdate } from './results-manager.js';
import { findContainerStatus, isOlderThanKubelet, newWorker, type Worker } from './worker.js';
import { type Trigger, WorkerLoop, type WorkerLoopOptions } from './worker-loop.js';

interface ProberManagerOptions extends Omit<WorkerLoopOptions, 'worker' | 'results' | 'onEnd'> {
  readonly onUpdate: (probeType: ProbeType, update: ResultUpdate) => void;
}

interface ProbeKey {
  readonly uid: string;
  readonly container: string;
  readonly probeType: ProbeType;
}

/** Runs a worker for every probe of every pod. Ports the prober's manager (pkg/kubelet/prober/prober_manager.go). */
export class ProberManager {
  readonly startup: ResultsManager;
  readonly readiness: ResultsManager;
  readonly liveness: ResultsManager;
  readonly #workers = new Map<string, { readonly key: ProbeKey; readonly loop: WorkerLoop }>();
  /** The pods as last synced, by uid, where changed probes take effect. */
  readonly #synced = new Map<string, Pod>();
  #stopped = false;

  constructor(private readonly options: ProberManagerOptions) {
    const manager = (probeType: ProbeType): ResultsManager =>
      new ResultsManager((update) => options.onUpdate(probeType, update));
    this.startup = manager('startup');
    this.readiness = manager('readiness');
    this.liveness = manager('liveness');
  }

  /** Starts the pod's workers once, with the ids of containers that have results already. Ports AddPod. */
  addPod(pod: Pod, ids?: ReadonlyMap<string, string>): void {
    if (this.#stopped) return;
    const sidecars = (pod.spec.initContainers ?? []).filter(isRestartableInitContainer);
    const { startsMissingWorkers } = this.options.behavior ?? DEFAULT_BEHAVIOR;
    for (const container of [...pod.spec.containers, ...sidecars]) {
      const hadWorker = this.#addContainer(pod, container, ids?.get(container.name));
      if (hadWorker && !startsMissingWorkers) return;
    }
  }

  /** Starts the workers of a pod that another kubelet runs before its first status: what has started stays started. */
  takeOver(pod: Pod, runtimeName: string, { containerStatuses }: RuntimePodStatus): void {
    if (!containerStatuses.some(({ started }) => started !== undefined)) return;
    const started = containerStatuses.filter((status) => status.started === true);
    const ids = new Map(started.map(({ id, name }) => [name, buildContainerID(runtimeName, id)]));
    for (const id of ids.values()) this.startup.set(id, 'success', pod.metadata.uid);
    this.addPod(pod, ids);
  }

  /** Starts the workers of a container up to the first that runs; returns whether there is one. */
  #addContainer(pod: Pod, container: Container, id?: string): boolean {
    for (const { type: probeType, probe } of containerProbes(container)) {
      const key = { uid: pod.metadata.uid, container: container.name, probeType };
      // As in the kubelet, the probes of a pod that has workers are never updated.
      if (this.#workers.has(keyText(key))) return true;
      this.#startWorker(key, newWorker(probeType, pod, container, probe, id));
    }
    return false;
  }

  /** Ends the liveness and startup workers of a terminating pod's regular containers. Ports StopLivenessAndStartup. */
  stopLivenessAndStartup(pod: Pod): void {
    const names = new Set(pod.spec.containers.map((container) => container.name));
    this.#stopWhere(
      (key) =>
        key.uid === pod.metadata.uid && key.probeType !== 'readiness' && names.has(key.container),
    );
  }

  /**
   * Applies probes that have changed since the pod's last sync, where they may; returns whether one was removed, so that
   * the status may differ. Follows KEP-6318, whose kubelet calls it ReconcilePod.
   */
  reconcilePod(pod: Pod): boolean {
    const { behavior = DEFAULT_BEHAVIOR, getPodStatus, emit } = this.options;
    if (!behavior.updatesProbes || this.#stopped) return false;
    const { uid } = pod.metadata;
    const changes = changedProbes(this.#synced.get(uid) ?? pod, pod);
    this.#synced.set(uid, pod);
    for (const { container, probeType, before, after } of changes) {
      const key = { uid, container: container.name, probeType };
      const loop = this.#workers.get(keyText(key))?.loop;
      if (after === undefined) loop?.remove();
      else if (loop !== undefined) loop.update(pod, container, after);
      else {
        const c = findContainerStatus(getPodStatus(uid) ?? {}, container.name);
        const started = probeType === 'startup' && c?.started === true ? c.containerID : undefined;
        if (started !== undefined) this.startup.set(started, 'success', uid);
        this.#startWorker(key, newWorker(probeType, pod, container, after, started));
      }
      const what = before === undefined ? 'added' : after === undefined ? 'removed' : 'updated';
      const message = `${probeTypeName(probeType)} probe of container ${container.name} ${what}`;
      new EventRecorder(emit).podEvent(pod, 'Normal', 'ContainerProbeChanged', message);
    }
    return changes.some(({ after }) => after === undefined);
  }

  removePod(pod: Pod): void {
    this.#synced.delete(pod.metadata.uid);
    this.#stopWhere((key) => key.uid === pod.metadata.uid);
  }

  /** Cancels the context of a pod's workers: the workers continue, but run no more commands. */
  cancelPod(uid: string): void {
    for (const { key, loop } of this.#workers.values()) {
      if (key.uid === uid) loop.cancel();
    }
  }

  /** Ends the workers of pods that should no longer run. Ports CleanupPods. */
  cleanupPods(isDesired: (uid: string) => boolean): void {
    this.#stopWhere((key) => !isDesired(key.uid));
  }

  /** Ends all workers at once and starts no new ones, as the exit of a kubelet does. */
  stop(): void {
    this.#stopped = true;
    for (const { loop } of [...this.#workers.values()]) loop.halt();
  }

  /**
   * Returns the status with `started` and `ready` set from the results, and triggers readiness workers that have no
   * successful result. Ports UpdatePodStatus.
   */
  updatePodStatus(pod: Pod, status: PodStatus): PodStatus {
    const updated = probeReadiness(pod, status, {
      startupResult: (containerID) => this.startup.get(containerID),
      readinessResult: (containerID) => this.readiness.get(containerID),
      hasWorker: (container, probeType) =>
        this.#workers.has(keyText({ uid: pod.metadata.uid, container, probeType })),
      kubeletStart: this.options.kubeletStart,
      behavior: this.options.behavior,
    });
    const { uid } = pod.metadata;
    for (const name of updated.trigger) this.trigger(uid, name, 'readiness', 'kubelet');
    return updated.status;
  }

  /** Triggers a probe; false when there is no such worker. */
  trigger(uid: string, container: string, probeType: ProbeType, by: Trigger = 'user'): boolean {
    const entry = this.#workers.get(keyText({ uid, container, probeType }));
    entry?.loop.trigger(by);
    return entry !== undefined;
  }

  #startWorker(key: ProbeKey, worker: Worker): void {
    const loop = new WorkerLoop({
      ...this.options,
      worker,
      results: this[key.probeType],
      onEnd: () => this.#workers.delete(keyText(key)),
    });
    this.#workers.set(keyText(key), { key, loop });
    loop.start();
  }

  #stopWhere(matches: (key: ProbeKey) => boolean): void {
    for (const { key, loop } of this.#workers.values()) {
      if (matches(key)) loop.stop();
    }
  }
}

function keyText({ uid, container, probeType }: ProbeKey): string {
  return `${uid} ${container} ${probeType}`;
}

interface ProbeReadinessInput {
  readonly startupResult: (containerID: string) => Result | undefined;
  readonly readinessResult: (containerID: string) => Result | undefined;
  readonly hasWorker: (container: string, probeType: ProbeType) => boolean;
  /** Start of the kubelet, in the clock's milliseconds. */
  readonly kubeletStart: number;
  readonly behavior?: ReleaseBehavior | undefined;
}

/** Sets `started` and `ready` from probe results. Ports UpdatePodStatus (pkg/kubelet/prober/prober_manager.go). */
export function probeReadiness(pod: Pod, status: PodStatus, input: ProbeReadinessInput) {
  // The containers whose readiness workers have to probe now.
  const trigger: string[] = [];
  const { behavior = DEFAULT_BEHAVIOR, kubeletStart } = input;
  const decide = (c: ContainerStatus, spec = containerNamed(pod.spec, c.name)): ContainerStatus => {
    const started = isContainerStarted(c, input);
    if (!started) return { ...c, started };
    if (c.state.running === undefined) return { ...c, started, ready: false };
    const containerID = c.containerID ?? '';
    const result = input.readinessResult(containerID);
    if (result === 'success') return { ...c, started, ready: true };
    const probed = input.hasWorker(c.name, 'readiness');
    if (probed) trigger.push(c.name);
    const ready = behavior.keepsResultsOnRestart
      ? readyStateOnKubeletRestart(!probed, result, c, spec, pod, kubeletStart)
      : !probed;
    return { ...c, started, ready };
  };
  const containerStatuses = status.containerStatuses?.map((c) => decide(c));
  const initContainerStatuses = status.initContainerStatuses?.map((c) => {
    const spec = pod.spec.initContainers?.find(({ name }) => name === c.name);
    if (spec !== undefined && isRestartableInitContainer(spec)) return decide(c, spec);
    const completed = spec !== undefined && c.state.terminated?.exitCode === 0;
    return { ...c, started: isContainerStarted(c, input), ready: completed || c.ready };
  });
  return {
    status: { ...status, ...omitUndefined({ containerStatuses, initContainerStatuses }) },
    trigger,
  };
}

/** Ports isContainerStarted (pkg/kubelet/prober/prober_manager.go). */
function isContainerStarted(c: ContainerStatus, input: ProbeReadinessInput): boolean {
  if (c.state.running === undefined) return false;
  const result = input.startupResult(c.containerID ?? '');
  if (result !== undefined) return result === 'success';
  // `started` survives a restart of the container, after which a readiness probe may run too early.
  const { keepsResultsOnRestart } = input.behavior ?? DEFAULT_BEHAVIOR;
  if (keepsResultsOnRestart && c.started === true) return true;
  return !input.hasWorker(c.name, 'startup');
}

/**
 * Returns whether a container without a successful readiness result is ready. One that is older than the kubelet stays
 * ready until its probe has a result. Ports setReadyStateOnKubeletRestart (pkg/kubelet/prober/prober_manager.go).
 */
function readyStateOnKubeletRestart(
  ready: boolean,
  result: Result | undefined,
  c: ContainerStatus,
  spec: Container | undefined,
  pod: Pod,
  kubeletStart: number,
): boolean {
  if (!isOlderThanKubelet(c, kubeletStart) || spec === undefined) return ready;
  if (spec.readinessProbe !== undefined && !isTrue(pod.status, 'Ready')) return false;
  return ready || result === undefined;
}
