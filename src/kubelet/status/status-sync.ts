import { omitUndefined, type Pod, type PodCondition, type PodStatus } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { StatusSink } from '../ports.js';
import { conditionsOfOthers, podConditionByKubelet, terminalCondition } from './conditions.js';
import { isTerminal } from './pod-status.js';
import {
  replaceOrAppendPodCondition,
  semanticDeepEqual,
  type StatusManager,
  type VersionedPodStatus,
} from './status-manager.js';

/** Milliseconds between two syncs of all statuses. */
const SYNC_PERIOD = 10_000;

interface StatusSyncOptions {
  readonly clock: Clock;
  readonly manager: StatusManager;
  readonly sink: StatusSink;
  readonly getPodByUID: (uid: string) => Pod | undefined;
  readonly podCouldHaveRunningContainers: (uid: string) => boolean;
  readonly onPatched: (pod: Pod, status: PodStatus) => void;
  readonly onDeleted: (pod: Pod) => void;
}

/**
 * Sends statuses to the API server: each change once, failed ones again with the next change or in the batch every
 * 10 s. Ports syncBatch and syncPod (pkg/kubelet/status/status_manager.go).
 */
export class StatusSync {
  /** The statuses in the API server, by pod uid. */
  readonly #patched = new Map<string, Pick<VersionedPodStatus, 'version' | 'status'>>();
  #ticker: Ticker | undefined;
  #changed = false;
  #running = false;
  /** Resolves when the latest batch has ended: one runs at a time. */
  #lastBatch: Promise<void> = Promise.resolve();

  constructor(private readonly options: StatusSyncOptions) {}

  start(): void {
    this.#ticker = new Ticker(this.options.clock, SYNC_PERIOD, () => this.#wake());
  }

  stop(): void {
    this.#ticker?.stop();
  }

  notify(): void {
    this.#changed = true;
    this.#wake();
  }

  /** Sends all unsent statuses; resolves when each has been sent or has failed. */
  flush(): Promise<void> {
    return this.#addBatch(false);
  }

  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    this.options.clock.go(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (;;) {
      // Changes during a batch are sent in another one.
      if (this.#changed) {
        this.#changed = false;
        await this.#addBatch(false);
      } else if (this.#ticker?.take() === true) {
        await this.#addBatch(true);
      } else break;
    }
    this.#running = false;
  }

  /** Syncs the changed statuses, or all, after the batches before. */
  #addBatch(all: boolean): Promise<void> {
    this.#lastBatch = this.#lastBatch.then(() => this.#syncBatch(all));
    return this.#lastBatch;
  }

  async #syncBatch(all: boolean): Promise<void> {
    const versions = this.options.manager.versions();
    const gone = [...this.#patched.keys()].filter((uid) => all && !versions.has(uid));
    for (const uid of gone) this.#patched.delete(uid);
    for (const [uid, versioned] of [...versions]) {
      const isPatched = (this.#patched.get(uid)?.version ?? 0) >= versioned.version;
      if (!isPatched || (all && this.#canBeDeleted(uid, versioned))) {
        await this.#syncPod(uid, versioned);
      }
    }
  }

  async #syncPod(
    uid: string,
    { pod, status, version, podIsFinished }: VersionedPodStatus,
  ): Promise<void> {
    const { sink, manager, getPodByUID, podCouldHaveRunningContainers, clock } = this.options;
    const current = getPodByUID(uid) ?? pod;
    const sent = this.#patched.get(uid)?.status;
    // The last status that was sent, with the conditions of others from the pod's source.
    const old = { ...(sent ?? current.status), conditions: current.status.conditions ?? [] };
    const couldRun = podCouldHaveRunningContainers(uid);
    const merged = mergePodStatus(current, old, status, couldRun, clock.now());
    const patched: Pod = { ...current, status: merged };
    const done =
      semanticDeepEqual(sent, patched.status) ||
      (await succeeds(() => sink.patchPodStatus(current, patched.status)));
    if (!done) return;
    this.#patched.set(uid, { version, status: patched.status });
    this.options.onPatched(current, patched.status);
    if (!canBeDeleted(patched, podIsFinished)) return;
    if (!(await succeeds(() => sink.deletePod(patched)))) return;
    manager.deletePodStatus(uid);
    this.options.onDeleted(patched);
  }

  #canBeDeleted(uid: string, { podIsFinished }: VersionedPodStatus): boolean {
    const pod = this.options.getPodByUID(uid);
    return pod !== undefined && canBeDeleted(pod, podIsFinished);
  }
}

async function succeeds(call: () => Promise<void>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch {
    return false;
  }
}

/** Ports canBeDeleted (pkg/kubelet/status/status_manager.go). */
function canBeDeleted(pod: Pod, podIsFinished: boolean): boolean {
  return (
    pod.metadata.deletionTimestamp !== undefined && isTerminal(pod.status.phase) && podIsFinished
  );
}

/**
 * Returns the status to send, with the conditions of others, and no terminal phase while containers may run. Ports
 * mergePodStatus (pkg/kubelet/status/status_manager.go).
 */
export function mergePodStatus(
  pod: Pod,
  oldStatus: PodStatus,
  newStatus: PodStatus,
  couldHaveRunningContainers: boolean,
  now: number,
): PodStatus {
  const others = conditionsOfOthers(oldStatus.conditions);
  const byKubelet = (newStatus.conditions ?? []).filter((c) => podConditionByKubelet(c.type));
  const becomesTerminal = !isTerminal(oldStatus.phase) && isTerminal(newStatus.phase);
  const merged: PodStatus = { ...newStatus, conditions: [...others, ...byKubelet] };
  if (becomesTerminal && couldHaveRunningContainers) {
    const { phase, reason, message } = oldStatus;
    return omitUndefined({ ...merged, phase, reason, message });
  }
  return isTerminal(merged.phase) ? withReadyFalse(pod, merged, now) : merged;
}

/** Sets the ready conditions of a pod that has ended to False, whatever its containers' last statuses say. */
function withReadyFalse(pod: Pod, status: PodStatus, now: number): PodStatus {
  const { conditions = [], phase } = status;
  const types = ['ContainersReady', 'Ready'] as const;
  const ready = types.some((type) => findCondition(conditions, type)?.status === 'True');
  if (!ready) return status;
  const updated = types.reduce<readonly PodCondition[]>((list, type) => {
    const old = findCondition(list, type);
    const since = old?.status === 'False' ? old.lastTransitionTime : now;
    return replaceOrAppendPodCondition(list, {
      ...terminalCondition(pod, type, phase),
      ...(since !== undefined && { lastTransitionTime: since }),
    });
  }, conditions);
  return { ...status, conditions: updated };
}

function findCondition(
  conditions: readonly PodCondition[],
  type: string,
): PodCondition | undefined {
  return conditions.find((c) => c.type === type);
}
