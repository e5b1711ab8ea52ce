import type { Pod } from '../../api/index.js';
import type { ProbeType } from '../../trace/event.js';
import type { Backoff } from '../containers/backoff.js';
import type { ContainerGC } from '../containers/container-gc.js';
import type { ProberManager } from '../prober/prober-manager.js';
import type { ResultUpdate } from '../prober/results-manager.js';
import {
  conditionsOfOthers,
  needToReconcilePodReadiness,
  podConditionByKubelet,
} from '../status/conditions.js';
import { isTerminal } from '../status/pod-status.js';
import type { StatusManager } from '../status/status-manager.js';
import type { PodLifecycleEvent } from './pleg.js';
import type { PodCache } from './pod-cache.js';
import type { PodWorkers } from './pod-workers.js';
import type { PodOperation, SyncLoopEvent } from './sync-loop.js';
import type { WorkQueue } from './work-queue.js';

interface SyncHandlersOptions {
  readonly pods: Map<string, Pod>;
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

  /** Ports the dispatch of syncLoopIteration. */
  handle(event: SyncLoopEvent): void {
    switch (event.kind) {
      case 'config':
        return this.#handleConfig(event.operation, event.pod);
      case 'reconcile': {
        const pod = this.options.pods.get(event.uid);
        if (pod !== undefined) this.handlePodReconcile({ ...pod, status: event.status });
        return;
      }
      case 'pleg':
        return this.onPlegEvent(event.event);
      case 'probe':
        return this.onProbeUpdate(event.probeType, event.update);
      case 'sync':
        return this.onSyncTick();
      case 'housekeeping':
        return this.onHousekeeping();
    }
  }

  #handleConfig(operation: PodOperation, pod: Pod): void {
    if (operation === 'ADD') this.handlePodAddition(pod);
    else if (operation === 'UPDATE') this.handlePodUpdate(this.#withKnownStatus(pod));
    else this.handlePodRemoval(pod);
  }

  /** Ports HandlePodAdditions. */
  handlePodAddition(pod: Pod): void {
    this.options.pods.set(pod.metadata.uid, pod);
    this.options.podWorkers.updatePod({ pod, updateType: 'create' });
  }

  /** Handles a change of the pod, or its mark for deletion. Ports HandlePodUpdates. */
  handlePodUpdate(pod: Pod): void {
    this.options.pods.set(pod.metadata.uid, pod);
    this.options.podWorkers.updatePod({ pod, updateType: 'update' });
  }

  /** Handles a changed status in the API server. Ports HandlePodReconcile. */
  handlePodReconcile(pod: Pod): void {
    this.options.pods.set(pod.metadata.uid, pod);
    if (needToReconcilePodReadiness(pod)) this.#sync(pod);
  }

  /** Ports HandlePodRemoves. */
  handlePodRemoval(pod: Pod): void {
    this.options.pods.delete(pod.metadata.uid);
    this.options.podWorkers.updatePod({ pod, updateType: 'kill' });
  }

  /** Syncs the pods that are due. Ports the sync tick of syncLoopIteration. */
  onSyncTick(): void {
    const { pods, workQueue, pastActiveDeadline } = this.options;
    const due = workQueue.getWork();
    for (const pod of pods.values()) {
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
    const passed = result === 'success';
    if (probeType === 'readiness') {
      statusManager.setContainerReadiness(podUID, containerID, passed);
    } else if (probeType === 'startup') {
      statusManager.setContainerStartup(podUID, containerID, passed);
    } else if (result !== 'failure') return;
    this.#syncByUID(podUID);
  }

  /** Ports HandlePodCleanups (pkg/kubelet/kubelet_pods.go). */
  onHousekeeping(): void {
    const { pods, podWorkers, proberManager, statusManager, crashLoopBackOff } = this.options;
    const workers = podWorkers.syncKnownPods(pods);
    proberManager.cleanupPods((uid) => {
      const worker = workers.get(uid);
      return worker !== undefined && worker !== 'TerminatedPod';
    });
    statusManager.removeOrphanedStatuses(pods);
    for (const pod of pods.values()) {
      // A pod that was added again with the uid of a finished pod starts over.
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

  /** Returns the pod with the status that the kubelet last reported, and with the conditions that others have set. */
  #withKnownStatus(pod: Pod): Pod {
    const known = this.options.pods.get(pod.metadata.uid)?.status;
    if (known === undefined) return pod;
    const reported = known.conditions?.filter((c) => podConditionByKubelet(c.type)) ?? [];
    const others = conditionsOfOthers(pod.status.conditions);
    return { ...pod, status: { ...known, conditions: [...others, ...reported] } };
  }

  #syncByUID(uid: string): void {
    const pod = this.options.pods.get(uid);
    if (pod !== undefined) this.#sync(pod);
  }

  #sync(pod: Pod): void {
    this.options.podWorkers.updatePod({ pod, updateType: 'sync' });
  }
}
