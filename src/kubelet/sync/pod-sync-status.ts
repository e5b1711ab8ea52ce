import type { Pod } from '../../api/index.js';
import { isTerminal } from '../status/pod-status.js';

/** Ports SyncPodType (pkg/kubelet/types/pod_update.go). */
export type SyncPodType = 'sync' | 'update' | 'create' | 'kill';

/** Update for a pod worker. Ports UpdatePodOptions (pkg/kubelet/pod_workers.go). */
export interface UpdatePodOptions {
  readonly updateType: SyncPodType;
  readonly pod: Pod;
  /** Seconds. */
  readonly gracePeriodOverride?: number;
}

export type PodWorkType = 'SyncPod' | 'TerminatingPod' | 'TerminatedPod';

/** State of a pod in its worker. Ports podSyncStatus (pkg/kubelet/pod_workers.go). */
export interface PodSyncStatus {
  readonly fullname: string;
  /** An update is pending or in progress. */
  working: boolean;
  pendingUpdate?: UpdatePodOptions | undefined;
  activeUpdate?: UpdatePodOptions;
  startedAt?: number;
  terminatingAt?: number;
  /** Time when all containers had been stopped. */
  terminatedAt?: number;
  /** End of the last step. */
  lastSyncTime?: number;
  gracePeriod: number;
  deleted: boolean;
  /** SyncTerminatedPod has succeeded. */
  finished: boolean;
  /** The pod was added again with the same uid. */
  restartRequested: boolean;
}

export function newPodSyncStatus(fullname: string): PodSyncStatus {
  return {
    fullname,
    working: false,
    gracePeriod: 0,
    deleted: false,
    finished: false,
    restartRequested: false,
  };
}

/** Ports podSyncStatus.WorkType (pkg/kubelet/pod_workers.go). */
export function workTypeOf(status: PodSyncStatus): PodWorkType {
  if (status.terminatedAt !== undefined) return 'TerminatedPod';
  return status.terminatingAt !== undefined ? 'TerminatingPod' : 'SyncPod';
}

/**
 * Returns the pod's grace period in seconds: the shortest that was requested, at least one. Ports
 * calculateEffectiveGracePeriod (pkg/kubelet/pod_workers.go).
 */
export function calculateEffectiveGracePeriod(
  current: number,
  pod: Pod,
  override: number | undefined,
): number {
  let gracePeriod = current;
  let overridden = false;
  for (const wish of [pod.metadata.deletionGracePeriodSeconds, override]) {
    if (wish === undefined || (gracePeriod !== 0 && wish >= gracePeriod)) continue;
    gracePeriod = wish;
    overridden = true;
  }
  if (!overridden && gracePeriod === 0) gracePeriod = pod.spec.terminationGracePeriodSeconds ?? 0;
  return Math.max(1, gracePeriod);
}

/** Applies an update to the state and returns the update for the worker. Ports UpdatePod's middle. */
export function notePendingUpdate(
  status: PodSyncStatus,
  { pod, updateType, gracePeriodOverride }: UpdatePodOptions,
  now: number,
): UpdatePodOptions {
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  if (deleted || isTerminal(pod.status.phase) || updateType === 'kill') {
    if (status.terminatingAt === undefined) status.deleted ||= deleted;
    status.terminatingAt ??= now;
  }
  if (status.terminatingAt === undefined || status.terminatedAt !== undefined) {
    return { pod, updateType };
  }
  status.gracePeriod = calculateEffectiveGracePeriod(status.gracePeriod, pod, gracePeriodOverride);
  return { pod, updateType, gracePeriodOverride: status.gracePeriod };
}

/**
 * Moves the pod to its next step when this one has completed; that step is due at once, with the last update unless
 * there is a newer one. Ports completeSync and completeTerminating (pkg/kubelet/pod_workers.go).
 */
export function completeStep(
  status: PodSyncStatus,
  workType: PodWorkType,
  ended: boolean,
  now: number,
): boolean {
  if (workType === 'TerminatingPod') status.terminatedAt = now;
  else if (ended) status.terminatingAt ??= now;
  else return false;
  status.pendingUpdate ??= status.activeUpdate;
  return true;
}

/** Lets static pods of the same name start one after another. Ports allowStaticPodStart (pod_workers.go). */
export class StaticPodTurns {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, string[]>();

  wait(fullname: string, uid: string): void {
    this.#waiting.set(fullname, [...(this.#waiting.get(fullname) ?? []), uid]);
  }

  /** Returns whether it is this pod's turn; pods that have `ended` are skipped. */
  allow(fullname: string, uid: string, ended: (uid: string) => boolean): boolean {
    const started = this.#started.get(fullname);
    if (started !== undefined) return started === uid;
    const waiting = this.#waiting.get(fullname) ?? [];
    const next = waiting.findIndex((other) => !ended(other));
    if (next !== -1 && waiting[next] !== uid) {
      this.#waiting.set(fullname, waiting.slice(next));
      return false;
    }
    this.#waiting.set(fullname, next === -1 ? [] : waiting.slice(next + 1));
    this.#started.set(fullname, uid);
    return true;
  }

  /** Lets the next pod start after this one has ended. */
  free(fullname: string, uid: string): void {
    if (this.#started.get(fullname) === uid) this.#started.delete(fullname);
  }
}
