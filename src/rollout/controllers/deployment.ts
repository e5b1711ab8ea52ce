import {
  byCreationTimestamp,
  deploymentComplete,
  filterActiveReplicaSets,
  getReplicaCountForReplicaSets,
  maxUnavailable,
  newRSNewReplicas,
  sumOfStatus,
} from './deployment-util.js';
import {
  allOf,
  type DeploymentSync,
  getAllReplicaSetsAndSyncRevision,
  withNewReplicaSet,
} from './new-replica-set.js';
import type { ReplicaSet } from './objects.js';
import { isPodTerminal } from './pod-util.js';
import {
  checkPausedConditions,
  cleanupDeployment,
  isScalingEvent,
  scaleReplicaSet,
  syncRolloutStatus,
  syncScale,
} from './sync.js';

/** Ports syncDeployment (pkg/controller/deployment/deployment_controller.go). */
export function syncDeployment(sync: DeploymentSync): void {
  checkPausedConditions(sync);
  if (sync.deployment.spec.paused || isScalingEvent(sync)) syncScale(sync);
  else if (sync.deployment.spec.strategy.type === 'Recreate') rolloutRecreate(sync);
  else rolloutRolling(sync);
}

/** Ports rolloutRecreate (pkg/controller/deployment/recreate.go). */
export function rolloutRecreate(sync: DeploymentSync): void {
  const { newRS, oldRSs } = getAllReplicaSetsAndSyncRevision(sync);
  const active = filterActiveReplicaSets(oldRSs);
  for (const rs of active) scaleReplicaSet(sync, rs, 0);
  if (active.length > 0 || oldPodsRunning(sync, newRS, oldRSs)) {
    syncRolloutStatus(sync, allOf({ newRS, oldRSs }), newRS);
    return;
  }
  const latest = withNewReplicaSet(sync);
  scaleReplicaSet(sync, latest.newRS, sync.deployment.spec.replicas);
  if (deploymentComplete(sync.deployment, sync.deployment.status)) {
    cleanupDeployment(sync, latest.oldRSs);
  }
  syncRolloutStatus(sync, allOf(latest), latest.newRS);
}

/** Ports oldPodsRunning: pods that terminate still run. */
function oldPodsRunning(
  { pods }: DeploymentSync,
  newRS: ReplicaSet | undefined,
  oldRSs: readonly ReplicaSet[],
): boolean {
  if (sumOfStatus(oldRSs, 'replicas') > 0) return true;
  return pods.some((pod) => pod.metadata.owner?.uid !== newRS?.metadata.uid && !isPodTerminal(pod));
}

/** Ports rolloutRolling (pkg/controller/deployment/rolling.go). */
export function rolloutRolling(sync: DeploymentSync): void {
  const { newRS, oldRSs } = withNewReplicaSet(sync);
  const allRSs = allOf({ newRS, oldRSs });
  const scaled =
    reconcileNewReplicaSet(sync, allRSs, newRS) ||
    reconcileOldReplicaSets(sync, allRSs, filterActiveReplicaSets(oldRSs), newRS);
  if (!scaled && deploymentComplete(sync.deployment, sync.deployment.status)) {
    cleanupDeployment(sync, oldRSs);
  }
  syncRolloutStatus(sync, allRSs, newRS);
}

/** Returns whether it has scaled the new ReplicaSet. Ports reconcileNewReplicaSet. */
function reconcileNewReplicaSet(
  sync: DeploymentSync,
  allRSs: readonly ReplicaSet[],
  newRS: ReplicaSet,
): boolean {
  const { deployment } = sync;
  const { replicas } = deployment.spec;
  const newScale =
    newRS.spec.replicas >= replicas ? replicas : newRSNewReplicas(deployment, allRSs, newRS);
  return scaleReplicaSet(sync, newRS, newScale) !== newRS;
}

/** Returns whether it has scaled old ReplicaSets down. Ports reconcileOldReplicaSets. */
function reconcileOldReplicaSets(
  sync: DeploymentSync,
  allRSs: readonly ReplicaSet[],
  oldRSs: readonly ReplicaSet[],
  newRS: ReplicaSet,
): boolean {
  if (getReplicaCountForReplicaSets(oldRSs) === 0) return false;
  const { deployment } = sync;
  const minAvailable = deployment.spec.replicas - maxUnavailable(deployment);
  const newUnavailable = newRS.spec.replicas - newRS.status.availableReplicas;
  const maxScaledDown = getReplicaCountForReplicaSets(allRSs) - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return false;
  const cleanedUp = cleanupUnhealthyReplicas(sync, oldRSs, maxScaledDown);
  if (cleanedUp === undefined) return false;
  return scaleDownOldReplicaSets(sync, cleanedUp.oldRSs, newRS) || cleanedUp.count > 0;
}

/**
 * Scales down unhealthy replicas of old ReplicaSets first; undefined is the error that ends the sync, when a change of
 * one is not carried out yet. Ports cleanupUnhealthyReplicas.
 */
function cleanupUnhealthyReplicas(
  sync: DeploymentSync,
  oldRSs: readonly ReplicaSet[],
  maxCleanupCount: number,
): { readonly oldRSs: readonly ReplicaSet[]; readonly count: number } | undefined {
  let count = 0;
  const updated: ReplicaSet[] = [];
  for (const rs of oldRSs.toSorted(byCreationTimestamp)) {
    const unhealthy = rs.spec.replicas - rs.status.availableReplicas;
    const isDone = count >= maxCleanupCount || rs.spec.replicas === 0;
    if (unhealthy < 0 && !isDone) return undefined;
    const scaledDown = isDone ? 0 : Math.min(maxCleanupCount - count, unhealthy);
    count += scaledDown;
    updated.push(scaleReplicaSet(sync, rs, rs.spec.replicas - scaledDown));
  }
  return { oldRSs: updated, count };
}

/** Returns whether it has scaled any of them down. Ports scaleDownOldReplicaSetsForRollingUpdate. */
function scaleDownOldReplicaSets(
  sync: DeploymentSync,
  oldRSs: readonly ReplicaSet[],
  newRS: ReplicaSet,
): boolean {
  const { deployment } = sync;
  const minAvailable = deployment.spec.replicas - maxUnavailable(deployment);
  const totalScaleDownCount = sumOfStatus([...oldRSs, newRS], 'availableReplicas') - minAvailable;
  let scaledDown = 0;
  for (const rs of oldRSs.toSorted(byCreationTimestamp)) {
    if (scaledDown >= totalScaleDownCount) break;
    const count = Math.min(rs.spec.replicas, totalScaleDownCount - scaledDown);
    scaleReplicaSet(sync, rs, rs.spec.replicas - count);
    scaledDown += count;
  }
  return scaledDown > 0;
}
