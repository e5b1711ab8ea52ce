import type { IntOrString } from '../../api/index.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import { getScaledValueFromIntOrPercent } from './deployment-util.js';
import { type ApiPod, type ControllerRevision, partitionOf, type StatefulSet } from './objects.js';
import { isAvailable, isPodReady, isPodTerminal, isTerminating } from './pod-util.js';
import {
  CONTROLLER_REVISION_HASH,
  getPodRevision,
  type PodSync,
  updateRevisionOf,
  withLabels,
} from './revisions.js';
import { endSync } from './sync-context.js';

type Sync = PodSync<StatefulSet> & { readonly release: ReleaseBehavior };
type Status = StatefulSet['status'];

interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
}

/** Pods by ordinal, from the first one; undefined where a pod is missing. */
type Replicas = readonly (ApiPod | undefined)[];

/** Ports pkg/controller/statefulset (stateful_set.go, stateful_set_control.go). */
export function syncStatefulSet(sync: Sync): void {
  const { owner: set, revisions, pods } = sync;
  const update = updateRevisionOf(sync);
  const { currentRevision } = set.status;
  const current = revisions.find(({ metadata }) => metadata.name === currentRevision) ?? update;
  const deleted = updateStatefulSet(sync, { current, update });
  const status = completeRollingUpdate(set, statusOf(sync, { current, update }, deleted));
  endSync(sync, set, status, status.readyReplicas - status.availableReplicas, pods);
}

/** Creates, updates and deletes pods; returns the number of current ones deleted. Ports updateStatefulSet. */
function updateStatefulSet(sync: Sync, revisions: Revisions): number {
  const { owner: set, pods } = sync;
  const { replicas: count, podManagementPolicy } = set.spec;
  const start = firstOrdinal(set);
  const replicas = Array.from({ length: count }, (_, index) =>
    pods.find((pod) => getOrdinal(pod) === start + index),
  );
  const condemned = pods
    .filter((pod) => getOrdinal(pod) < start || getOrdinal(pod) >= start + count)
    .sort((a, b) => getOrdinal(b) - getOrdinal(a));
  const monotonic = podManagementPolicy === 'OrderedReady';
  const isBlocked =
    processReplicas(sync, revisions, replicas, monotonic) ||
    processCondemned(sync, replicas, condemned, monotonic);
  return isBlocked ? 0 : rollingUpdate(sync, revisions, replicas);
}

/** Returns whether the sync ends here. Ports processReplica over all replicas. */
function processReplicas(
  sync: Sync,
  revisions: Revisions,
  replicas: Replicas,
  monotonic: boolean,
): boolean {
  const { owner: set, api, now } = sync;
  for (const [index, pod] of replicas.entries()) {
    if (pod === undefined) {
      createStatefulPod(sync, revisions, firstOrdinal(set) + index);
      if (monotonic) return true;
    } else if (isPodTerminal(pod)) {
      if (!isTerminating(pod)) api.deletePod(pod);
      if (monotonic) return true;
    } else if (monotonic && (isTerminating(pod) || !isAvailable(set, pod, now))) return true;
  }
  return false;
}

/** Ports newVersionedStatefulSetPod and initIdentity (stateful_set_utils.go). */
function createStatefulPod(sync: Sync, { current, update }: Revisions, ordinal: number): void {
  const { owner: set, api } = sync;
  const { updateStrategy: strategy, serviceName = '' } = set.spec;
  const hasPartition = strategy.type === 'OnDelete' || strategy.rollingUpdate !== undefined;
  const old = hasPartition ? partitionOf(set.spec) : set.status.currentReplicas;
  const isOld = ordinal < firstOrdinal(set) + old;
  const { template, metadata } = isOld ? current : update;
  const name = `${set.metadata.name}-${ordinal}`;
  const labeled = withLabels(template, {
    [CONTROLLER_REVISION_HASH]: metadata.name,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  });
  const spec = { ...labeled.spec, hostname: name, subdomain: serviceName };
  api.createPod({ owner: set, template: { ...labeled, spec }, name });
}

/** Scales down from the highest ordinal. Ports processCondemned. */
function processCondemned(
  { owner: set, api, now }: Sync,
  replicas: Replicas,
  condemned: readonly ApiPod[],
  monotonic: boolean,
): boolean {
  const all = [...replicas, ...condemned.toReversed()];
  const firstUnavailable = all.find((pod) => isUnavailable(set, pod, now));
  for (const pod of condemned) {
    if (isTerminating(pod)) {
      if (monotonic) return true;
      continue;
    }
    if (monotonic && !isAvailable(set, pod, now) && pod !== firstUnavailable) return true;
    api.deletePod(pod);
    if (monotonic) return true;
  }
  return false;
}

/** Deletes old pods, the highest ordinal first; one at a time in releases without `countsUnavailableReplicas`. */
function rollingUpdate(sync: Sync, revisions: Revisions, replicas: Replicas): number {
  const { owner: set, api, now, release } = sync;
  const { update } = revisions;
  const { updateStrategy: strategy } = set.spec;
  if (strategy.type === 'OnDelete') return 0;
  if (release.countsUnavailableReplicas) {
    const old = podsToReplace(sync, update, replicas, strategy.rollingUpdate?.maxUnavailable);
    for (const pod of old) api.deletePod(pod);
    return old.length;
  }
  for (let target = replicas.length - 1; target >= partitionOf(set.spec); target--) {
    const pod = replicas[target];
    if (pod !== undefined && getPodRevision(pod) !== update.metadata.name && !isTerminating(pod)) {
      api.deletePod(pod);
      return 1;
    }
    if (isUnavailable(set, pod, now)) return 0;
  }
  return 0;
}

/** Ports updateStatefulSetAfterInvariantEstablished (v1.37.2). */
function podsToReplace(
  { owner: set, now }: Sync,
  update: ControllerRevision,
  replicas: Replicas,
  maxUnavailable: IntOrString = 1,
): readonly ApiPod[] {
  const scaled = getScaledValueFromIntOrPercent(maxUnavailable, replicas.length, false);
  const unavailable = replicas.filter((pod) => isUnavailable(set, pod, now)).length;
  const budget = Math.max(0, Math.max(1, scaled) - unavailable);
  const old = replicas
    .slice(partitionOf(set.spec))
    .filter((pod) => pod !== undefined)
    .filter((pod) => getPodRevision(pod) !== update.metadata.name && !isTerminating(pod))
    .toReversed();
  if (set.spec.podManagementPolicy === 'OrderedReady') return old.slice(0, budget);
  const isUp = (pod: ApiPod): boolean => isAvailable(set, pod, now);
  return [...old.filter((pod) => !isUp(pod)), ...old.filter(isUp).slice(0, budget)];
}

/** Ports updateStatus and computeReplicaStatus. */
function statusOf(sync: Sync, { current, update }: Revisions, deleted: number): Status {
  const { owner: set, pods, now } = sync;
  const ready = pods.filter((pod) => pod.status.phase === 'Running' && isPodReady(pod));
  const ofRevision = ({ metadata }: ControllerRevision): number =>
    pods.filter((pod) => !isTerminating(pod) && getPodRevision(pod) === metadata.name).length;
  return {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(set, pod, now)).length,
    currentReplicas: ofRevision(current) - deleted,
    updatedReplicas: ofRevision(update),
    currentRevision: current.metadata.name,
    updateRevision: update.metadata.name,
  };
}

function completeRollingUpdate({ spec }: StatefulSet, status: Status): Status {
  const isDone =
    spec.updateStrategy.type === 'RollingUpdate' &&
    status.updatedReplicas === spec.replicas &&
    status.readyReplicas === spec.replicas &&
    status.replicas === spec.replicas;
  if (!isDone) return status;
  const { updatedReplicas, updateRevision } = status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}

/** Ports getStartOrdinal (stateful_set_utils.go). */
function firstOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

function getOrdinal({ metadata: { name } }: ApiPod): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

/** Ports isUnavailable; a pod that is missing is unavailable too. */
function isUnavailable(set: StatefulSet, pod: ApiPod | undefined, now: number): boolean {
  return pod === undefined || !isAvailable(set, pod, now) || isTerminating(pod);
}
