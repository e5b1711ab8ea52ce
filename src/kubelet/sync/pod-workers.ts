import type { Pod } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { isStaticPod, podKey } from '../pod-name.js';
import type { RuntimePodStatus } from '../ports.js';
import { isPodStatusCacheTerminal } from '../runtime-pod-status.js';
import { isTerminal } from '../status/pod-status.js';
import { SyncError } from '../sync-result.js';
import type { PodCache } from './pleg.js';
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
  /** End of each worker's last step. */
  readonly #lastSyncTime = new Map<string, number>();
  readonly #running = new Set<string>();
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
    if (!this.#running.has(uid)) {
      this.#running.add(uid);
      if (isStaticPod(pod)) this.#turns.wait(status.fullname, uid);
    }
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
    return { ...status, terminatingAt: now, terminatedAt: now, startedTerminating: true };
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
    if (status.startedAt === undefined) {
      const allowed = this.#allowPodStart(update.pod, status);
      if (allowed === 'later') return undefined;
      if (allowed === 'never') {
        this.#cleanUpUnstarted(uid, status);
        return undefined;
      }
      status.startedAt = this.options.clock.now();
    }
    status.pendingUpdate = undefined;
    return update;
  }

  #allowPodStart(pod: Pod, status: PodSyncStatus): 'now' | 'later' | 'never' {
    if (!isStaticPod(pod)) return 'now';
    if (status.terminatingAt !== undefined) return 'never';
    const { uid } = pod.metadata;
    const ended = (other: string): boolean => {
      const waiting = this.#statuses.get(other);
      return waiting === undefined || waiting.terminatingAt !== undefined;
    };
    if (this.#turns.allow(status.fullname, uid, ended)) return 'now';
    const { clock, workQueue } = this.options;
    workQueue.enqueue(uid, backOffDelay(clock));
    return 'later';
  }

  async #step(uid: string, status: PodSyncStatus, update: UpdatePodOptions): Promise<void> {
    const workType = workTypeOf(status);
    let phaseTransition = false;
    let error: SyncError | undefined;
    try {
      const podStatus = await this.#podStatus(uid, update.pod);
      const { isTerminal: ended, relist } = await this.#sync(
        uid,
        status,
        workType,
        update,
        podStatus,
      );
      if (relist) this.options.requestRelist(uid);
      if (workType === 'TerminatedPod') {
        this.#finish(uid, status);
        return;
      }
      phaseTransition = completeStep(status, workType, ended, this.options.clock.now());
    } catch (caught) {
      if (!(caught instanceof SyncError)) throw caught;
      error = caught;
    }
    this.#requeue(uid, phaseTransition, error);
  }

  async #podStatus(uid: string, pod: Pod): Promise<RuntimePodStatus> {
    const { cache, onStatusError } = this.options;
    const cached = await cache.getNewerThan(uid, this.#lastSyncTime.get(uid) ?? -Infinity);
    if (cached.kind === 'status') return cached.status;
    onStatusError(pod, cached.message);
    throw new SyncError(cached.message);
  }

  async #sync(
    uid: string,
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
          status.startedTerminating = true;
          await syncer.syncTerminatingPod(pod, podStatus, gracePeriodOverride);
          break;
        case 'TerminatedPod':
          await syncer.syncTerminatedPod(pod, podStatus);
      }
      return { isTerminal: false, relist: false };
    } finally {
      this.#lastSyncTime.set(uid, clock.now());
    }
  }

  /** Ports completeTerminated. */
  #finish(uid: string, status: PodSyncStatus): void {
    status.finished = true;
    status.pendingUpdate = undefined;
    this.#running.delete(uid);
    this.#lastSyncTime.delete(uid);
    this.#turns.free(status.fullname, uid);
  }

  /** Ports cleanupUnstartedPod. */
  #cleanUpUnstarted(uid: string, status: PodSyncStatus): void {
    status.terminatedAt = this.options.clock.now();
    this.#finish(uid, status);
  }

  /** Schedules the next sync. Ports completeWork. */
  #requeue(uid: string, phaseTransition: boolean, error: SyncError | undefined): void {
    const { clock, workQueue } = this.options;
    workQueue.enqueue(uid, phaseTransition ? 0 : requeueDelay(clock, error));
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
    this.#running.delete(uid);
    this.#lastSyncTime.delete(uid);
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
