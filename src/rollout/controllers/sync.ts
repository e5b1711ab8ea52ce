import {
  deploymentComplete,
  deploymentProgressing,
  deploymentTimedOut,
  DESIRED_REPLICAS,
  filterActiveReplicaSets,
  findActiveOrLatest,
  getDeploymentCondition,
  getReplicaCountForReplicaSets,
  getReplicaSetProportion,
  getTerminatingReplicaCount,
  isSaturated,
  maxSurge,
  maxUnavailable,
  newDeploymentCondition,
  progressDeadline,
  removeDeploymentCondition,
  revision,
  setDeploymentCondition,
  sumOfStatus,
} from './deployment-util.js';
import {
  allOf,
  type DeploymentSync,
  getAllReplicaSetsAndSyncRevision,
  replicasAnnotations,
  setProgressing,
} from './new-replica-set.js';
import type { Condition, Deployment, DeploymentStatus, ReplicaSet } from './objects.js';
import { BASE_DELAY } from './sync-context.js';

/** Scales and syncs the status without a rollout. Ports sync (pkg/controller/deployment/sync.go). */
export function syncScale(sync: DeploymentSync): void {
  const { newRS, oldRSs } = getAllReplicaSetsAndSyncRevision(sync);
  scale(sync, newRS, oldRSs);
  if (sync.deployment.spec.paused) cleanupDeployment(sync, oldRSs);
  const status = calculateStatus(sync, allOf({ newRS, oldRSs }), newRS);
  updateStatusIfChanged(sync, status);
}

/** Stores a status; false when nothing has changed. */
function updateStatusIfChanged(sync: DeploymentSync, status: DeploymentStatus): boolean {
  const { deployment } = sync;
  if (JSON.stringify(deployment.status) === JSON.stringify(status)) return false;
  sync.deployment = { ...deployment, status };
  sync.api.updateStatus(sync.deployment);
  return true;
}

export function checkPausedConditions(sync: DeploymentSync): void {
  const { deployment } = sync;
  const { paused = false } = deployment.spec;
  const condition = getDeploymentCondition(deployment.status, 'Progressing');
  if (progressDeadline(deployment) === undefined) return;
  if (condition?.reason === 'ProgressDeadlineExceeded') return;
  const saysPaused = condition?.reason === 'DeploymentPaused';
  if (paused === saysPaused) return;
  setProgressing(sync, 'Unknown', paused ? 'DeploymentPaused' : 'DeploymentResumed');
}

/** Scales all ReplicaSets in proportion. Ports scale. */
function scale(
  sync: DeploymentSync,
  newRS: ReplicaSet | undefined,
  oldRSs: readonly ReplicaSet[],
): void {
  const { deployment } = sync;
  const activeOrLatest = findActiveOrLatest(newRS, oldRSs);
  if (activeOrLatest !== undefined) {
    scaleReplicaSet(sync, activeOrLatest, deployment.spec.replicas);
  } else if (isSaturated(deployment, newRS)) {
    for (const old of filterActiveReplicaSets(oldRSs)) scaleReplicaSet(sync, old, 0);
  } else if (deployment.spec.strategy.type === 'RollingUpdate') {
    scaleInProportion(sync, filterActiveReplicaSets(allOf({ newRS, oldRSs })));
  }
}

function scaleInProportion(sync: DeploymentSync, active: readonly ReplicaSet[]): void {
  const { deployment } = sync;
  const { replicas } = deployment.spec;
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - getReplicaCountForReplicaSets(active);
  const sortedRSs = toAdd === 0 ? active : active.toSorted(bySize(toAdd > 0 ? 'newer' : 'older'));
  let added = 0;
  const sizes = sortedRSs.map((rs) => {
    const proportion = getReplicaSetProportion(rs, deployment, toAdd, added);
    added += proportion;
    return rs.spec.replicas + proportion;
  });
  for (const [index, rs] of sortedRSs.entries()) {
    const leftover = index === 0 ? toAdd - added : 0;
    scaleReplicaSet(sync, rs, Math.max(0, (sizes[index] ?? 0) + leftover), true);
  }
}

/** Ports ReplicaSetsBySizeNewer and ReplicaSetsBySizeOlder (pkg/controller/controller_utils.go). */
function bySize(first: 'newer' | 'older'): (a: ReplicaSet, b: ReplicaSet) => number {
  const age = first === 'newer' ? -1 : 1;
  return (a, b) =>
    b.spec.replicas - a.spec.replicas ||
    age * (a.metadata.creationTimestamp - b.metadata.creationTimestamp) ||
    age * (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** Returns the ReplicaSet as stored; only a change of its size or, if forced, of its annotations is stored. */
export function scaleReplicaSet(
  sync: DeploymentSync,
  rs: ReplicaSet,
  newScale: number,
  forceUpdate = false,
): ReplicaSet {
  const { deployment, api, event } = sync;
  const { replicas } = rs.spec;
  const wanted = replicasAnnotations(deployment);
  const annotated = Object.entries(wanted).every(([k, v]) => rs.metadata.annotations[k] === v);
  if (replicas === newScale && (!forceUpdate || annotated)) return rs;
  const updated = api.update({
    ...rs,
    metadata: { ...rs.metadata, annotations: { ...rs.metadata.annotations, ...wanted } },
    spec: { ...rs.spec, replicas: newScale },
  });
  if (replicas !== newScale) {
    const direction = replicas < newScale ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${rs.metadata.name} from ${replicas} to ${newScale}`;
    event(deployment, 'ScalingReplicaSet', message);
  }
  return updated;
}

/** Deletes old ReplicaSets beyond the history's limit. Ports cleanupDeployment. */
export function cleanupDeployment(sync: DeploymentSync, oldRSs: readonly ReplicaSet[]): void {
  const { revisionHistoryLimit } = sync.deployment.spec;
  if (revisionHistoryLimit === undefined) return;
  const excess = oldRSs.length - revisionHistoryLimit;
  if (excess <= 0) return;
  const byRevision = oldRSs.toSorted((a, b) => revision(a) - revision(b));
  for (const rs of byRevision.slice(0, excess)) {
    const { spec, status, metadata } = rs;
    const seen = metadata.generation <= status.observedGeneration;
    if (status.replicas === 0 && spec.replicas === 0 && seen) sync.api.remove(rs);
  }
}

function calculateStatus(
  { deployment, now }: DeploymentSync,
  allRSs: readonly ReplicaSet[],
  newRS: ReplicaSet | undefined,
): DeploymentStatus {
  const availableReplicas = sumOfStatus(allRSs, 'availableReplicas');
  const status = {
    observedGeneration: deployment.metadata.generation,
    replicas: sumOfStatus(allRSs, 'replicas'),
    updatedReplicas: newRS?.status.replicas ?? 0,
    readyReplicas: sumOfStatus(allRSs, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, getReplicaCountForReplicaSets(allRSs) - availableReplicas),
    terminatingReplicas: getTerminatingReplicaCount(allRSs),
    collisionCount: deployment.status.collisionCount,
    conditions: deployment.status.conditions,
  };
  return setDeploymentCondition(status, availability(deployment, availableReplicas, now));
}

function availability(deployment: Deployment, available: number, now: number) {
  const enough = available >= deployment.spec.replicas - maxUnavailable(deployment);
  return newDeploymentCondition(
    'Available',
    enough ? 'True' : 'False',
    enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    now,
  );
}

export function isScalingEvent(sync: DeploymentSync): boolean {
  const active = filterActiveReplicaSets(allOf(getAllReplicaSetsAndSyncRevision(sync)));
  return active.some(({ metadata: { annotations } }) => {
    const desired = annotations[DESIRED_REPLICAS];
    return desired !== undefined && Number(desired) !== sync.deployment.spec.replicas;
  });
}

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
  } else if (!isComplete) status = withProgress(sync, status);
  if (!updateStatusIfChanged(sync, status)) requeueStuckDeployment(sync, status);
}

/** Sets the Progressing condition; each sign of progress starts the deadline again. */
function withProgress(
  { deployment, now }: DeploymentSync,
  status: DeploymentStatus,
): DeploymentStatus {
  const progressing = (state: Condition['status'], reason: string) =>
    newDeploymentCondition('Progressing', state, reason, now);
  if (deploymentComplete(deployment, status)) {
    const done = progressing('True', 'NewReplicaSetAvailable');
    return setDeploymentCondition(status, done);
  }
  if (deploymentProgressing(deployment, status)) {
    const condition = progressing('True', 'ReplicaSetUpdated');
    const current = getDeploymentCondition(deployment.status, 'Progressing');
    return setDeploymentCondition(removeDeploymentCondition(status, 'Progressing'), {
      ...condition,
      ...(current?.status === 'True' && { lastTransitionTime: current.lastTransitionTime }),
    });
  }
  if (!deploymentTimedOut(deployment, status, now)) return status;
  const late = progressing('False', 'ProgressDeadlineExceeded');
  return setDeploymentCondition(status, late);
}

/** Ports requeueStuckDeployment: without an event, the deadline is checked a second after it. */
function requeueStuckDeployment(sync: DeploymentSync, newStatus: DeploymentStatus): void {
  const { deployment, enqueueAfter, now } = sync;
  const deadline = progressDeadline(deployment);
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  if (deadline === undefined || current === undefined) return;
  if (deploymentComplete(deployment, newStatus)) return;
  if (current.reason === 'ProgressDeadlineExceeded') return;
  const after = current.lastUpdateTime + deadline * 1000 - now;
  enqueueAfter(deployment, after < 1000 ? BASE_DELAY : after + 1000);
}
