import { type Clock, serialQueue, type Timer } from '../../clock/clock.js';
import type { Runtime, RuntimePod, RuntimePodStatus } from '../ports.js';
import { ignoreFailure, runtimeErrorMessage } from '../sync-result.js';
import type { CachedPod, PodCache } from './pod-cache.js';

/** Milliseconds from one relist's end to the next. */
const RELIST_PERIOD = 1000;
/** Milliseconds without a relist after which the PLEG is unhealthy. */
const RELIST_THRESHOLD = 180_000;

/**
 * Relists all pods each second, and one pod on request, to find changes of containers. Ports GenericPLEG
 * (pkg/kubelet/pleg/generic.go).
 */
export class Pleg {
  /** Pods as they were when their last events were reported. */
  readonly #records = new Map<string, RuntimePod>();
  readonly #podsToReinspect = new Set<string>();
  #relistTime: number | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  /** Adds a relist; relists run one after another. */
  readonly #enqueue: (relist: () => Promise<void>) => void;

  constructor(
    private readonly clock: Clock,
    private readonly runtime: Runtime,
    private readonly cache: PodCache,
    private readonly onEvent: (event: PodLifecycleEvent) => void,
  ) {
    this.#enqueue = serialQueue(clock);
  }

  /** Relists now and then each second; resolves after the first relist. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#relistAfter(0, resolve);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Ports Healthy. */
  isHealthy(): boolean {
    return this.clock.now() - (this.#relistTime ?? -Infinity) <= RELIST_THRESHOLD;
  }

  /** Relists one pod now, unless there was a full relist since. Ports RequestRelist. */
  requestRelist(uid: string): void {
    const requested = this.clock.now();
    this.#enqueue(async () => {
      if ((this.#relistTime ?? -Infinity) < requested) await ignoreFailure(this.#relistPod(uid));
    });
  }

  #relistAfter(delay: number, onRelisted?: () => void): void {
    const relist = (): Promise<void> => this.#relist(onRelisted);
    this.#timer = this.clock.setTimeout(() => this.#enqueue(relist), delay);
  }

  async #relist(onRelisted?: () => void): Promise<void> {
    await ignoreFailure(this.#relistAll());
    onRelisted?.();
    if (!this.#stopped) this.#relistAfter(RELIST_PERIOD);
  }

  async #relistAll(): Promise<void> {
    const timestamp = this.clock.now();
    const pods = await this.runtime.getPods();
    this.#relistTime = timestamp;
    const listed = new Set(pods.map(({ uid }) => uid));
    const removed = [...this.#records.keys()].filter((uid) => !listed.has(uid));
    for (const uid of removed) await this.#reconcilePodRecord(uid, timestamp);
    const changed = pods.filter(
      (pod) => this.#records.get(pod.uid) !== pod || this.#podsToReinspect.has(pod.uid),
    );
    for (const pod of changed) await this.#reconcilePodRecord(pod.uid, timestamp, pod);
    this.cache.updateTime(timestamp);
  }

  async #relistPod(uid: string): Promise<void> {
    const timestamp = this.clock.now();
    const pod = (await this.runtime.getPods(uid)).find((candidate) => candidate.uid === uid);
    // The next full relist handles a pod that no longer exists.
    if (pod === undefined) return;
    await this.#reconcilePodRecord(uid, timestamp, pod);
    this.cache.setObservedTime(uid, timestamp);
  }

  /** Inspects and caches a pod that has changed, and reports its events. Ports reconcilePodRecord. */
  async #reconcilePodRecord(uid: string, timestamp: number, pod?: RuntimePod): Promise<void> {
    const { cache, onEvent } = this;
    const old = this.#records.get(uid);
    const reinspect = this.#podsToReinspect.delete(uid);
    const changes = stateChanges(old, pod);
    if (changes.length === 0 && !reinspect) return;
    if (pod === undefined) {
      cache.delete(uid);
      this.#records.delete(uid);
    } else {
      const inspected = await this.#inspect(pod);
      cache.set(uid, inspected, timestamp);
      if (inspected.kind === 'error') {
        this.#podsToReinspect.add(uid);
        return;
      }
      this.#records.set(uid, pod);
    }
    if (changes.length === 0) onEvent({ uid, type: 'PodSync' });
    for (const change of changes) {
      for (const type of eventTypes(change)) onEvent({ uid, type, id: change.id });
    }
  }

  async #inspect(pod: RuntimePod): Promise<CachedPod> {
    try {
      const status = await this.runtime.getPodStatus(pod);
      return { kind: 'status', status: { ...status, ips: this.#podIPs(pod.uid, status) } };
    } catch (error) {
      return { kind: 'error', message: runtimeErrorMessage(error) };
    }
  }

  /** Keeps the last address of a terminated pod. Ports getPodIPs. */
  #podIPs(uid: string, status: RuntimePodStatus): readonly string[] {
    if (status.ips.length > 0) return status.ips;
    if (status.sandboxStatuses.some((sandbox) => sandbox.state === 'ready')) return [];
    const old = this.cache.get(uid);
    return old.kind === 'status' ? old.status.ips : [];
  }
}

/** Ports PodLifecycleEvent (pkg/kubelet/pleg/pleg.go). */
export interface PodLifecycleEvent {
  readonly uid: string;
  readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'PodSync';
  readonly id?: string;
}

type PlegState = 'running' | 'exited' | 'unknown' | 'nonExistent';

interface StateChange {
  readonly id: string;
  readonly oldState: PlegState;
  readonly newState: PlegState;
}

/** Compares two listings of a pod. Ports computeEvents (pkg/kubelet/pleg/generic.go). */
export function stateChanges(
  oldPod: RuntimePod | undefined,
  newPod: RuntimePod | undefined,
): StateChange[] {
  if (oldPod === newPod) return [];
  const before = plegStates(oldPod);
  const after = plegStates(newPod);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const oldState = before.get(id) ?? 'nonExistent';
    const newState = after.get(id) ?? 'nonExistent';
    return newState === oldState ? [] : { id, oldState, newState };
  });
}

/** Ports generateEvents (pkg/kubelet/pleg/generic.go). */
export function eventTypes({ oldState, newState }: StateChange): PodLifecycleEvent['type'][] {
  if (newState === 'running') return ['ContainerStarted'];
  if (newState === 'exited') return ['ContainerDied'];
  if (newState === 'unknown') return [];
  return oldState === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'];
}

function plegStates(pod: RuntimePod | undefined): Map<string, PlegState> {
  const states = new Map<string, PlegState>();
  for (const { id, state } of pod?.containers ?? []) {
    states.set(id, state === 'created' ? 'unknown' : state);
  }
  for (const { id, state } of pod?.sandboxes ?? []) {
    states.set(id, state === 'ready' ? 'running' : 'exited');
  }
  return states;
}
