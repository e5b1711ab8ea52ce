import type { ApiServer } from '../api-server.js';
import type { ApiPod, DaemonSet, ReplicaSet, StatefulSet, Workload } from './objects.js';
import { findMinNextPodAvailabilityCheck } from './pod-util.js';

/** Milliseconds: the first delay of the controllers' rate limiter. */
export const BASE_DELAY = 5;

/** The API server, the time and the queue for the sync of an object. */
export interface SyncContext {
  readonly api: ApiServer;
  readonly now: number;
  /** Syncs the object again after these milliseconds. */
  readonly enqueueAfter: (object: Workload | ReplicaSet, delay: number) => void;
}

/** Stores the status at the end of a sync, and syncs again when the next pod becomes available. */
export function endSync<Owner extends ReplicaSet | StatefulSet | DaemonSet>(
  { api, now, enqueueAfter }: SyncContext,
  owner: Owner,
  status: Owner['status'],
  waiting: number,
  pods: readonly ApiPod[] = [],
): void {
  const { minReadySeconds } = owner.spec;
  if (JSON.stringify(status) !== JSON.stringify(owner.status)) {
    const changed: Owner = { ...owner, status };
    api.updateStatus(changed);
  }
  if (minReadySeconds === 0 || waiting === 0) return;
  const next = findMinNextPodAvailabilityCheck(pods, minReadySeconds, now);
  enqueueAfter(owner, next ?? minReadySeconds * 1000);
}
