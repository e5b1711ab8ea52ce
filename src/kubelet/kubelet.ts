import type { Pod, PodStatus } from '../api/index.js';
import { type Clock, goLater } from '../clock/clock.js';
import { Backoff } from './containers/backoff.js';
import { ContainerGC } from './containers/container-gc.js';
import { ContainerKiller } from './containers/container-killer.js';
import { ContainerStarter } from './containers/container-starter.js';
import { HookRunner, type HookRunnerOptions } from './containers/hook-runner.js';
import { ImageManager } from './containers/image-manager.js';
import { RuntimeManager } from './containers/runtime-manager.js';
import { type EmitEvent, EventRecorder } from './event.js';
import { buildContainerID, isStaticPod } from './pod-name.js';
import type { ProbeTransports, Runtime, StatusSink } from './ports.js';
import { execSync } from './prober/exec-probe.js';
import { createProber } from './prober/prober.js';
import { ProberManager } from './prober/prober-manager.js';
import { podConditionByKubelet } from './status/conditions.js';
import { statusEvent } from './status/status-event.js';
import { StatusManager } from './status/status-manager.js';
import { StatusSync } from './status/status-sync.js';
import { Pleg, PodCache } from './sync/pleg.js';
import { KubeletPodSyncer, onPodSandboxReady } from './sync/pod-syncer.js';
import { type PodSyncer, PodWorkers } from './sync/pod-workers.js';
import { RuntimeState, SyncHandlers, SyncLoop } from './sync/sync-loop.js';
import { WorkQueue } from './sync/work-queue.js';

/** Milliseconds: the first CrashLoopBackOff. */
const INITIAL_CRASH_LOOP_BACKOFF = 10_000;
/** Milliseconds: the longest one (MaxContainerBackOff). */
const MAX_CRASH_LOOP_BACKOFF = 300_000;

export interface KubeletOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly transports: ProbeTransports;
  /** Milliseconds that the kubelet counts as already up. */
  readonly age: number;
  readonly emit: EmitEvent;
  /** Address of the node and of host network pods. */
  readonly hostIP: string;
  /** Milliseconds from the end of a sync to the relist that it requests; 0 when absent. */
  readonly relistLatency?: number;
  /** Remove exited containers from the runtime each minute (StartGarbageCollection); true when absent. */
  readonly collectsGarbage?: boolean;
  /** Gets the statuses, as the API server does. */
  readonly sink?: StatusSink;
  /** Version in the User-Agent of probes, such as `1.36`. */
  readonly version: string;
  readonly runsHooks?: HookRunnerOptions['runsHooks'];
}

/** Change of a pod in its source. Ports PodOperation (pkg/kubelet/types/pod_update.go). */
export type PodOperation = 'ADD' | 'UPDATE' | 'REMOVE';

/** Wires the kubelet's managers (pkg/kubelet/kubelet.go). */
export class Kubelet {
  readonly proberManager: ProberManager;
  readonly statusManager: StatusManager;
  /** The desired pods by uid. */
  readonly #pods = new Map<string, Pod>();
  readonly #recorder: EventRecorder;
  readonly #statusSync: StatusSync | undefined;
  readonly #podWorkers: PodWorkers;
  readonly #pleg: Pleg;
  readonly #runtimeState: RuntimeState;
  readonly #gc: ContainerGC;
  readonly #handlers: SyncHandlers;
  readonly #syncLoop: SyncLoop;
  #stopped = false;

  constructor(private readonly options: KubeletOptions) {
    const { clock, runtime, emit } = options;
    const cache = new PodCache(clock);
    const workQueue = new WorkQueue(clock);
    const crashLoopBackOff = new Backoff(clock, INITIAL_CRASH_LOOP_BACKOFF, MAX_CRASH_LOOP_BACKOFF);
    this.#recorder = new EventRecorder(emit);
    this.#runtimeState = new RuntimeState(clock, runtime, emit);
    this.statusManager = new StatusManager(
      clock,
      (uid) => this.#pods.get(uid),
      (pod, status) => this.#onStatus(pod, status),
    );
    this.proberManager = this.#createProberManager();
    const syncer = this.#createSyncer(this.#createRuntimeManager(crashLoopBackOff));
    this.#podWorkers = this.#createPodWorkers(cache, workQueue, syncer);
    this.#gc = new ContainerGC(clock, runtime, (uid) =>
      this.#podWorkers.shouldPodContentBeRemoved(uid),
    );
    this.#handlers = new SyncHandlers({
      pods: this.#pods,
      podWorkers: this.#podWorkers,
      proberManager: this.proberManager,
      statusManager: this.statusManager,
      cache,
      workQueue,
      crashLoopBackOff,
      gc: this.#gc,
      pastActiveDeadline: (pod) => syncer.pastActiveDeadline(pod),
    });
    this.#pleg = new Pleg(clock, runtime, cache, (event) =>
      this.#syncLoop.deliver(() => this.#handlers.onPlegEvent(event)),
    );
    const isRuntimeUp = (): boolean => this.#runtimeState.isUp() && this.#pleg.isHealthy();
    this.#syncLoop = new SyncLoop(clock, isRuntimeUp, this.#handlers);
    this.#statusSync = this.#createStatusSync();
  }

  /** Ports Run. */
  start(): void {
    const seen = [this.#runtimeState.start(), this.#pleg.start()];
    if (this.options.collectsGarbage !== false) this.#gc.start();
    this.#statusSync?.start();
    // The sync loop starts after the first checks, so that it finds the runtime up unless it is down.
    void Promise.all(seen).then(() => this.#syncLoop.start());
  }

  /** Stops everything without waiting for work in progress. */
  stop(): void {
    this.#stopped = true;
    this.#syncLoop.stop();
    this.#statusSync?.stop();
    this.#gc.stop();
    this.#pleg.stop();
    this.#runtimeState.stop();
    this.#podWorkers.stop();
    this.proberManager.stop();
  }

  update(operation: PodOperation, pod: Pod): void {
    this.#syncLoop.deliver(() => {
      if (operation === 'ADD') this.#handlers.handlePodAddition(pod);
      else if (operation === 'UPDATE') this.#handlers.handlePodUpdate(this.#withKnownStatus(pod));
      else this.#handlers.handlePodRemoval(pod);
    });
  }

  /** Sends the statuses that have not been sent yet, once. */
  async flushStatuses(): Promise<void> {
    await this.#statusSync?.flush();
  }

  /** Returns the pod with the status that its source would show: the reported one with others' conditions. */
  #withKnownStatus(pod: Pod): Pod {
    const known = this.#pods.get(pod.metadata.uid)?.status;
    if (known === undefined) return pod;
    const own = known.conditions?.filter((c) => podConditionByKubelet(c.type)) ?? [];
    const others = pod.status.conditions?.filter((c) => !podConditionByKubelet(c.type)) ?? [];
    return { ...pod, status: { ...known, conditions: [...others, ...own] } };
  }

  /** Delays the relist after a sync: the next sync needs a status newer than this one. */
  #requestRelist(uid: string): void {
    const { clock, relistLatency = 0 } = this.options;
    if (relistLatency === 0) this.#pleg.requestRelist(uid);
    else goLater(clock, () => this.#pleg.requestRelist(uid), relistLatency);
  }

  #createProberManager(): ProberManager {
    const { clock, age, emit, runtime, transports, version } = this.options;
    return new ProberManager({
      clock,
      kubeletStart: clock.now() - age,
      emit,
      prober: createProber({
        transports,
        execSync: execSync(runtime),
        recordEvent: (...event) => {
          // An attempt that fails because its container is stopped with the run says nothing of it.
          if (!this.#stopped) this.#recorder.containerEvent(...event);
        },
        kubeletVersion: version,
      }),
      getPodStatus: (uid) => this.statusManager.getPodStatus(uid),
      onUpdate: (probeType, update) =>
        this.#syncLoop.deliver(() => this.#handlers.onProbeUpdate(probeType, update)),
    });
  }

  #createRuntimeManager(backOff: Backoff): RuntimeManager {
    const { clock, runtime, transports, version, emit, runsHooks } = this.options;
    const { startup, liveness } = this.proberManager;
    const shared = { clock, runtime, recorder: this.#recorder, emit };
    const hooks = new HookRunner({ ...shared, transports, kubeletVersion: version, runsHooks });
    const killer = new ContainerKiller(clock, runtime, this.#recorder, hooks);
    const images =
      runtime.images === undefined
        ? undefined
        : new ImageManager(clock, runtime.images, this.#recorder);
    return new RuntimeManager({
      ...shared,
      killer,
      starter: new ContainerStarter({ ...shared, backOff, images, hooks, killer }),
      probeResults: {
        liveness: (id) => liveness.get(buildContainerID(runtime.name, id)),
        startup: (id) => startup.get(buildContainerID(runtime.name, id)),
      },
      onPodSandboxReady: (pod) => onPodSandboxReady(pod, clock, this.statusManager),
      isPodTerminationRequested: (uid) => this.#podWorkers.isPodTerminationRequested(uid),
    });
  }

  #createSyncer(runtimeManager: RuntimeManager): KubeletPodSyncer {
    const { clock, runtime, hostIP } = this.options;
    return new KubeletPodSyncer({
      clock,
      runtime,
      runtimeManager,
      hostIP,
      recorder: this.#recorder,
      statusManager: this.statusManager,
      proberManager: this.proberManager,
      requestSync: (pod) => this.#podWorkers.updatePod({ pod, updateType: 'update' }),
    });
  }

  #createPodWorkers(cache: PodCache, workQueue: WorkQueue, syncer: PodSyncer): PodWorkers {
    return new PodWorkers({
      clock: this.options.clock,
      workQueue,
      cache,
      syncer,
      requestRelist: (uid) => this.#requestRelist(uid),
      onStatusError: (pod, message) => {
        const text = `error determining status: ${message}`;
        this.#recorder.podEvent(pod, 'Warning', 'FailedSync', text);
      },
    });
  }

  #createStatusSync(): StatusSync | undefined {
    const { clock, sink } = this.options;
    if (sink === undefined) return undefined;
    return new StatusSync({
      clock,
      sink,
      manager: this.statusManager,
      getPodByUID: (uid) => this.#pods.get(uid),
      podCouldHaveRunningContainers: (uid) => this.#podWorkers.couldHaveRunningContainers(uid),
      onPatched: (pod, status) => this.#reconcile(pod, status),
      onDeleted: (pod) => this.update('REMOVE', pod),
    });
  }

  /** Handles the status as the API server shows it after an update; a static pod's is on its mirror pod. */
  #reconcile(pod: Pod, status: PodStatus): void {
    if (isStaticPod(pod)) return;
    this.#syncLoop.deliver(() => {
      const current = this.#pods.get(pod.metadata.uid);
      if (current !== undefined) this.#handlers.handlePodReconcile({ ...current, status });
    });
  }

  #onStatus(pod: Pod, status: PodStatus): void {
    // A removed static pod is no longer shown while it terminates.
    if (this.#pods.has(pod.metadata.uid)) {
      this.options.emit(statusEvent(pod, status));
    }
    this.#statusSync?.notify();
  }
}
