import type { Pod } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { isStaticPod, podKey } from '../pod-name.js';
import type { RuntimePodStatus } from '../ports.js';
import { isPodStatusCacheTerminal } from '../runtime-pod-status.js';
import { isTerminal } from '../status/pod-status.js';
import { SyncError } from '../sync-result.js';
import type { PodCache } from './pod-cache.js';
import {
  calculateEffectiveGracePeriod,
  completeStep,
  newPodSyncStatus,
  notePendingUpdate,
  type PodSyncStatus,
  type PodWorkType,
  StaticPodTurns,
  type SyncPodType,
  type UpdatePodOptions,
  workTypeOf,
} from './pod-sync-status.js';
import { backOffDelay, requeueDelay, type WorkQueue } from './work-queue.js';

export interface SyncPodOutcome {
  /** The pod has reached a terminal phase. */
  readonly isTerminal: boolean;
  /** The pod has changed and needs a relist. */
  readonly relist: boolean;
}

/** Steps of a pod's life; a SyncError repeats a step. Ports podSyncer (pkg/kubelet/pod_workers.go). */
export interface PodSyncer {
  syncPod(updateType: SyncPodType, pod: Pod, podStatus: RuntimePodStatus): Promise<SyncPodOutcome>;
  syncTerminatingPod(pod: Pod, podStatus: RuntimePodStatus, gracePeriod?: number): Promise<void>;
  syncTerminatedPod(pod: Pod, podStatus: RuntimePodStatus): Promise<void>;
}

export interface PodWorkersOptions {
  readonly clock: Clock;
  readonly workQueue: WorkQueue;
  readonly cache: PodCache;
  readonly syncer: PodSyncer;
  readonly requestRelist: (uid: string) => void;
  /** Records a FailedSync event when the pod's state is unknown. */
  readonly onStatusError: (pod: Pod, message: string) => void;
}

/**
 * Runs a worker for each pod: one step at a time, with the newest update only. Ports podWorkers (pod_workers.go).
 *
 *   SyncPod ──► TerminatingPod ──► TerminatedPod ──► finished
 */
export class PodWorkers {
  readonly #statuses = new Map<string, PodSyncStatus>();
  readonly #turns = new StaticPodTurns();
  #stopped = false;

  constructor(private readonly options: PodWorkersOptions) {}

  isPodTerminationRequested(uid: string): boolean {
    return this.#statuses.get(uid)?.terminatingAt !== undefined;
  }

  isPodKnownTerminated(uid: string): boolean {
    return this.#statuses.get(uid)?.terminatedAt !== undefined;
  }

  couldHaveRunningContainers(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status !== undefined && status.terminatedAt === undefined;
  }

  /** Returns whether all containers and sandboxes of the pod may be removed. Ports ShouldPodContentBeRemoved. */
  shouldPodContentBeRemoved(uid: string): boolean {
    const status = this.#statuses.get(uid);
    return status === undefined || (status.deleted && status.terminatedAt !== undefined);
  }

  /** Starts no further steps; a current one continues. */
  stop(): void {
    this.#stopped = true;
  }

  updatePod(options: UpdatePodOptions): void {
    const { pod, updateType } = options;
    const { uid } = pod.metadata;
    const known = this.#statuses.get(uid);
    const status = known ?? this.#newStatus(pod);
    this.#statuses.set(uid, status);
    if (known?.terminatingAt !== undefined && updateType === 'create') {
      status.restartRequested = true;
      return;
    }
    if (status.finished) return;
    status.pendingUpdate = notePendingUpdate(status, options, this.options.clock.now());
    if (known === undefined && isStaticPod(pod)) this.#turns.wait(status.fullname, uid);
    this.#notify(uid, status);
  }

  /**
   * Removes workers of finished pods that are no longer wanted or are to be restarted; returns the step of each other
   * one. Ports SyncKnownPods.
   */
  syncKnownPods(desired: { has(uid: string): boolean }): ReadonlyMap<string, PodWorkType> {
    const workers = new Map<string, PodWorkType>();
    for (const [uid, status] of this.#statuses) {
      const orphan = !desired.has(uid);
      if ((status.restartRequested || orphan) && this.#removeTerminated(uid, status, orphan)) {
        continue;
      }
      workers.set(uid, workTypeOf(status));
    }
    return workers;
  }

  /** Starts a pod that had already ended before the kubelet's restart at its last step. */
  #newStatus(pod: Pod): PodSyncStatus {
    const status = newPodSyncStatus(podKey(pod));
    if (!isTerminal(pod.status.phase)) return status;
    const cached = this.options.cache.get(pod.metadata.uid);
    if (cached.kind === 'error' || !isPodStatusCacheTerminal(cached.status)) return status;
    const now = this.options.clock.now();
    return { ...status, terminatingAt: now, terminatedAt: now };
  }

  #notify(uid: string, status: PodSyncStatus): void {
    if (status.working) return;
    status.working = true;
    // In a goroutine of its own: the caller continues first.
    this.options.clock.go(() => void this.#work(uid, status));
  }

  /** Ports podWorkerLoop. */
  async #work(uid: string, status: PodSyncStatus): Promise<void> {
    for (let update = this.#begin(uid, status); update !== undefined;) {
      status.activeUpdate = update;
      await this.#step(uid, status, update);
      update = status.finished ? undefined : this.#begin(uid, status);
    }
    status.working = false;
  }

  /** Takes the pending update, unless a static pod has to wait for its turn. Ports startPodSync. */
  #begin(uid: string, status: PodSyncStatus): UpdatePodOptions | undefined {
    const update = status.pendingUpdate;
    if (update === undefined || this.#stopped) return undefined;
    if (this.#statuses.get(uid) !== status) return undefined;
    if (status.startedAt === undefined && !this.#allowPodStart(update.pod, status))
      return undefined;
    status.startedAt ??= this.options.clock.now();
    status.pendingUpdate = undefined;
    return update;
  }

  #allowPodStart(pod: Pod, status: PodSyncStatus): boolean {
    if (!isStaticPod(pod)) return true;
    const { clock, workQueue } = this.options;
    const { uid } = pod.metadata;
    if (status.terminatingAt !== undefined) {
      // Ports cleanupUnstartedPod.
      status.terminatedAt = clock.now();
      this.#finish(uid, status);
      return false;
    }
    const ended = (other: string): boolean => {
      const waiting = this.#statuses.get(other);
      return waiting === undefined || waiting.terminatingAt !== undefined;
    };
    const allowed = this.#turns.allow(status.fullname, uid, ended);
    if (!allowed) workQueue.enqueue(uid, backOffDelay(clock));
    return allowed;
  }

  async #step(uid: string, status: PodSyncStatus, update: UpdatePodOptions): Promise<void> {
    const { clock, requestRelist, workQueue } = this.options;
    const workType = workTypeOf(status);
    try {
      const podStatus = await this.#podStatus(uid, status, update.pod);
      const outcome = await this.#sync(status, workType, update, podStatus);
      if (outcome.relist) requestRelist(uid);
      if (workType === 'TerminatedPod') this.#finish(uid, status);
      else {
        const isTransition = completeStep(status, workType, outcome.isTerminal, clock.now());
        workQueue.enqueue(uid, isTransition ? 0 : requeueDelay(clock));
      }
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      workQueue.enqueue(uid, requeueDelay(clock, error));
    }
  }

  async #podStatus(uid: string, status: PodSyncStatus, pod: Pod): Promise<RuntimePodStatus> {
    const { cache, onStatusError } = this.options;
    const cached = await cache.getNewerThan(uid, status.lastSyncTime ?? -Infinity);
    if (cached.kind === 'status') return cached.status;
    onStatusError(pod, cached.message);
    throw new SyncError(cached.message);
  }

  async #sync(
    status: PodSyncStatus,
    workType: PodWorkType,
    { pod, updateType, gracePeriodOverride }: UpdatePodOptions,
    podStatus: RuntimePodStatus,
  ): Promise<SyncPodOutcome> {
    const { clock, syncer } = this.options;
    try {
      switch (workType) {
        case 'SyncPod':
          return await syncer.syncPod(updateType, pod, podStatus);
        case 'TerminatingPod':
          await syncer.syncTerminatingPod(pod, podStatus, gracePeriodOverride);
          break;
        case 'TerminatedPod':
          await syncer.syncTerminatedPod(pod, podStatus);
      }
      return { isTerminal: false, relist: false };
    } finally {
      status.lastSyncTime = clock.now();
    }
  }

  /** Ports completeTerminated. */
  #finish(uid: string, status: PodSyncStatus): void {
    status.finished = true;
    status.pendingUpdate = undefined;
    this.#turns.free(status.fullname, uid);
  }

  /** Removes a finished worker; false when it has to continue. Ports removeTerminatedWorker. */
  #removeTerminated(uid: string, status: PodSyncStatus, orphan: boolean): boolean {
    if (!status.finished) {
      if (!orphan) return false;
      // No update will come that ends a pod that is no longer wanted.
      status.deleted = true;
      if (status.startedAt !== undefined) {
        this.#endOrphan(uid, status);
        return false;
      }
    }
    this.#statuses.delete(uid);
    this.#turns.free(status.fullname, uid);
    return true;
  }

  #endOrphan(uid: string, status: PodSyncStatus): void {
    const pod = status.activeUpdate?.pod;
    if (pod === undefined) return;
    if (status.terminatingAt === undefined) {
      status.terminatingAt = this.options.clock.now();
      status.gracePeriod = calculateEffectiveGracePeriod(status.gracePeriod, pod, undefined);
    }
    if (status.pendingUpdate !== undefined) return;
    status.pendingUpdate = status.activeUpdate;
    this.#notify(uid, status);
  }
}
