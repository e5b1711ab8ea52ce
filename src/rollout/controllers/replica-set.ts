import { isRestartableInitContainer } from '../../kubelet/restart-policy.js';
import type { ApiPod, ReplicaSet, ReplicaSetStatus } from './objects.js';
import {
  isAvailable,
  isPodActive,
  isPodReady,
  isPodTerminating,
  podReadyTime,
} from './pod-util.js';
import { endSync, type SyncContext } from './sync-context.js';

/** Most pods that one sync creates or deletes (BurstReplicas, pkg/controller/replicaset/replica_set.go). */
const BURST_REPLICAS = 500;

interface ReplicaSetSync extends SyncContext {
  readonly rs: ReplicaSet;
  readonly pods: readonly ApiPod[];
  /** Pods of all ReplicaSets of the same Deployment (getIndirectlyRelatedPods). */
  readonly relatedPods: () => readonly ApiPod[];
}

/** Ports syncReplicaSet (pkg/controller/replicaset/replica_set.go). */
export function syncReplicaSet(sync: ReplicaSetSync): void {
  const { rs, pods, now } = sync;
  const activePods = pods.filter(isPodActive);
  manageReplicas(sync, activePods);
  const status = calculateStatus(rs, activePods, pods.filter(isPodTerminating).length, now);
  endSync(sync, rs, status, status.readyReplicas - status.availableReplicas, activePods);
}

/** Creates or deletes pods. Ports manageReplicas; as every pod is admitted, there is no slow start. */
function manageReplicas(sync: ReplicaSetSync, activePods: readonly ApiPod[]): void {
  const { rs, relatedPods, api, now } = sync;
  const { template } = rs.spec;
  const diff = Math.min(Math.abs(activePods.length - rs.spec.replicas), BURST_REPLICAS);
  if (activePods.length < rs.spec.replicas) {
    for (let created = 0; created < diff; created++) api.createPod({ owner: rs, template });
  } else if (diff > 0) {
    const deleted = getPodsToDelete(activePods, relatedPods(), diff, now);
    for (const pod of deleted) api.deletePod(pod);
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

const PHASE_ORDER = { Pending: 0, Unknown: 1, Running: 2, Succeeded: 2, Failed: 2 } as const;
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const NANOSECONDS = 1e6;

/** The values that the order of deletion compares. */
interface RankedPod {
  readonly pod: ApiPod;
  readonly assigned: boolean;
  readonly phase: number;
  readonly ready: boolean;
  readonly cost: number;
  /** Number of related pods on its node. */
  readonly rank: number;
  readonly readyTime: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
}

/** Returns the pods to delete first. Ports getPodsToDelete (pkg/controller/replicaset/replica_set.go). */
export function getPodsToDelete(
  filteredPods: readonly ApiPod[],
  relatedPods: readonly ApiPod[],
  diff: number,
  now: number,
): readonly ApiPod[] {
  if (diff >= filteredPods.length) return filteredPods;
  const podsOnNode = countByNode(relatedPods);
  const ranked = filteredPods.map((pod) =>
    rankedPod(pod, podsOnNode.get(pod.spec.nodeName ?? '') ?? 0),
  );
  ranked.sort((a, b) => compare(a, b, now));
  return ranked.slice(0, diff).map(({ pod }) => pod);
}

/** Ports getPodsRankedByRelatedPodsOnSameNode (pkg/controller/replicaset/replica_set.go). */
function countByNode(relatedPods: readonly ApiPod[]): ReadonlyMap<string, number> {
  const podsOnNode = new Map<string, number>();
  for (const pod of relatedPods) {
    const { nodeName = '' } = pod.spec;
    if (isPodActive(pod)) podsOnNode.set(nodeName, (podsOnNode.get(nodeName) ?? 0) + 1);
  }
  return podsOnNode;
}

function rankedPod(pod: ApiPod, rank: number): RankedPod {
  const cost = Number(pod.metadata.annotations[DELETION_COST] ?? 0);
  return {
    pod,
    rank,
    assigned: (pod.spec.nodeName ?? '') !== '',
    phase: PHASE_ORDER[pod.status.phase ?? 'Pending'],
    ready: isPodReady(pod),
    cost: Number.isInteger(cost) ? cost : 0,
    readyTime: podReadyTime(pod),
    ...maxContainerRestarts(pod),
  };
}

/** Compares two pods; the one to delete comes first. Ports ActivePodsWithRanks.Less (pkg/controller/controller_utils.go). */
function compare(a: RankedPod, b: RankedPod, now: number): number {
  if (a.assigned !== b.assigned) return a.assigned ? 1 : -1;
  if (a.phase !== b.phase) return a.phase - b.phase;
  if (a.ready !== b.ready) return a.ready ? 1 : -1;
  if (a.cost !== b.cost) return a.cost - b.cost;
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.ready && a.readyTime !== b.readyTime) {
    return compareTimes(a, b, a.readyTime, b.readyTime, now);
  }
  if (a.restarts !== b.restarts) return b.restarts - a.restarts;
  if (a.sidecarRestarts !== b.sidecarRestarts) return b.sidecarRestarts - a.sidecarRestarts;
  const [created, other] = [a.pod.metadata.creationTimestamp, b.pod.metadata.creationTimestamp];
  return created === other ? 0 : compareTimes(a, b, created, other, now);
}

/** Compares ages by powers of two; pods of about one age are ordered by UID. */
function compareTimes(
  a: RankedPod,
  b: RankedPod,
  t1: number | undefined,
  t2: number | undefined,
  now: number,
): number {
  if (t1 === undefined || t2 === undefined) return t1 === undefined ? -1 : 1;
  const diff = logarithmicRank(t1, now) - logarithmicRank(t2, now);
  if (diff !== 0) return diff;
  return a.pod.metadata.uid < b.pod.metadata.uid ? -1 : 1;
}

/** Ports logarithmicRankDiff (pkg/controller/controller_utils.go). */
function logarithmicRank(time: number, now: number): number {
  const age = (now - time) * NANOSECONDS;
  return age > 0 ? Math.trunc(Math.log2(age)) : -1;
}

/** Ports maxContainerRestarts (pkg/controller/controller_utils.go). */
function maxContainerRestarts({ spec, status }: ApiPod): {
  readonly restarts: number;
  readonly sidecarRestarts: number;
} {
  const sidecars = (spec.initContainers ?? []).filter(isRestartableInitContainer);
  const max = (counts: readonly number[]): number => Math.max(0, ...counts);
  return {
    restarts: max((status.containerStatuses ?? []).map(({ restartCount }) => restartCount)),
    sidecarRestarts: max(
      (status.initContainerStatuses ?? [])
        .filter(({ name }) => sidecars.some((sidecar) => sidecar.name === name))
        .map(({ restartCount }) => restartCount),
    ),
  };
}
