import { omitUndefined, type Pod, type PodStatus } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import type { ContainerStarterOptions } from '../containers/container-starter.js';
import type { RuntimeManager } from '../containers/runtime-manager.js';
import type { RuntimePodStatus } from '../ports.js';
import type { ProberManager } from '../prober/prober-manager.js';
import { isTrue } from '../restart-policy.js';
import { DEADLINE_EXCEEDED, generateAPIPodStatus, isTerminal } from '../status/pod-status.js';
import { replaceOrAppendPodCondition, type StatusManager } from '../status/status-manager.js';
import { ReasonCache, runtimeErrorMessage, SyncError, syncError } from '../sync-result.js';
import type { SyncPodType } from './pod-sync-status.js';
import type { PodSyncer, SyncPodOutcome } from './pod-workers.js';

type Shared = 'clock' | 'runtime' | 'recorder' | 'behavior';

interface PodSyncerOptions extends Pick<ContainerStarterOptions, Shared> {
  readonly runtimeManager: RuntimeManager;
  readonly statusManager: StatusManager;
  readonly proberManager: ProberManager;
  readonly hostIP: string;
  readonly requestSync: (pod: Pod) => void;
}

/** Ports SyncPod, SyncTerminatingPod and SyncTerminatedPod (pkg/kubelet/kubelet.go). */
export class KubeletPodSyncer implements PodSyncer {
  readonly reasonCache = new ReasonCache();

  constructor(private readonly options: PodSyncerOptions) {}

  async syncPod(
    _updateType: SyncPodType,
    pod: Pod,
    podStatus: RuntimePodStatus,
  ): Promise<SyncPodOutcome> {
    const { statusManager, proberManager, runtimeManager, runtime, behavior } = this.options;
    const isNew = statusManager.getPodStatus(pod.metadata.uid) === undefined;
    if (isNew) proberManager.takeOver(pod, runtime.name, podStatus);
    const status = this.#generateStatus(pod, podStatus, false);
    statusManager.setPodStatus(pod, status);
    if (isTerminal(status.phase)) return { isTerminal: true, relist: false };
    if (proberManager.reconcilePod(pod)) this.options.requestSync(pod);
    proberManager.addPod(pod);
    const restartingAll = isTrue(status, 'AllContainersRestarting');
    const results = await runtimeManager.syncPod(
      pod,
      { ...podStatus, ips: status.podIPs ?? [] },
      restartingAll,
    );
    this.reasonCache.update(pod.metadata.uid, results);
    const error = syncError(results);
    if (error !== undefined) throw error;
    // All containers have been removed: the next sync, which starts them again, is due now.
    const hasRemoved = results.some((r) => r.action === 'RemoveContainer' && r.error === undefined);
    if (behavior.startsAllAtOnce && restartingAll && hasRemoved) this.options.requestSync(pod);
    return { isTerminal: false, relist: results.length > 0 };
  }

  async syncTerminatingPod(
    pod: Pod,
    podStatus: RuntimePodStatus,
    gracePeriod: number | undefined,
  ): Promise<void> {
    const { statusManager, proberManager, runtimeManager, recorder } = this.options;
    statusManager.setPodStatus(pod, this.#generateStatus(pod, podStatus, false));
    proberManager.stopLivenessAndStartup(pod);
    const error = syncError(await runtimeManager.killPod(pod, podStatus, gracePeriod));
    if (error !== undefined) {
      recorder.podEvent(pod, 'Warning', 'FailedKillPod', `error killing pod: ${error.message}`);
      throw new SyncError(`error killing terminating pod: ${error.message}`);
    }
    // All containers have stopped, so nothing is left to probe.
    proberManager.removePod(pod);
    const stopped = await this.#stoppedStatus(pod, podStatus);
    statusManager.setPodStatus(pod, this.#generateStatus(pod, stopped, true));
  }

  syncTerminatedPod(pod: Pod, podStatus: RuntimePodStatus): Promise<void> {
    const { statusManager } = this.options;
    statusManager.setPodStatus(pod, this.#generateStatus(pod, podStatus, true));
    statusManager.terminatePod(pod);
    return Promise.resolve();
  }

  /** Ports activeDeadlineHandler.pastActiveDeadline (pkg/kubelet/active_deadline.go). */
  pastActiveDeadline(pod: Pod): boolean {
    const { activeDeadlineSeconds } = pod.spec;
    if (activeDeadlineSeconds === undefined) return false;
    const { clock, statusManager } = this.options;
    const { startTime } = statusManager.getPodStatus(pod.metadata.uid) ?? pod.status;
    return startTime !== undefined && clock.now() - startTime >= activeDeadlineSeconds * 1000;
  }

  #generateStatus(pod: Pod, podStatus: RuntimePodStatus, podIsTerminal: boolean): PodStatus {
    const { runtime, statusManager, proberManager, recorder, hostIP, behavior } = this.options;
    const { uid } = pod.metadata;
    const deadlineExceeded = this.pastActiveDeadline(pod);
    if (deadlineExceeded) {
      recorder.podEvent(pod, 'Normal', DEADLINE_EXCEEDED.reason, DEADLINE_EXCEEDED.message);
    }
    return generateAPIPodStatus({
      pod,
      podStatus,
      podIsTerminal,
      deadlineExceeded,
      hostIP,
      behavior,
      runtimeName: runtime.name,
      cached: statusManager.getPodStatus(uid),
      startError: (container) => this.reasonCache.get(uid, container),
      updatePodStatus: (status) => proberManager.updatePodStatus(pod, status),
    });
  }

  /** Returns the runtime's status of the pod after everything was stopped. */
  async #stoppedStatus(pod: Pod, before: RuntimePodStatus): Promise<RuntimePodStatus> {
    const { runtime } = this.options;
    const { uid, name, namespace } = pod.metadata;
    try {
      const pods = await runtime.getPods(uid);
      const unknownPod = { uid, name, namespace, containers: [], sandboxes: [] };
      const status = await runtime.getPodStatus(pods.find((p) => p.uid === uid) ?? unknownPod);
      const running = status.containerStatuses.filter((c) => c.state === 'running');
      if (running.length > 0) {
        const ids = running.map(({ id }) => id).join(' ');
        throw new SyncError(
          `detected running containers after a successful KillPod, CRI violation: [${ids}]`,
        );
      }
      // A stopped sandbox has no address. The pod keeps its last address.
      return { ...status, ips: before.ips };
    } catch (error) {
      if (error instanceof SyncError) throw error;
      throw new SyncError(
        `unable to read pod status prior to final pod termination: ${runtimeErrorMessage(error)}`,
      );
    }
  }
}

/** Ports OnPodSandboxReady (pkg/kubelet/kubelet.go). */
export function onPodSandboxReady(pod: Pod, clock: Clock, statusManager: StatusManager): void {
  // This runs as a goroutine: SyncPod continues first.
  clock.go(() => {
    const status = statusManager.getPodStatus(pod.metadata.uid) ?? pod.status;
    const observed = omitUndefined({ observedGeneration: pod.metadata.generation });
    const condition = { type: 'PodReadyToStartContainers', status: 'True', ...observed } as const;
    const conditions = replaceOrAppendPodCondition(status.conditions ?? [], condition);
    statusManager.setPodStatus(pod, { ...status, conditions });
  });
}
