import type { Pod, PodStatus } from '../api/index.js';
import { type Clock, goLater } from '../clock/clock.js';
import type { EmitEvent } from '../trace/event.js';
import { Backoff } from './containers/backoff.js';
import { ContainerGC } from './containers/container-gc.js';
import { ContainerKiller } from './containers/container-killer.js';
import { ContainerStarter } from './containers/container-starter.js';
import { HookRunner, type HookRunnerOptions } from './containers/hook-runner.js';
import { ImageManager } from './containers/image-manager.js';
import { RuntimeManager } from './containers/runtime-manager.js';
import { EventRecorder } from './event-recorder.js';
import { buildContainerID, isStaticPod, podKey } from './pod-name.js';
import { podOfRelease } from './pod-of-release.js';
import type { ProbeTransports, Runtime, StatusSink } from './ports.js';
import { execSync } from './prober/exec-probe.js';
import { createProber } from './prober/prober.js';
import { ProberManager } from './prober/prober-manager.js';
import {
  BACK_OFF_EXPIRES,
  behaviorOf,
  isDefault,
  type KubeletConfig,
  type ReleaseBehavior,
} from './release.js';
import { statusEvent } from './status/status-event.js';
import { StatusManager } from './status/status-manager.js';
import { StatusSync } from './status/status-sync.js';
import { Pleg } from './sync/pleg.js';
import { PodCache } from './sync/pod-cache.js';
import { KubeletPodSyncer, onPodSandboxReady } from './sync/pod-syncer.js';
import { type PodSyncer, PodWorkers } from './sync/pod-workers.js';
import { RuntimeState } from './sync/runtime-state.js';
import { SyncHandlers } from './sync/sync-handlers.js';
import { type PodOperation, SyncLoop, type SyncLoopEvent } from './sync/sync-loop.js';
import { WorkQueue } from './sync/work-queue.js';

export interface KubeletOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly transports: ProbeTransports;
  /** Milliseconds that the kubelet has already been up. */
  readonly age: number;
  readonly emit: EmitEvent;
  /** Address of the node and of host network pods. */
  readonly hostIP: string;
  /** Milliseconds from the end of a sync to the relist that it requests; 0 when absent. */
  readonly relistLatency?: number;
  /** Remove exited containers from the runtime each minute (StartGarbageCollection); true when absent. */
  readonly collectsGarbage?: boolean;
  /** Receives the statuses, as the API server does. */
  readonly sink?: StatusSink;
  /** Determines its User-Agent and its behavior. */
  readonly config: KubeletConfig;
  readonly runsHooks?: HookRunnerOptions['runsHooks'];
}

/** Wires the kubelet's managers (pkg/kubelet/kubelet.go). */
export class Kubelet {
  readonly proberManager: ProberManager;
  readonly statusManager: StatusManager;
  /** The desired pods by uid. */
  readonly #pods = new Map<string, Pod>();
  readonly #behavior: ReleaseBehavior;
  readonly #recorder: EventRecorder;
  readonly #podWorkers: PodWorkers;
  readonly #gc: ContainerGC;
  readonly #pleg: Pleg;
  readonly #runtimeState: RuntimeState;
  readonly #syncLoop: SyncLoop;
  readonly #statusSync: StatusSync | undefined;
  #stopped = false;

  /** Makes each part from parts above it. A part below is only reached by a callback, and not before start(). */
  constructor(private readonly options: KubeletOptions) {
    const { clock, runtime, emit } = options;
    this.#behavior = behaviorOf(options.config);
    this.#recorder = new EventRecorder(emit);
    this.statusManager = new StatusManager(
      clock,
      (uid) => this.#pods.get(uid),
      (pod, status) => this.#onStatus(pod, status),
    );
    this.proberManager = this.#createProberManager();
    const { initial, max } = this.#behavior.crashLoopBackOff;
    const crashLoopBackOff = new Backoff(clock, initial, max, BACK_OFF_EXPIRES * 1000);
    const syncer = this.#createSyncer(this.#createRuntimeManager(crashLoopBackOff));
    const cache = new PodCache(clock);
    const workQueue = new WorkQueue(clock);
    this.#podWorkers = this.#createPodWorkers(cache, workQueue, syncer);
    this.#gc = new ContainerGC(clock, runtime, (uid) =>
      this.#podWorkers.shouldPodContentBeRemoved(uid),
    );
    this.#pleg = new Pleg(clock, runtime, cache, (event) => this.#deliver({ kind: 'pleg', event }));
    this.#runtimeState = new RuntimeState(clock, runtime, emit);
    const handlers = new SyncHandlers({
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
    const isRuntimeUp = (): boolean => this.#runtimeState.isUp() && this.#pleg.isHealthy();
    this.#syncLoop = new SyncLoop(clock, isRuntimeUp, (event) => handlers.handle(event));
    this.#statusSync = this.#createStatusSync();
  }

  /** Ports Run. */
  start(): void {
    const firstChecks = [this.#runtimeState.start(), this.#pleg.start()];
    if (this.options.collectsGarbage !== false) this.#gc.start();
    this.#statusSync?.start();
    // The sync loop starts after the first checks, so that it finds the runtime up unless it is down.
    void Promise.all(firstChecks).then(() => this.#syncLoop.start());
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

  /** Hands over a pod that was added, changed or removed in its source. */
  update(operation: PodOperation, pod: Pod): void {
    const { config, emit } = this.options;
    if (operation === 'ADD' && !isDefault(config)) {
      emit({ kind: 'kubelet', pod: podKey(pod), ...config });
    }
    this.#deliver({ kind: 'config', operation, pod: podOfRelease(pod, this.#behavior) });
  }

  /** Sends the statuses that have not been sent yet, once. */
  async flushStatuses(): Promise<void> {
    await this.#statusSync?.flush();
  }

  #deliver(event: SyncLoopEvent): void {
    this.#syncLoop.deliver(event);
  }

  /** Requests the relist after a sync; the next sync waits for the status that it brings. */
  #requestRelist(uid: string): void {
    const { clock, relistLatency = 0 } = this.options;
    if (!this.#behavior.relistsAfterSync) return;
    if (relistLatency === 0) this.#pleg.requestRelist(uid);
    else goLater(clock, () => this.#pleg.requestRelist(uid), relistLatency);
  }

  #createProberManager(): ProberManager {
    const { clock, age, emit, runtime, transports, config } = this.options;
    return new ProberManager({
      clock,
      kubeletStart: clock.now() - age,
      behavior: this.#behavior,
      emit,
      prober: createProber({
        transports,
        execSync: execSync(runtime),
        recordEvent: (...event) => {
          // The run's end stops containers, and with them attempts: these failures are not the container's.
          if (!this.#stopped) this.#recorder.containerEvent(...event);
        },
        kubelet: config,
      }),
      getPodStatus: (uid) => this.statusManager.getPodStatus(uid),
      onUpdate: (probeType, update) => this.#deliver({ kind: 'probe', probeType, update }),
    });
  }

  #createRuntimeManager(backOff: Backoff): RuntimeManager {
    const { clock, runtime, config } = this.options;
    const { startup, liveness } = this.proberManager;
    const [recorder, behavior] = [this.#recorder, this.#behavior];
    const shared = { ...this.options, recorder, behavior };
    const hooks = new HookRunner({ ...shared, kubelet: config });
    const killer = new ContainerKiller(clock, runtime, recorder, hooks);
    const images = runtime.images && new ImageManager(clock, runtime.images, recorder, behavior);
    const starter = new ContainerStarter({ ...shared, backOff, images, hooks, killer });
    return new RuntimeManager({
      ...shared,
      probeResults: {
        liveness: (id) => liveness.get(buildContainerID(runtime.name, id)),
        startup: (id) => startup.get(buildContainerID(runtime.name, id)),
      },
      starter,
      killer,
      onPodSandboxReady: (pod) => {
        if (behavior.readyToStartBeforePull) onPodSandboxReady(pod, clock, this.statusManager);
      },
      isPodTerminationRequested: (uid) => this.#podWorkers.isPodTerminationRequested(uid),
    });
  }

  #createSyncer(runtimeManager: RuntimeManager): KubeletPodSyncer {
    return new KubeletPodSyncer({
      ...this.options,
      runtimeManager,
      behavior: this.#behavior,
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
      requeuesAtBackOffEnd: this.#behavior.requeuesAtBackOffEnd,
      cancelSync: (uid) => {
        if (this.#behavior.cancelsProbesOfEndingPod) this.proberManager.cancelPod(uid);
      },
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
      onPatched: (pod, status) => {
        // The status of a static pod is shown by its mirror pod.
        if (isStaticPod(pod)) return;
        this.#deliver({ kind: 'reconcile', uid: pod.metadata.uid, status });
      },
      onDeleted: (pod) => this.update('REMOVE', pod),
    });
  }

  #onStatus(pod: Pod, status: PodStatus): void {
    // A removed static pod is no longer shown while it terminates.
    if (this.#pods.has(pod.metadata.uid)) this.options.emit(statusEvent(pod, status));
    this.#statusSync?.notify();
  }
}
