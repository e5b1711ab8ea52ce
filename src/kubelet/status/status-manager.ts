import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { isStaticPod } from '../pod-name.js';
import {
  generateContainersReadyCondition,
  generatePodReadyCondition,
  podConditionByKubelet,
} from './conditions.js';
import { normalizeStatus, semanticDeepEqual } from './normalize.js';
import {
  checkContainerStateTransition,
  terminatedStatus,
  updateLastTransitionTimes,
} from './transitions.js';

/** Status with its version. Ports versionedPodStatus (pkg/kubelet/status/status_manager.go). */
export interface VersionedPodStatus {
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly version: number;
  /** SyncTerminatedPod has succeeded. */
  readonly podIsFinished: boolean;
}

export interface StatusManagerOptions {
  readonly clock: Clock;
  readonly getPodByUID: (uid: string) => Pod | undefined;
  readonly onChange: (pod: Pod, status: PodStatus) => void;
}

/** Keeps the status of each pod. Ports the status manager (pkg/kubelet/status/status_manager.go). */
export class StatusManager {
  readonly #statuses = new Map<string, VersionedPodStatus>();

  constructor(private readonly options: StatusManagerOptions) {}

  getPodStatus(uid: string): PodStatus | undefined {
    return this.#statuses.get(uid)?.status;
  }

  /** Statuses by pod uid. */
  versions(): ReadonlyMap<string, VersionedPodStatus> {
    return this.#statuses;
  }

  setPodStatus(pod: Pod, status: PodStatus): void {
    const { generation, deletionTimestamp } = pod.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    this.#update(pod, { ...status, ...observed }, deletionTimestamp !== undefined, false);
  }

  /** Sets the container's readiness and the ready conditions. Ports SetContainerReadiness. */
  setContainerReadiness(uid: string, containerID: string, ready: boolean): void {
    this.#change(
      uid,
      containerID,
      (c) => (c.ready === ready ? undefined : { ...c, ready }),
      withReadyConditions,
    );
  }

  setContainerStartup(uid: string, containerID: string, started: boolean): void {
    this.#change(uid, containerID, (c) => (c.started === started ? undefined : { ...c, started }));
  }

  /** Sets the pod's last status. Ports TerminatePod. */
  terminatePod(pod: Pod): void {
    const status = this.#statuses.get(pod.metadata.uid)?.status ?? pod.status;
    this.#update(pod, terminatedStatus(pod, status), true, true);
  }

  removeOrphanedStatuses(wanted: { has(uid: string): boolean }): void {
    for (const uid of this.#statuses.keys()) {
      if (!wanted.has(uid)) this.#statuses.delete(uid);
    }
  }

  deletePodStatus(uid: string): void {
    this.#statuses.delete(uid);
  }

  #change(
    uid: string,
    containerID: string,
    change: (status: ContainerStatus) => ContainerStatus | undefined,
    finish: (pod: Pod, status: PodStatus) => PodStatus = (_, status) => status,
  ): void {
    const pod = this.options.getPodByUID(uid);
    const old = this.#statuses.get(uid)?.status;
    if (pod === undefined || old === undefined) return;
    const changed = changeContainer(old, containerID, change);
    if (changed !== undefined) this.#update(pod, finish(pod, changed), false, false);
  }

  /** Stores a changed status as a new version. Ports updateStatusInternal. */
  #update(pod: Pod, status: PodStatus, force: boolean, podIsFinished: boolean): void {
    const { uid } = pod.metadata;
    const cached = this.#statuses.get(uid);
    const old = cached?.status ?? pod.status;
    if (!checkContainerStateTransition(old, status, pod.spec)) return;
    const now = this.options.clock.now();
    const next = normalizeStatus(pod, {
      ...status,
      ...latestGeneration(old, status),
      conditions: updateLastTransitionTimes(status.conditions ?? [], old.conditions ?? [], now),
      startTime: old.startTime ?? status.startTime ?? now,
    });
    if (cached !== undefined && !force && isPodStatusByKubeletEqual(cached.status, next)) return;
    this.#statuses.set(uid, {
      pod,
      status: next,
      version: (cached?.version ?? 0) + 1,
      // A static pod may start over with the same uid.
      podIsFinished: podIsFinished || (!isStaticPod(pod) && cached?.podIsFinished === true),
    });
    this.options.onChange(pod, next);
  }
}

/** Keeps the observed generation from going back. */
function latestGeneration(old: PodStatus, status: PodStatus): PodStatus {
  const { observedGeneration = 0 } = status;
  const before = old.observedGeneration ?? 0;
  return before > observedGeneration ? { observedGeneration: before } : {};
}

/** Ports isPodStatusByKubeletEqual (pkg/kubelet/status/status_manager.go). */
export function isPodStatusByKubeletEqual(a: PodStatus, b: PodStatus): boolean {
  const own = (status: PodStatus): PodCondition[] =>
    (status.conditions ?? []).filter((c) => podConditionByKubelet(c.type));
  const [ours, theirs] = [own(a), own(b)];
  const same = (c: PodCondition): boolean => {
    const other = theirs.find(({ type }) => type === c.type);
    return (
      other?.status === c.status &&
      (other.message ?? '') === (c.message ?? '') &&
      (other.reason ?? '') === (c.reason ?? '')
    );
  };
  if (ours.length !== theirs.length || !ours.every(same)) return false;
  return semanticDeepEqual({ ...a, conditions: [] }, { ...b, conditions: [] });
}

function changeContainer(
  status: PodStatus,
  containerID: string,
  change: (status: ContainerStatus) => ContainerStatus | undefined,
): PodStatus | undefined {
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    const found = status[list]?.find((c) => c.containerID === containerID);
    if (found === undefined) continue;
    const changed = change(found);
    if (changed === undefined) return undefined;
    return { ...status, [list]: status[list]?.map((c) => (c === found ? changed : c)) };
  }
  return undefined;
}

function withReadyConditions(pod: Pod, status: PodStatus): PodStatus {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const old = status.conditions ?? [];
  const ready = generatePodReadyCondition(pod, old, statuses, status.phase);
  const containersReady = generateContainersReadyCondition(pod, statuses, status.phase);
  const replaced = [ready, containersReady].reduce<readonly PodCondition[]>(
    replaceOrAppendPodCondition,
    old,
  );
  return { ...status, conditions: replaced };
}

/** Ports ReplaceOrAppendPodCondition (pkg/util/pod/pod.go). */
export function replaceOrAppendPodCondition(
  conditions: readonly PodCondition[],
  condition: PodCondition,
): PodCondition[] {
  const has = conditions.some((c) => c.type === condition.type);
  return has
    ? conditions.map((c) => (c.type === condition.type ? condition : c))
    : [...conditions, condition];
}
