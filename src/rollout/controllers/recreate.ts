import { deploymentComplete, filterActiveReplicaSets, sumOfStatus } from './deployment-util.js';
import { allOf, type DeploymentSync, getAllReplicaSetsAndSyncRevision } from './new-replica-set.js';
import type { ReplicaSet } from './objects.js';
import { isPodTerminal } from './pod-util.js';
import { syncRolloutStatus } from './progress.js';
import { cleanupDeployment, scaleReplicaSet } from './sync.js';

/** Ports rolloutRecreate (pkg/controller/deployment/recreate.go). */
export function rolloutRecreate(sync: DeploymentSync): void {
  const { newRS, oldRSs } = getAllReplicaSetsAndSyncRevision(sync, false);
  const active = filterActiveReplicaSets(oldRSs);
  for (const rs of active) scaleReplicaSet(sync, rs, 0);
  if (active.length > 0 || oldPodsRunning(sync, newRS, oldRSs)) {
    syncRolloutStatus(sync, allOf({ newRS, oldRSs }), newRS);
    return;
  }
  const latest = getAllReplicaSetsAndSyncRevision(sync, true);
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
