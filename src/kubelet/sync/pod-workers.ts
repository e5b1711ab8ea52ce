import type { Pod } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { isStaticPod, podKey } from '../pod-name.js';
import type { RuntimePodStatus } from '../ports.js';
import { isPodStatusCacheTerminal } from '../runtime-pod-status.js';
import { isTerminal } from '../status/pod-status.js';
import { SyncError } from '../sync-result.js';
import type { PodCache } from './pod-cache.js';
import {
  applyUpdate,
  cancelsSync,
  orphaned,
  type PodSyncStatus,
  type PodWorkType,
  SYNC_POD,
  type SyncPodType,
  terminated,
  terminating,
  type UpdatePodOptions,
  workTypeOf,
} from './pod-sync-status.js';
import { StaticPodQueue } from './static-pod-queue.js';
import { requeueDelay, retryDelay, type WorkQueue } from './work-queue.js';

export interface SyncPodOutcome {
  readonly isTerminal: boolean;
  /** The pod has changed and needs a relist. */
  readonly relist: boolean;
}

/** Runs a pod's steps; a step that throws a SyncError is repeated. Ports podSyncer (pkg/kubelet/pod_workers.go). */
export interface PodSyncer {
  syncPod(updateType: SyncPodType, pod: Pod, podStatus: RuntimePodStatus): Promise<SyncPodOutcome>;
  syncTerminatingPod(pod: Pod, podStatus: RuntimePodStatus, gracePeriod?: number): Promise<void>;
  syncTerminatedPod(pod: Pod, podStatus: RuntimePodStatus): Promise<void>;
}

interface PodWorkersOptions {
  readonly clock: Clock;
  readonly workQueue: WorkQueue;
  readonly cache: PodCache;
  readonly syncer: PodSyncer;
  readonly requestRelist: (uid: string) => void;
  /** A pod in CrashLoopBackOff is synced again when that ends, and not after a fixed delay. */
  readonly requeuesAtBackOffEnd: boolean;
  /** Cancels the context of a pod's syncs (cancelFn), with which its probe workers run. */
  readonly cancelSync: (uid: string) => void;
  readonly onStatusError: (pod: Pod, message: string) => void;
}

interface PodWorker {
  readonly uid: string;
  readonly fullname: string;
  status: PodSyncStatus;
  working: boolean;
  pendingUpdate?: UpdatePodOptions | undefined;
  /** The update of the latest step; undefined until the pod has been allowed to start. */
  activeUpdate?: UpdatePodOptions;
  lastSyncTime?: number;
}

/**
 * Runs a worker for each pod: one step at a time, with the newest update only. Ports podWorkers (pod_workers.go).
 *
 *   SyncPod ──► TerminatingPod ──► TerminatedPod ──► finished
 */
export class PodWorkers {
  readonly #workers = new Map<string, PodWorker>();
  readonly #staticPods = new StaticPodQueue();
  #stopped = false;

  constructor(private readonly options: PodWorkersOptions) {}

  isPodTerminationRequested(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker !== undefined && worker.status.kind !== 'SyncPod';
  }

  isPodKnownTerminated(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker !== undefined && workTypeOf(worker.status) === 'TerminatedPod';
  }

  couldHaveRunningContainers(uid: string): boolean {
    return this.#workers.has(uid) && !this.isPodKnownTerminated(uid);
  }

  /** Returns whether all containers and sandboxes of the pod may be removed. Ports ShouldPodContentBeRemoved. */
  shouldPodContentBeRemoved(uid: string): boolean {
    const status = this.#workers.get(uid)?.status;
    if (status === undefined) return true;
    return (status.kind === 'TerminatedPod' || status.kind === 'finished') && status.deleted;
  }

  /** Starts no further steps; a current one continues. */
  stop(): void {
    this.#stopped = true;
  }

  updatePod(options: UpdatePodOptions): void {
    const { pod, updateType } = options;
    const { uid } = pod.metadata;
    const known = this.#workers.get(uid);
    const worker = known ?? this.#newWorker(pod);
    this.#workers.set(uid, worker);
    if (known !== undefined && known.status.kind !== 'SyncPod' && updateType === 'create') {
      known.status = { ...known.status, restartRequested: true };
      return;
    }
    if (worker.status.kind === 'finished') return;
    const { status, update } = applyUpdate(worker.status, options);
    if (cancelsSync(worker.status, status)) this.options.cancelSync(uid);
    worker.status = status;
    worker.pendingUpdate = update;
    if (known === undefined && isStaticPod(pod)) this.#staticPods.add(worker.fullname, uid);
    this.#notify(worker);
  }

  /**
   * Removes workers of finished pods that are no longer wanted or are to be restarted; returns the step of every other
   * worker. Ports SyncKnownPods.
   */
  syncKnownPods(desired: { has(uid: string): boolean }): ReadonlyMap<string, PodWorkType> {
    const workTypes = new Map<string, PodWorkType>();
    for (const [uid, worker] of this.#workers) {
      const orphan = !desired.has(uid);
      const { status } = worker;
      const restartRequested = status.kind !== 'SyncPod' && status.restartRequested;
      if ((restartRequested || orphan) && this.#removeTerminatedWorker(worker, orphan)) continue;
      workTypes.set(uid, workTypeOf(worker.status));
    }
    return workTypes;
  }

  /** Returns a worker. The worker of a pod that ended before the kubelet started has only the last step to do. */
  #newWorker(pod: Pod): PodWorker {
    const { uid } = pod.metadata;
    const worker = { uid, fullname: podKey(pod), status: SYNC_POD, working: false };
    if (!isTerminal(pod.status.phase)) return worker;
    const cached = this.options.cache.get(uid);
    if (cached.kind === 'error' || !isPodStatusCacheTerminal(cached.status)) return worker;
    return { ...worker, status: terminated(SYNC_POD) };
  }

  #notify(worker: PodWorker): void {
    if (worker.working) return;
    worker.working = true;
    // The worker runs as a goroutine: the caller continues first.
    this.options.clock.go(() => void this.#podWorkerLoop(worker));
  }

  async #podWorkerLoop(worker: PodWorker): Promise<void> {
    for (let update = this.#startPodSync(worker); update !== undefined;) {
      worker.activeUpdate = update;
      await this.#runStep(worker, update);
      update = this.#startPodSync(worker);
    }
    worker.working = false;
  }

  /** Takes the pending update, unless a static pod has to wait for another one. Ports startPodSync. */
  #startPodSync(worker: PodWorker): UpdatePodOptions | undefined {
    const update = worker.pendingUpdate;
    if (update === undefined || this.#stopped) return undefined;
    // The worker has been removed.
    if (this.#workers.get(worker.uid) !== worker) return undefined;
    const hasStarted = worker.activeUpdate !== undefined;
    if (!hasStarted && !this.#allowPodStart(update.pod, worker)) return undefined;
    worker.pendingUpdate = undefined;
    return update;
  }

  #allowPodStart(pod: Pod, worker: PodWorker): boolean {
    if (!isStaticPod(pod)) return true;
    const { clock, workQueue } = this.options;
    if (worker.status.kind !== 'SyncPod') {
      // Ports cleanupUnstartedPod.
      this.#completeTerminated(worker);
      return false;
    }
    const isTerminated = (uid: string): boolean =>
      this.#workers.get(uid)?.status.kind !== 'SyncPod';
    const allowed = this.#staticPods.allowStart(worker.fullname, worker.uid, isTerminated);
    if (!allowed) workQueue.enqueue(worker.uid, retryDelay(clock));
    return allowed;
  }

  async #runStep(worker: PodWorker, update: UpdatePodOptions): Promise<void> {
    const { clock, requestRelist, workQueue } = this.options;
    const { uid } = worker;
    const workType = workTypeOf(worker.status);
    try {
      const podStatus = await this.#podStatus(worker, update.pod);
      const outcome = await this.#sync(worker, workType, update, podStatus);
      if (outcome.relist) requestRelist(uid);
      if (workType === 'TerminatedPod') {
        this.#completeTerminated(worker);
        return;
      }
      const isTransition = workType === 'TerminatingPod' || outcome.isTerminal;
      if (isTransition) {
        // Ports completeTerminating and completeSync: the next step is due now, if need be with the last update.
        const advance = workType === 'TerminatingPod' ? terminated : terminating;
        worker.status = advance(worker.status);
        worker.pendingUpdate ??= worker.activeUpdate;
      }
      workQueue.enqueue(uid, isTransition ? 0 : requeueDelay(clock));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      const { requeuesAtBackOffEnd } = this.options;
      workQueue.enqueue(uid, requeuesAtBackOffEnd ? requeueDelay(clock, error) : retryDelay(clock));
    }
  }

  async #podStatus(worker: PodWorker, pod: Pod): Promise<RuntimePodStatus> {
    const { cache, onStatusError } = this.options;
    const cached = await cache.getNewerThan(worker.uid, worker.lastSyncTime ?? -Infinity);
    if (cached.kind === 'status') return cached.status;
    onStatusError(pod, cached.message);
    throw new SyncError(cached.message);
  }

  async #sync(
    worker: PodWorker,
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
      worker.lastSyncTime = clock.now();
    }
  }

  #completeTerminated(worker: PodWorker): void {
    worker.status = terminated(worker.status, 'finished');
    worker.pendingUpdate = undefined;
    this.#staticPods.remove(worker.fullname, worker.uid);
  }

  /** Removes a finished worker; returns false for one that has to continue. Ports removeTerminatedWorker. */
  #removeTerminatedWorker(worker: PodWorker, orphan: boolean): boolean {
    if (worker.status.kind !== 'finished') {
      if (!orphan) return false;
      if (worker.activeUpdate !== undefined) {
        // The source sends no more updates, so the worker ends the pod with the last one.
        worker.status = orphaned(worker.status, worker.activeUpdate.pod);
        this.#requeueLastPodUpdate(worker);
        return false;
      }
    }
    this.#workers.delete(worker.uid);
    this.#staticPods.remove(worker.fullname, worker.uid);
    return true;
  }

  #requeueLastPodUpdate(worker: PodWorker): void {
    if (worker.pendingUpdate !== undefined) return;
    worker.pendingUpdate = worker.activeUpdate;
    this.#notify(worker);
  }
}
