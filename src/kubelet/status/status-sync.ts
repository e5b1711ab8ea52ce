import type { Pod } from '../../api/types/pod.js';
import type { PodStatus } from '../../api/types/status.js';
import type { Clock } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { StatusSink } from '../ports.js';
import { mergePodStatus } from './merge.js';
import { isTerminal } from './pod-status.js';
import type { StatusManager, VersionedPodStatus } from './status-manager.js';

/** Milliseconds between two looks at everything. */
const SYNC_PERIOD = 10_000;

export interface StatusSyncOptions {
  readonly clock: Clock;
  readonly manager: StatusManager;
  readonly sink: StatusSink;
  readonly getPodByUID: (uid: string) => Pod | undefined;
  readonly podCouldHaveRunningContainers: (uid: string) => boolean;
  /** The API server has taken the status: the config source will show it. */
  readonly onPatched: (pod: Pod, status: PodStatus) => void;
  /** The API server has forgotten the pod. */
  readonly onDeleted: (pod: Pod) => void;
}

/**
 * The status manager's way to the API server: each version is handed on once; what could not be goes again with the
 * next change, or in the batch every 10 s. Ports syncBatch and syncPod (pkg/kubelet/status/status_manager.go).
 */
export class StatusSync {
  readonly #apiStatusVersions = new Map<string, number>();
  #ticker: Ticker | undefined;
  #changed = false;
  #syncing = false;

  constructor(private readonly options: StatusSyncOptions) {}

  start(): void {
    this.#ticker = new Ticker(this.options.clock, SYNC_PERIOD, () => this.#wake());
  }

  stop(): void {
    this.#ticker?.stop();
  }

  /** Says that some pod has a new version. */
  notify(): void {
    this.#changed = true;
    this.#wake();
  }

  /** Hands on what has not been handed on yet; resolves when that is done, or has failed. */
  async flush(): Promise<void> {
    await this.#syncBatch(false);
  }

  #wake(): void {
    if (this.#syncing) return;
    this.#syncing = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      // Changes that come in while one batch goes out make one batch more.
      await Promise.resolve();
      if (this.#changed) {
        this.#changed = false;
        await this.#syncBatch(false);
      } else if (this.#ticker?.take() === true) {
        await this.#syncBatch(true);
      } else break;
    }
    this.#syncing = false;
  }

  async #syncBatch(all: boolean): Promise<void> {
    const versions = this.options.manager.versions();
    if (all) this.#cleanUp(versions);
    for (const [uid, versioned] of [...versions]) {
      const handedOn = (this.#apiStatusVersions.get(uid) ?? 0) >= versioned.version;
      if (!handedOn || (all && this.#canBeDeleted(uid, versioned)))
        await this.#syncPod(uid, versioned);
    }
  }

  #cleanUp(versions: ReadonlyMap<string, unknown>): void {
    for (const uid of [...this.#apiStatusVersions.keys()]) {
      if (!versions.has(uid)) this.#apiStatusVersions.delete(uid);
    }
  }

  async #syncPod(
    uid: string,
    { pod, status, version, podIsFinished }: VersionedPodStatus,
  ): Promise<void> {
    const { sink, manager, clock } = this.options;
    const current = this.options.getPodByUID(uid) ?? pod;
    const couldRun = this.options.podCouldHaveRunningContainers(uid);
    const merged = mergePodStatus(current.status, status, couldRun, clock.now());
    try {
      await sink.patchPodStatus(current, merged);
    } catch {
      // The next batch tries again: the version stays unknown to the API server.
      return;
    }
    this.#apiStatusVersions.set(uid, version);
    const patched: Pod = { ...current, status: merged };
    this.options.onPatched(current, merged);
    if (!canBeDeleted(patched, podIsFinished)) return;
    try {
      await sink.deletePod(patched);
    } catch {
      return;
    }
    manager.deletePodStatus(uid);
    this.options.onDeleted(patched);
  }

  #canBeDeleted(uid: string, { podIsFinished }: VersionedPodStatus): boolean {
    const pod = this.options.getPodByUID(uid);
    return pod !== undefined && canBeDeleted(pod, podIsFinished);
  }
}

/** Ports canBeDeleted (pkg/kubelet/status/status_manager.go). */
function canBeDeleted(pod: Pod, podIsFinished: boolean): boolean {
  return (
    pod.metadata.deletionTimestamp !== undefined && isTerminal(pod.status.phase) && podIsFinished
  );
}
