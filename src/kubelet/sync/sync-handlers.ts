import type { Pod } from '../../api/index.js';
import type { Backoff } from '../containers/backoff.js';
import type { ContainerGC } from '../containers/container-gc.js';
import type { ProbeType } from '../event.js';
import type { ProberManager } from '../prober/prober-manager.js';
import type { ResultUpdate } from '../prober/worker-loop.js';
import { needToReconcilePodReadiness } from '../status/conditions.js';
import { isTerminal } from '../status/pod-status.js';
import type { StatusManager } from '../status/status-manager.js';
import type { PodLifecycleEvent } from './pleg.js';
import type { PodCache } from './pod-cache.js';
import type { PodWorkers } from './pod-workers.js';
import type { WorkQueue } from './work-queue.js';

export interface SyncHandlersOptions {
  readonly podManager: PodManager;
  readonly podWorkers: PodWorkers;
  readonly proberManager: ProberManager;
  readonly statusManager: StatusManager;
  readonly cache: PodCache;
  readonly workQueue: WorkQueue;
  readonly crashLoopBackOff: Backoff;
  readonly gc: ContainerGC;
  readonly pastActiveDeadline: (pod: Pod) => boolean;
}

/** Handles the sync loop's events. Ports SyncHandler (pkg/kubelet/kubelet.go). */
export class SyncHandlers {
  constructor(private readonly options: SyncHandlersOptions) {}

  /** Ports HandlePodAdditions. */
  handlePodAddition(pod: Pod): void {
    this.options.podManager.setPod(pod);
    this.options.podWorkers.updatePod({ pod, updateType: 'create' });
  }

  /** Ports HandlePodUpdates; also for a pod that is marked for deletion. */
  handlePodUpdate(pod: Pod): void {
    this.options.podManager.setPod(pod);
    this.options.podWorkers.updatePod({ pod, updateType: 'update' });
  }

  /** Handles a changed status in the API server. Ports HandlePodReconcile. */
  handlePodReconcile(pod: Pod): void {
    this.options.podManager.setPod(pod);
    if (needToReconcilePodReadiness(pod)) this.#sync(pod);
  }

  /** Ports HandlePodRemoves. */
  handlePodRemoval(pod: Pod): void {
    this.options.podManager.removePod(pod.metadata.uid);
    this.options.podWorkers.updatePod({ pod, updateType: 'kill' });
  }

  /** Syncs the pods that are due. Ports the sync tick of syncLoopIteration. */
  onSyncTick(): void {
    const { podManager, workQueue, pastActiveDeadline } = this.options;
    const due = workQueue.getWork();
    for (const pod of podManager.getPods()) {
      if (due.has(pod.metadata.uid) || pastActiveDeadline(pod)) this.#sync(pod);
    }
  }

  /** Ports the PLEG's case of syncLoopIteration. */
  onPlegEvent({ uid, type, id }: PodLifecycleEvent): void {
    // A removed container changes nothing about the pod.
    if (type !== 'ContainerRemoved') this.#syncByUID(uid);
    if (type !== 'ContainerDied' || id === undefined) return;
    const cached = this.options.cache.get(uid);
    if (cached.kind === 'status') this.options.gc.deleteContainersInPod(id, cached.status);
  }

  /** Ports the probes' cases of syncLoopIteration. */
  onProbeUpdate(probeType: ProbeType, { podUID, containerID, result }: ResultUpdate): void {
    const { statusManager } = this.options;
    switch (probeType) {
      case 'liveness':
        if (result !== 'failure') return;
        break;
      case 'readiness':
        statusManager.setContainerReadiness(podUID, containerID, result === 'success');
        break;
      case 'startup':
        statusManager.setContainerStartup(podUID, containerID, result === 'success');
    }
    this.#syncByUID(podUID);
  }

  /** Ports HandlePodCleanups (pkg/kubelet/kubelet_pods.go). */
  onHousekeeping(): void {
    const { podManager, podWorkers, proberManager, statusManager, crashLoopBackOff } = this.options;
    const workers = podWorkers.syncKnownPods(podManager);
    proberManager.cleanupPods((uid) => {
      const worker = workers.get(uid);
      return worker !== undefined && worker !== 'TerminatedPod';
    });
    statusManager.removeOrphanedStatuses(podManager);
    for (const pod of podManager.getPods()) {
      // The pod was added again with the uid of a finished one: it starts over.
      if (workers.has(pod.metadata.uid) || this.#isPodInactive(pod)) continue;
      podWorkers.updatePod({ pod, updateType: 'create' });
    }
    crashLoopBackOff.gc();
  }

  /** Ports isPodInactive and isAdmittedPodTerminal (pkg/kubelet/kubelet_pods.go). */
  #isPodInactive(pod: Pod): boolean {
    const { podWorkers, statusManager } = this.options;
    const { uid } = pod.metadata;
    if (podWorkers.isPodKnownTerminated(uid)) return true;
    const phase = statusManager.getPodStatus(uid)?.phase;
    const terminal = isTerminal(pod.status.phase) || isTerminal(phase);
    return terminal && !podWorkers.isPodTerminationRequested(uid);
  }

  #syncByUID(uid: string): void {
    const pod = this.options.podManager.getPodByUID(uid);
    if (pod !== undefined) this.#sync(pod);
  }

  #sync(pod: Pod): void {
    this.options.podWorkers.updatePod({ pod, updateType: 'sync' });
  }
}

/** The desired pods by uid. Ports basicManager (pkg/kubelet/pod/pod_manager.go). */
export class PodManager {
  readonly #pods = new Map<string, Pod>();

  getPods(): Iterable<Pod> {
    return this.#pods.values();
  }

  getPodByUID(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  setPod(pod: Pod): void {
    this.#pods.set(pod.metadata.uid, pod);
  }

  removePod(uid: string): void {
    this.#pods.delete(uid);
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }
}
