import type { Pod } from '../../api/index.js';
import { type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { Backoff } from '../containers/backoff.js';
import type { ContainerGC } from '../containers/container-gc.js';
import type { EmitEvent, ProbeType } from '../event.js';
import type { Runtime } from '../ports.js';
import type { ProberManager } from '../prober/prober-manager.js';
import type { ResultUpdate } from '../prober/results-manager.js';
import { needToReconcilePodReadiness } from '../status/conditions.js';
import { isTerminal } from '../status/pod-status.js';
import type { StatusManager } from '../status/status-manager.js';
import { runtimeErrorMessage } from '../sync-result.js';
import type { PodCache, PodLifecycleEvent } from './pleg.js';
import type { PodWorkers } from './pod-workers.js';
import type { WorkQueue } from './work-queue.js';

/** Milliseconds between two checks for pods that are due. */
const SYNC_PERIOD = 1000;
const HOUSEKEEPING_PERIOD = 2000;
/** Milliseconds: the first and the longest pause while the runtime is down. */
const BASE_PAUSE = 100;
const MAX_PAUSE = 5000;

/**
 * Handles events one after another, and none while the runtime is down. Ports syncLoop
 * and syncLoopIteration (pkg/kubelet/kubelet.go).
 */
export class SyncLoop {
  readonly #queue: (() => void)[] = [];
  #tickers: readonly Ticker[] = [];
  #stopped = false;
  #pauseTimer: Timer | undefined;
  /** Set while the loop waits for an event. */
  #resume: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isRuntimeUp: () => boolean,
    private readonly handlers: Pick<SyncHandlers, 'onSyncTick' | 'onHousekeeping'>,
  ) {}

  start(): void {
    this.#tickers = [
      this.#ticker(SYNC_PERIOD, () => this.handlers.onSyncTick()),
      this.#ticker(HOUSEKEEPING_PERIOD, () => this.handlers.onHousekeeping()),
    ];
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#pauseTimer?.cancel();
    for (const ticker of this.#tickers) ticker.stop();
  }

  deliver(work: () => void): void {
    this.#queue.push(work);
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume !== undefined) this.clock.go(resume);
  }

  #ticker(period: number, handle: () => void): Ticker {
    const take = (): void => {
      if (ticker.take()) handle();
    };
    const ticker = new Ticker(this.clock, period, () => this.deliver(take));
    return ticker;
  }

  async #run(): Promise<void> {
    let pause = BASE_PAUSE;
    while (!this.#stopped) {
      if (this.isRuntimeUp()) {
        pause = BASE_PAUSE;
        // The next event is handled even if the runtime goes down while the loop waits for it.
        if (this.#queue.length === 0) await this.#nextEvent();
        this.#handleNext();
      } else {
        await this.#sleep(pause);
        pause = Math.min(MAX_PAUSE, 2 * pause);
      }
    }
  }

  #handleNext(): void {
    if (!this.#stopped) this.#queue.shift()?.();
  }

  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.#pauseTimer = goLater(this.clock, resolve, delay);
    });
  }
}

/** Milliseconds between two checks of the runtime. */
const CHECK_PERIOD = 5000;
/** Milliseconds without a successful check after which the runtime is down (maxWaitForContainerRuntime). */
const SYNC_THRESHOLD = 30_000;

/** Checks the runtime. Ports runtimeState and updateRuntimeUp (pkg/kubelet). */
export class RuntimeState {
  #lastSync: number | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  #up = true;

  constructor(
    private readonly clock: Clock,
    private readonly runtime: Runtime,
    private readonly emit: EmitEvent,
  ) {}

  /** Checks the runtime now and then every five seconds; resolves after the first check. */
  async start(): Promise<void> {
    await this.#updateRuntimeUp();
    if (this.#stopped) return;
    this.#timer = goLater(this.clock, () => void this.start(), CHECK_PERIOD);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Ports runtimeErrors. */
  isUp(): boolean {
    return (this.#lastSync ?? -Infinity) + SYNC_THRESHOLD > this.clock.now();
  }

  async #updateRuntimeUp(): Promise<void> {
    try {
      await this.runtime.status();
      this.#lastSync = this.clock.now();
      this.#report(true);
    } catch (error) {
      this.#report(false, runtimeErrorMessage(error));
    }
  }

  #report(up: boolean, error?: string): void {
    if (up === this.#up) return;
    this.#up = up;
    this.emit({ kind: 'runtime', up, ...(error === undefined ? {} : { error }) });
  }
}

export interface SyncHandlersOptions {
  /** The desired pods by uid. */
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

  /** Ports HandlePodAdditions. */
  handlePodAddition(pod: Pod): void {
    this.options.pods.set(pod.metadata.uid, pod);
    this.options.podWorkers.updatePod({ pod, updateType: 'create' });
  }

  /** Ports HandlePodUpdates; also for a pod that is marked for deletion. */
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
    const pod = this.options.pods.get(uid);
    if (pod !== undefined) this.#sync(pod);
  }

  #sync(pod: Pod): void {
    this.options.podWorkers.updatePod({ pod, updateType: 'sync' });
  }
}
