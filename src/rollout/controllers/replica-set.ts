import { getPodsToDelete } from './active-pods.js';
import type { ApiPod, ReplicaSet, ReplicaSetStatus } from './objects.js';
import {
  findMinNextPodAvailabilityCheck,
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminating,
} from './pod-util.js';

/** Most pods that one sync creates or deletes (BurstReplicas, pkg/controller/replicaset/replica_set.go). */
const BURST_REPLICAS = 500;
/** SlowStartInitialBatchSize (pkg/controller/controller_utils.go). */
const SLOW_START_INITIAL_BATCH_SIZE = 1;

/** Writes of the ReplicaSet controller. */
export interface ReplicaSetClient {
  /** Returns whether the API server has created the pod. */
  createPod(owner: ReplicaSet): boolean;
  deletePod(pod: ApiPod): void;
  updateStatus(rs: ReplicaSet): void;
  /** Syncs the ReplicaSet again, milliseconds from now. */
  enqueueAfter(rs: ReplicaSet, delay: number): void;
}

export interface ReplicaSetSync {
  readonly rs: ReplicaSet;
  /** Pods that the ReplicaSet controls. */
  readonly pods: readonly ApiPod[];
  /** Pods of all ReplicaSets of the same Deployment (getIndirectlyRelatedPods). */
  readonly relatedPods: () => readonly ApiPod[];
  readonly client: ReplicaSetClient;
  readonly now: number;
}

/** Ports syncReplicaSet (pkg/controller/replicaset/replica_set.go). */
export function syncReplicaSet(sync: ReplicaSetSync): void {
  const { rs, pods, client, now } = sync;
  const activePods = pods.filter(isPodActive);
  manageReplicas(sync, activePods);
  const status = calculateStatus(rs, activePods, pods.filter(isPodTerminating).length, now);
  if (JSON.stringify(status) !== JSON.stringify(rs.status)) client.updateStatus({ ...rs, status });
  const { minReadySeconds } = rs.spec;
  if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas) {
    const next = findMinNextPodAvailabilityCheck(activePods, minReadySeconds, now);
    client.enqueueAfter(rs, next ?? minReadySeconds * 1000);
  }
}

/** Creates or deletes pods. Ports manageReplicas. */
function manageReplicas(sync: ReplicaSetSync, activePods: readonly ApiPod[]): void {
  const { rs, relatedPods, client, now } = sync;
  const diff = Math.min(Math.abs(activePods.length - rs.spec.replicas), BURST_REPLICAS);
  if (activePods.length < rs.spec.replicas) {
    slowStartBatch(diff, SLOW_START_INITIAL_BATCH_SIZE, () => client.createPod(rs));
  } else if (diff > 0) {
    const doomed = getPodsToDelete(activePods, relatedPods(), diff, now);
    for (const pod of doomed) client.deletePod(pod);
  }
}

/**
 * Calls `create` in batches that double in size, until one has a failure; returns the number of successes. Ports
 * slowStartBatch.
 */
export function slowStartBatch(
  count: number,
  initialBatchSize: number,
  create: () => boolean,
): number {
  let successes = 0;
  let remaining = count;
  for (
    let batchSize = Math.min(remaining, initialBatchSize);
    batchSize > 0;
    batchSize = Math.min(2 * batchSize, remaining)
  ) {
    const created = Array.from({ length: batchSize }, create).filter(Boolean).length;
    successes += created;
    if (created < batchSize) return successes;
    remaining -= batchSize;
  }
  return successes;
}

/** Ports calculateStatus (pkg/controller/replicaset/replica_set_utils.go). */
function calculateStatus(
  { spec, metadata }: ReplicaSet,
  activePods: readonly ApiPod[],
  terminatingReplicas: number,
  now: number,
): ReplicaSetStatus {
  const templateLabels = Object.entries(spec.template.metadata.labels);
  const fullyLabeled = activePods.filter((pod) =>
    templateLabels.every(([key, value]) => pod.metadata.labels[key] === value),
  );
  const ready = activePods.filter(isPodReady);
  return {
    replicas: activePods.length,
    fullyLabeledReplicas: fullyLabeled.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, spec.minReadySeconds, now)).length,
    observedGeneration: metadata.generation,
    terminatingReplicas,
  };
}
