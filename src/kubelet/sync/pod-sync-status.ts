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

/** Step of a pod worker. Ports PodWorkerState (pkg/kubelet/pod_workers.go). */
export type PodWorkType = 'SyncPod' | 'TerminatingPod' | 'TerminatedPod';

interface Termination {
  /** The pod is marked for deletion, or its source no longer has it. */
  readonly deleted: boolean;
  /** The pod was added again with the same uid. */
  readonly restartRequested: boolean;
}

/** State of a pod in its worker, which only moves down this list. Ports podSyncStatus (pkg/kubelet/pod_workers.go). */
export type PodSyncStatus =
  /** The pod runs, or waits for its start. */
  | { readonly kind: 'SyncPod' }
  /** The pod's containers are to be stopped, with a grace period in seconds; 0 before the first request. */
  | (Termination & { readonly kind: 'TerminatingPod'; readonly gracePeriod: number })
  /** All containers have been stopped. */
  | (Termination & { readonly kind: 'TerminatedPod' })
  /** SyncTerminatedPod has succeeded. */
  | (Termination & { readonly kind: 'finished' });

export const SYNC_POD: PodSyncStatus = { kind: 'SyncPod' };

/** Ports podSyncStatus.WorkType (pkg/kubelet/pod_workers.go). */
export function workTypeOf({ kind }: PodSyncStatus): PodWorkType {
  return kind === 'finished' ? 'TerminatedPod' : kind;
}

/** Returns the status of a pod that has begun to end; one that is further on is unchanged. */
export function terminating(status: PodSyncStatus, deleted = false): PodSyncStatus {
  if (status.kind !== 'SyncPod') return status;
  return { kind: 'TerminatingPod', deleted, restartRequested: false, gracePeriod: 0 };
}

/** Returns the status of a pod whose containers have been stopped, or that is `finished`. */
export function terminated(
  status: PodSyncStatus,
  kind: 'TerminatedPod' | 'finished' = 'TerminatedPod',
): PodSyncStatus {
  const { deleted, restartRequested } =
    status.kind === 'SyncPod' ? { deleted: false, restartRequested: false } : status;
  return { kind, deleted, restartRequested };
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
  for (const requested of [pod.metadata.deletionGracePeriodSeconds, override]) {
    if (requested === undefined || (gracePeriod !== 0 && requested >= gracePeriod)) continue;
    gracePeriod = requested;
    overridden = true;
  }
  if (!overridden && gracePeriod === 0) gracePeriod = pod.spec.terminationGracePeriodSeconds ?? 0;
  return Math.max(1, gracePeriod);
}

/** Returns the status after an update, and the update for the worker. Ports a part of UpdatePod (pod_workers.go). */
export function applyUpdate(
  status: PodSyncStatus,
  { pod, updateType, gracePeriodOverride }: UpdatePodOptions,
): { readonly status: PodSyncStatus; readonly update: UpdatePodOptions } {
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  const ends = deleted || isTerminal(pod.status.phase) || updateType === 'kill';
  const next = ends ? terminating(status, deleted) : status;
  if (next.kind !== 'TerminatingPod') return { status: next, update: { pod, updateType } };
  const gracePeriod = calculateEffectiveGracePeriod(next.gracePeriod, pod, gracePeriodOverride);
  return {
    status: { ...next, gracePeriod },
    update: { pod, updateType, gracePeriodOverride: gracePeriod },
  };
}

/** Reports whether an update cancels the sync that runs: the pod has begun to end, or has to end sooner. */
export function cancelsSync(before: PodSyncStatus, after: PodSyncStatus): boolean {
  if (after.kind !== 'TerminatingPod') return false;
  return before.kind !== 'TerminatingPod' || after.gracePeriod < before.gracePeriod;
}

/** Returns the status of a pod that its source no longer has. Ports removeTerminatedWorker for orphans. */
export function orphaned(status: PodSyncStatus, pod: Pod): PodSyncStatus {
  if (status.kind !== 'SyncPod') return { ...status, deleted: true };
  const gracePeriod = calculateEffectiveGracePeriod(0, pod, undefined);
  return { kind: 'TerminatingPod', deleted: true, restartRequested: false, gracePeriod };
}
