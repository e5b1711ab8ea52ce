import {
  deploymentComplete,
  deploymentProgressing,
  deploymentTimedOut,
  getDeploymentCondition,
  newDeploymentCondition,
  progressDeadline,
  removeDeploymentCondition,
  setDeploymentCondition,
} from './deployment-util.js';
import type { DeploymentSync } from './new-replica-set.js';
import type { DeploymentStatus, ReplicaSet } from './objects.js';
import { calculateStatus, updateStatusIfChanged } from './sync.js';

/** Milliseconds: the first delay of the controllers' rate limiter. */
const BASE_DELAY = 5;

/** Ports syncRolloutStatus (pkg/controller/deployment/progress.go). */
export function syncRolloutStatus(
  sync: DeploymentSync,
  allRSs: readonly ReplicaSet[],
  newRS: ReplicaSet | undefined,
): void {
  const { deployment } = sync;
  let status = calculateStatus(sync, allRSs, newRS);
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  const isComplete =
    status.replicas === status.updatedReplicas && current?.reason === 'NewReplicaSetAvailable';
  if (progressDeadline(deployment) === undefined) {
    status = removeDeploymentCondition(status, 'Progressing');
  } else if (!isComplete) status = withProgress(sync, status, newRS);
  if (!updateStatusIfChanged(sync, status)) requeueStuckDeployment(sync, status);
}

/** Sets the Progressing condition; each sign of progress starts the deadline again. */
function withProgress(
  { deployment, now }: DeploymentSync,
  status: DeploymentStatus,
  newRS: ReplicaSet | undefined,
): DeploymentStatus {
  const { name } = deployment.metadata;
  const subject =
    newRS === undefined ? `Deployment "${name}"` : `ReplicaSet "${newRS.metadata.name}"`;
  const progressing = (isTrue: boolean, reason: string, what: string) =>
    newDeploymentCondition(
      'Progressing',
      isTrue ? 'True' : 'False',
      reason,
      `${subject} ${what}.`,
      now,
    );
  if (deploymentComplete(deployment, status)) {
    const done = progressing(true, 'NewReplicaSetAvailable', 'has successfully progressed');
    return setDeploymentCondition(status, done);
  }
  if (deploymentProgressing(deployment, status)) {
    const condition = progressing(true, 'ReplicaSetUpdated', 'is progressing');
    const current = getDeploymentCondition(deployment.status, 'Progressing');
    return setDeploymentCondition(removeDeploymentCondition(status, 'Progressing'), {
      ...condition,
      ...(current?.status === 'True' && { lastTransitionTime: current.lastTransitionTime }),
    });
  }
  if (!deploymentTimedOut(deployment, status, now)) return status;
  const late = progressing(false, 'ProgressDeadlineExceeded', 'has timed out progressing');
  return setDeploymentCondition(status, late);
}

/** Ports requeueStuckDeployment: without an event, the deadline is checked a second after it. */
function requeueStuckDeployment(sync: DeploymentSync, newStatus: DeploymentStatus): void {
  const { deployment, client, now } = sync;
  const deadline = progressDeadline(deployment);
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  if (deadline === undefined || current === undefined) return;
  if (deploymentComplete(deployment, newStatus)) return;
  if (current.reason === 'ProgressDeadlineExceeded') return;
  const after = current.lastUpdateTime + deadline * 1000 - now;
  client.enqueueAfter(deployment, after < 1000 ? BASE_DELAY : after + 1000);
}
