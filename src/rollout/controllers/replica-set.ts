import { getPodsToDelete } from './active-pods.js';
import type { ApiPod, ReplicaSet, ReplicaSetStatus } from './objects.js';
import {
  findMinNextPodAvailabilityCheck,
  isAvailable,
  isPodActive,
  isPodReady,
  isPodTerminating,
} from './pod-util.js';

/** Most pods that one sync creates or deletes (BurstReplicas, pkg/controller/replicaset/replica_set.go). */
const BURST_REPLICAS = 500;

/** Writes of the ReplicaSet controller. */
interface ReplicaSetClient {
  createPod(owner: ReplicaSet): void;
  deletePod(pod: ApiPod): void;
  updateStatus(rs: ReplicaSet): void;
  /** Syncs the ReplicaSet again, milliseconds from now. */
  enqueueAfter(rs: ReplicaSet, delay: number): void;
}

interface ReplicaSetSync {
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

/** Creates or deletes pods. Ports manageReplicas; as every pod is admitted, there is no slow start. */
function manageReplicas(sync: ReplicaSetSync, activePods: readonly ApiPod[]): void {
  const { rs, relatedPods, client, now } = sync;
  const diff = Math.min(Math.abs(activePods.length - rs.spec.replicas), BURST_REPLICAS);
  if (activePods.length < rs.spec.replicas) {
    for (let created = 0; created < diff; created++) client.createPod(rs);
  } else if (diff > 0) {
    const doomed = getPodsToDelete(activePods, relatedPods(), diff, now);
    for (const pod of doomed) client.deletePod(pod);
  }
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
    availableReplicas: ready.filter((pod) => isAvailable({ spec }, pod, now)).length,
    observedGeneration: metadata.generation,
    terminatingReplicas,
  };
}
