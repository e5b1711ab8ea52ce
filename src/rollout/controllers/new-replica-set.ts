import { LAST_APPLIED, POD_TEMPLATE_HASH } from '../../api/index.js';
import {
  byCreationTimestamp,
  computeHash,
  DESIRED_REPLICAS,
  findNewReplicaSet,
  getDeploymentCondition,
  MAX_REPLICAS,
  maxRevision,
  maxSurge,
  newDeploymentCondition,
  newRSNewReplicas,
  progressDeadline,
  REVISION,
  revision,
  REVISION_HISTORY,
  setDeploymentCondition,
} from './deployment-util.js';
import {
  type ApiPod,
  type Condition,
  type Deployment,
  NO_STATUS,
  type ReplicaSet,
} from './objects.js';
import type { SyncContext } from './sync-context.js';

/** One sync of a Deployment, with the changes it has made itself. */
export interface DeploymentSync extends SyncContext {
  deployment: Deployment;
  replicaSets: readonly ReplicaSet[];
  readonly pods: readonly ApiPod[];
  readonly event: (deployment: Deployment, reason: string, message: string) => void;
}

export interface ReplicaSets {
  readonly newRS?: ReplicaSet | undefined;
  readonly oldRSs: readonly ReplicaSet[];
}

const MAX_HISTORY_LENGTH = 2000;
const SKIPPED_ANNOTATIONS: readonly string[] = [
  LAST_APPLIED,
  'deprecated.deployment.rollback.to',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
];

export function allOf({ newRS, oldRSs }: ReplicaSets): readonly ReplicaSet[] {
  return newRS === undefined ? oldRSs : [...oldRSs, newRS];
}

export function setProgressing(
  sync: DeploymentSync,
  conditionStatus: Condition['status'],
  reason: string,
): void {
  const { deployment, now } = sync;
  const condition = newDeploymentCondition('Progressing', conditionStatus, reason, now);
  const status = setDeploymentCondition(deployment.status, condition);
  sync.deployment = { ...deployment, status };
  sync.api.updateStatus(sync.deployment);
}

/** Ports getAllReplicaSetsAndSyncRevision, without a new ReplicaSet if there is none. */
export function getAllReplicaSetsAndSyncRevision(sync: DeploymentSync): ReplicaSets {
  const existing = findNewReplicaSet(sync.deployment, sync.replicaSets);
  const oldRSs = sync.replicaSets
    .filter((rs) => rs.metadata.uid !== existing?.metadata.uid)
    .toSorted(byCreationTimestamp);
  return { newRS: existing && syncNewReplicaSet(sync, existing, oldRSs), oldRSs };
}

/** Ports getAllReplicaSetsAndSyncRevision with a new ReplicaSet, which it creates. */
export function withNewReplicaSet(sync: DeploymentSync) {
  const { newRS, oldRSs } = getAllReplicaSetsAndSyncRevision(sync);
  return { newRS: newRS ?? createNewReplicaSet(sync, oldRSs), oldRSs };
}

/** Updates the annotations of the existing new ReplicaSet. Ports the first half of getNewReplicaSet. */
function syncNewReplicaSet(
  sync: DeploymentSync,
  existing: ReplicaSet,
  oldRSs: readonly ReplicaSet[],
): ReplicaSet {
  const { deployment, api } = sync;
  const annotations = setNewReplicaSetAnnotations(deployment, existing, maxRevision(oldRSs) + 1);
  const { minReadySeconds } = deployment.spec;
  if (annotations !== undefined || existing.spec.minReadySeconds !== minReadySeconds) {
    const updated = api.update({
      ...existing,
      metadata: { ...existing.metadata, ...(annotations && { annotations }) },
      spec: { ...existing.spec, minReadySeconds },
    });
    sync.replicaSets = sync.replicaSets.map((rs) => (rs === existing ? updated : rs));
    return updated;
  }
  const revised = setDeploymentRevision(sync, revision(existing));
  if (
    progressDeadline(deployment) !== undefined &&
    getDeploymentCondition(deployment.status, 'Progressing') === undefined
  ) {
    setProgressing(sync, 'True', 'FoundNewReplicaSet');
  } else if (revised) api.updateStatus(sync.deployment);
  return existing;
}

function setDeploymentRevision(sync: DeploymentSync, to: number): boolean {
  const { deployment } = sync;
  if (revision(deployment) === to) return false;
  const annotations = { ...deployment.metadata.annotations, [REVISION]: String(to) };
  sync.deployment = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  return true;
}

/** Ports the second half of getNewReplicaSet. */
function createNewReplicaSet(sync: DeploymentSync, oldRSs: readonly ReplicaSet[]): ReplicaSet {
  const { api } = sync;
  const draft = newReplicaSet(sync.deployment, oldRSs);
  const { name, namespace } = draft.metadata;
  if (api.store.named('ReplicaSet', namespace, name) !== undefined) {
    const { status } = sync.deployment;
    const collisionCount = (status.collisionCount ?? 0) + 1;
    sync.deployment = { ...sync.deployment, status: { ...status, collisionCount } };
    api.updateStatus(sync.deployment);
    return createNewReplicaSet(sync, oldRSs);
  }
  const created = api.create(draft);
  sync.replicaSets = [...sync.replicaSets, created];
  if (created.spec.replicas > 0) {
    const message = `Scaled up replica set ${name} from 0 to ${created.spec.replicas}`;
    sync.event(sync.deployment, 'ScalingReplicaSet', message);
  }
  const revised = setDeploymentRevision(sync, revision(created));
  if (progressDeadline(sync.deployment) !== undefined) {
    setProgressing(sync, 'True', 'NewReplicaSetCreated');
  } else if (revised) api.updateStatus(sync.deployment);
  return created;
}

function newReplicaSet(deployment: Deployment, oldRSs: readonly ReplicaSet[]): ReplicaSet {
  const empty = emptyReplicaSet(deployment);
  const replicas = newRSNewReplicas(deployment, [...oldRSs, empty], empty);
  const annotations = {
    ...setNewReplicaSetAnnotations(deployment, empty, maxRevision(oldRSs) + 1),
    ...replicasAnnotations(deployment),
  };
  return {
    ...empty,
    metadata: { ...empty.metadata, annotations },
    spec: { ...empty.spec, replicas },
  };
}

function emptyReplicaSet({ metadata, spec, status }: Deployment): ReplicaSet {
  const { template, minReadySeconds, selector } = spec;
  const hash = computeHash(template, status.collisionCount);
  const labels = { ...template.metadata.labels, [POD_TEMPLATE_HASH]: hash };
  const { name, uid } = metadata;
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name: `${name}-${hash}`,
      labels,
      annotations: {},
      owner: { kind: 'Deployment', name, uid },
    },
    spec: {
      replicas: 0,
      minReadySeconds,
      selector: {
        ...selector,
        matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash },
      },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: NO_STATUS.ReplicaSet,
  };
}

/** Returns the new annotations when they change. Ports SetNewReplicaSetAnnotations. */
function setNewReplicaSetAnnotations(
  { metadata }: Deployment,
  rs: ReplicaSet,
  newRevision: number,
): Record<string, string> | undefined {
  const old = rs.metadata.annotations;
  const copied = Object.entries(metadata.annotations).filter(
    ([key, value]) => !SKIPPED_ANNOTATIONS.includes(key) && old[key] !== value,
  );
  const raised = revision(rs) < newRevision;
  if (copied.length === 0 && !raised) return undefined;
  const annotations = { ...old, ...Object.fromEntries(copied) };
  if (!raised) return annotations;
  annotations[REVISION] = String(newRevision);
  const { [REVISION]: before, [REVISION_HISTORY]: history = '' } = old;
  if (before === undefined) return annotations;
  const revisions = [...history.split(',').filter((each) => each !== ''), before];
  while (revisions.join(',').length > MAX_HISTORY_LENGTH) revisions.shift();
  return { ...annotations, [REVISION_HISTORY]: revisions.join(',') };
}

/** Returns the annotations with the size of the Deployment. Ports SetReplicasAnnotations. */
export function replicasAnnotations(deployment: Deployment): Record<string, string> {
  const { replicas } = deployment.spec;
  return {
    [DESIRED_REPLICAS]: String(replicas),
    [MAX_REPLICAS]: String(replicas + maxSurge(deployment)),
  };
}
