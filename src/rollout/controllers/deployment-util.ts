import { type IntOrString, POD_TEMPLATE_HASH } from '../../api/index.js';
import { fnv1a } from '../../go/text.js';
import {
  type Condition,
  type Deployment,
  type DeploymentStatus,
  metaTime,
  type PodTemplate,
  type ReplicaSet,
} from './objects.js';

/** Ports pkg/controller/deployment/util/deployment_util.go. */
export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

const MAX_INT32 = 2 ** 31 - 1;

export function newDeploymentCondition(
  type: string,
  status: Condition['status'],
  reason: string,
  now: number,
): Condition {
  const time = metaTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason };
}

export function getDeploymentCondition(
  { conditions }: DeploymentStatus,
  condType: string,
): Condition | undefined {
  return conditions.find(({ type }) => type === condType);
}

export function setDeploymentCondition(
  status: DeploymentStatus,
  condition: Condition,
): DeploymentStatus {
  const current = getDeploymentCondition(status, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return status;
  const lastTransitionTime =
    current?.status === condition.status
      ? current.lastTransitionTime
      : condition.lastTransitionTime;
  const { conditions } = removeDeploymentCondition(status, condition.type);
  return { ...status, conditions: [...conditions, { ...condition, lastTransitionTime }] };
}

export function removeDeploymentCondition(
  status: DeploymentStatus,
  condType: string,
): DeploymentStatus {
  return { ...status, conditions: status.conditions.filter(({ type }) => type !== condType) };
}

/** Returns the revision of a ReplicaSet; 0 without one. Ports Revision. */
export function revision({ metadata }: ReplicaSet | Deployment): number {
  return Number(metadata.annotations[REVISION] ?? 0);
}

export function maxRevision(replicaSets: readonly ReplicaSet[]): number {
  return Math.max(0, ...replicaSets.map(revision));
}

function resolveFenceposts(
  maxSurge: IntOrString,
  maxUnavailable: IntOrString,
  desired: number,
): { readonly surge: number; readonly unavailable: number } {
  const surge = getScaledValueFromIntOrPercent(maxSurge, desired, true);
  const unavailable = getScaledValueFromIntOrPercent(maxUnavailable, desired, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Ports GetScaledValueFromIntOrPercent (k8s.io/apimachinery/pkg/util/intstr), whose value is 0 for a text that is no percentage. */
export function getScaledValueFromIntOrPercent(
  value: IntOrString,
  total: number,
  roundUp: boolean,
): number {
  if (typeof value === 'number') return value;
  const scaled = ((Number.parseInt(value, 10) || 0) * total) / 100;
  return roundUp ? Math.ceil(scaled) : Math.floor(scaled);
}

export function maxUnavailable({ spec: { strategy, replicas } }: Deployment): number {
  if (strategy.type !== 'RollingUpdate' || replicas === 0) return 0;
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return Math.min(resolveFenceposts(maxSurge, maxUnavailable, replicas).unavailable, replicas);
}

export function maxSurge({ spec: { strategy, replicas } }: Deployment): number {
  if (strategy.type !== 'RollingUpdate') return 0;
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return resolveFenceposts(maxSurge, maxUnavailable, replicas).surge;
}

export function getReplicaSetProportion(
  rs: ReplicaSet,
  deployment: Deployment,
  toAdd: number,
  added: number,
): number {
  if (rs.spec.replicas === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = getReplicaSetFraction(rs, deployment);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function getReplicaSetFraction(rs: ReplicaSet, deployment: Deployment): number {
  const { replicas } = rs.spec;
  if (deployment.spec.replicas === 0) return -replicas;
  const maxReplicas = deployment.spec.replicas + maxSurge(deployment);
  const before = Number(rs.metadata.annotations[MAX_REPLICAS] ?? 0) || deployment.status.replicas;
  if (before === 0) return 0;
  return roundToInt32((replicas * maxReplicas) / before) - replicas;
}

/** Rounds half away from zero. Ports RoundToInt32 (k8s.io/utils/integer). */
function roundToInt32(value: number): number {
  return Math.trunc(value < 0 ? value - 0.5 : value + 0.5);
}

const templateKeys = new WeakMap<PodTemplate, string>();

/** Returns a text that is equal for templates that only differ in the hash label (EqualIgnoreHash). */
export function templateKey(template: PodTemplate): string {
  const known = templateKeys.get(template);
  if (known !== undefined) return known;
  const key = JSON.stringify(withoutHash(template), (_key, value: unknown) => sorted(value));
  templateKeys.set(template, key);
  return key;
}

/** Returns the template without the label that its ReplicaSet adds. */
export function withoutHash(template: PodTemplate): PodTemplate {
  const { [POD_TEMPLATE_HASH]: _, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Letters of random names (k8s.io/apimachinery/pkg/util/rand). */
export const ALPHANUMERICS = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns a hash for names, of the form that ComputeHash gives (pkg/controller/controller_utils.go). */
export function computeHash(template: PodTemplate, collisionCount = 0): string {
  const hash = fnv1a(`${templateKey(template)}${collisionCount || ''}`);
  return String(hash).replaceAll(/\d/g, (digit) =>
    ALPHANUMERICS.charAt(digit.charCodeAt(0) % ALPHANUMERICS.length),
  );
}

/** Orders by creation, then by name. Ports ReplicaSetsByCreationTimestamp (pkg/controller/controller_utils.go). */
export function byCreationTimestamp(a: ReplicaSet, b: ReplicaSet): number {
  const diff = a.metadata.creationTimestamp - b.metadata.creationTimestamp;
  return diff === 0 ? (a.metadata.name < b.metadata.name ? -1 : 1) : diff;
}

/** Ports FindNewReplicaSet: the oldest one that has the Deployment's template. */
export function findNewReplicaSet(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const key = templateKey(deployment.spec.template);
  return replicaSets
    .toSorted(byCreationTimestamp)
    .find(({ spec }) => templateKey(spec.template) === key);
}

/** Ports FindActiveOrLatest; `oldRSs` are oldest first. */
export function findActiveOrLatest(
  newRS: ReplicaSet | undefined,
  oldRSs: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const active = filterActiveReplicaSets(newRS === undefined ? oldRSs : [...oldRSs, newRS]);
  if (active.length > 1) return undefined;
  return active[0] ?? newRS ?? oldRSs.toSorted(byCreationTimestamp).at(-1);
}

/** Ports FilterActiveReplicaSets (pkg/controller/controller_utils.go). */
export function filterActiveReplicaSets(replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  return replicaSets.filter(({ spec }) => spec.replicas > 0);
}

export function getReplicaCountForReplicaSets(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, { spec }) => sum + spec.replicas, 0);
}

type ReplicaCount = 'replicas' | 'readyReplicas' | 'availableReplicas';

/** Ports GetActualReplicaCountForReplicaSets, GetReadyReplicaCountForReplicaSets and GetAvailable…. */
export function sumOfStatus(replicaSets: readonly ReplicaSet[], count: ReplicaCount): number {
  return replicaSets.reduce((sum, { status }) => sum + status[count], 0);
}

export function getTerminatingReplicaCount(replicaSets: readonly ReplicaSet[]): number | undefined {
  let count = 0;
  for (const { status } of replicaSets) {
    if (status.observedGeneration === 0 && status.terminatingReplicas === undefined) continue;
    if (status.terminatingReplicas === undefined) return undefined;
    count += status.terminatingReplicas;
  }
  return count;
}

export function deploymentComplete(
  { spec, metadata }: Deployment,
  newStatus: DeploymentStatus,
): boolean {
  return (
    newStatus.updatedReplicas === spec.replicas &&
    newStatus.replicas === spec.replicas &&
    newStatus.availableReplicas === spec.replicas &&
    newStatus.observedGeneration >= metadata.generation
  );
}

/** Ports DeploymentProgressing: any rise of the ready replicas counts, also when they flap. */
export function deploymentProgressing(
  { status: old }: Deployment,
  newStatus: DeploymentStatus,
): boolean {
  return (
    newStatus.updatedReplicas > old.updatedReplicas ||
    newStatus.replicas - newStatus.updatedReplicas < old.replicas - old.updatedReplicas ||
    newStatus.readyReplicas > old.readyReplicas ||
    newStatus.availableReplicas > old.availableReplicas
  );
}

export function deploymentTimedOut(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  now: number,
): boolean {
  const deadline = progressDeadline(deployment);
  const condition = getDeploymentCondition(newStatus, 'Progressing');
  if (deadline === undefined || condition === undefined) return false;
  if (condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return condition.lastUpdateTime + deadline * 1000 < now;
}

export function newRSNewReplicas(
  deployment: Deployment,
  allRSs: readonly ReplicaSet[],
  newRS: ReplicaSet,
): number {
  const { strategy, replicas } = deployment.spec;
  if (strategy.type === 'Recreate') return replicas;
  const room = replicas + maxSurge(deployment) - getReplicaCountForReplicaSets(allRSs);
  if (room <= 0) return newRS.spec.replicas;
  return newRS.spec.replicas + Math.min(room, replicas - newRS.spec.replicas);
}

export function isSaturated({ spec }: Deployment, rs: ReplicaSet | undefined): boolean {
  return (
    rs !== undefined &&
    rs.spec.replicas === spec.replicas &&
    Number(rs.metadata.annotations[DESIRED_REPLICAS]) === spec.replicas &&
    rs.status.availableReplicas === spec.replicas
  );
}

/** Returns the seconds of the deadline, if there is one. Ports HasProgressDeadline. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  return spec.progressDeadlineSeconds === MAX_INT32 ? undefined : spec.progressDeadlineSeconds;
}
