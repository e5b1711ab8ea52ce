import type { Backoff } from '../../kubelet/containers/backoff.js';
import { getScaledValueFromIntOrPercent } from './deployment-util.js';
import type { ApiPod, DaemonSet } from './objects.js';
import { isAvailable, isPodReady, isPodTerminal, isTerminating } from './pod-util.js';
import {
  CONTROLLER_REVISION_HASH,
  getPodRevision,
  type PodSync,
  updateRevisionOf,
  withLabels,
} from './revisions.js';
import { BASE_DELAY, endSync } from './sync-context.js';

interface DaemonSetSync extends PodSync<DaemonSet> {
  readonly nodes: readonly string[];
  readonly failedPodsBackoff: Backoff;
}

type Update = { readonly newPod?: ApiPod | undefined; readonly oldPod?: ApiPod | undefined };

/** Ports pkg/controller/daemon (daemon_controller.go, update.go). */
export function syncDaemonSet(sync: DaemonSetSync): void {
  const { owner: ds, enqueueAfter, now } = sync;
  const { name: hash } = updateRevisionOf(sync).metadata;
  // While its pods change, the controller waits for them (SatisfiedExpectations).
  const changed = manage(sync, hash) || update(sync, hash);
  const status = statusOf(sync, hash, now);
  endSync(sync, ds, status, status.numberReady - status.numberAvailable);
  // The next sync finds its informers behind these writes and is tried again (consistencyStore.EnsureReady). This earlier
  // time replaces that of endSync in the queue, so minReadySeconds count from the repeated sync.
  if (changed) enqueueAfter(ds, BASE_DELAY);
}

/** Returns whether it has changed pods. Ports rollingUpdate. */
function update(sync: DaemonSetSync, hash: string): boolean {
  if (sync.owner.spec.updateStrategy.type !== 'RollingUpdate') return false;
  return limitsOf(sync).surge === 0 ? replace(sync, hash) : surge(sync, hash);
}

/** Keeps one pod per node, two in a surge; returns whether it has changed pods. Ports podsShouldBeOnNode. */
function manage(sync: DaemonSetSync, hash: string): boolean {
  const { nodes, api, owner: ds } = sync;
  let changed = false;
  for (const node of nodes) {
    const onNode = podsOn(sync, node);
    const live = onNode.filter((pod) => !isTerminating(pod));
    const ended = live.filter((pod) => isPodTerminal(pod) && !isInBackoff(sync, pod));
    const running = live.filter((pod) => !isPodTerminal(pod));
    const surges = limitsOf(sync).surge > 0;
    const needsPod = onNode.length === 0 || (surges && running.length === 0);
    const deleted = [
      ...ended,
      ...(surges ? excess(ds, running, hash, sync.now) : running.slice(1)),
    ];
    for (const pod of deleted) api.deletePod(pod);
    if (needsPod) createDaemonPod(sync, node, hash);
    changed ||= needsPod || deleted.length > 0;
  }
  return changed;
}

/** Returns whether a failed pod is kept for now; the back-off doubles with each deletion. */
function isInBackoff(sync: DaemonSetSync, { status, spec }: ApiPod): boolean {
  const { owner: ds, enqueueAfter, failedPodsBackoff: backoff, now } = sync;
  if (status.phase !== 'Failed') return false;
  const key = `${ds.metadata.uid}/${ds.status.observedGeneration}/${spec.nodeName}`;
  if (backoff.isInBackOffSinceUpdate(key, now)) {
    enqueueAfter(ds, backoff.get(key));
    return true;
  }
  backoff.next(key, now);
  return false;
}

/** Returns the pods of a node that a surge no longer needs; `running` are oldest first. */
function excess(
  ds: DaemonSet,
  running: readonly ApiPod[],
  hash: string,
  now: number,
): readonly ApiPod[] {
  const [newPod, ...otherNew] = running.filter((pod) => getPodRevision(pod) === hash);
  const [oldPod, ...otherOld] = running.filter((pod) => getPodRevision(pod) !== hash);
  const others = [...otherNew, ...otherOld];
  if (newPod === undefined || oldPod === undefined) return others;
  return !isPodReady(oldPod) || isAvailable(ds, newPod, now) ? [...others, oldPod] : others;
}

function createDaemonPod({ owner: ds, api }: DaemonSetSync, node: string, hash: string): void {
  const template = withLabels(ds.spec.template, { [CONTROLLER_REVISION_HASH]: hash });
  api.createPod({ owner: ds, template, nodeName: node });
}

function replace(sync: DaemonSetSync, hash: string): boolean {
  const { owner: ds, nodes, api, now } = sync;
  let unavailable = 0;
  const replaceable: ApiPod[] = [];
  const candidates: ApiPod[] = [];
  for (const node of nodes) {
    const update = findUpdatedPodsOnNode(podsOn(sync, node), hash);
    const { newPod, oldPod } = update ?? {};
    const pod = newPod ?? oldPod;
    if (pod === undefined || (newPod !== undefined && oldPod !== undefined)) unavailable++;
    else if (!isAvailable(ds, pod, now)) {
      unavailable++;
      if (pod === oldPod) replaceable.push(pod);
    } else if (pod === oldPod && unavailable < limitsOf(sync).unavailable) candidates.push(pod);
  }
  const remaining = Math.max(0, limitsOf(sync).unavailable - unavailable);
  const deleted = [...replaceable, ...candidates.slice(0, remaining)];
  for (const pod of deleted) api.deletePod(pod);
  return deleted.length > 0;
}

/** Creates new pods beside the old ones within maxSurge, and deletes old ones. */
function surge(sync: DaemonSetSync, hash: string): boolean {
  const { owner: ds, nodes, api, now } = sync;
  let surging = 0;
  const allowed: string[] = [];
  const candidates: string[] = [];
  const replaced: ApiPod[] = [];
  for (const node of nodes) {
    const update = findUpdatedPodsOnNode(podsOn(sync, node), hash);
    if (update === undefined) surging++;
    const { newPod, oldPod } = update ?? {};
    if (oldPod === undefined) continue;
    if (newPod !== undefined) {
      if (isAvailable(ds, newPod, now)) replaced.push(oldPod);
      else surging++;
    } else if (!isAvailable(ds, oldPod, now)) allowed.push(node);
    else if (surging < limitsOf(sync).surge) candidates.push(node);
  }
  const remaining = Math.max(0, limitsOf(sync).surge - surging);
  const surged = [...allowed, ...candidates.slice(0, remaining)];
  for (const node of surged) createDaemonPod(sync, node, hash);
  for (const pod of replaced) api.deletePod(pod);
  return surged.length + replaced.length > 0;
}

/** Returns undefined when the node has several pods of one version. Ports findUpdatedPodsOnNode. */
function findUpdatedPodsOnNode(pods: readonly ApiPod[], hash: string): Update | undefined {
  const live = pods.filter((pod) => !isTerminating(pod));
  const [newPod, secondNew] = live.filter((pod) => getPodRevision(pod) === hash);
  const [oldPod, secondOld] = live.filter((pod) => getPodRevision(pod) !== hash);
  return secondNew !== undefined || secondOld !== undefined ? undefined : { newPod, oldPod };
}

/** Ports updatedDesiredNodeCounts: percentages are rounded up. */
function limitsOf({ owner: { spec }, nodes }: DaemonSetSync): {
  readonly surge: number;
  readonly unavailable: number;
} {
  const { updateStrategy: strategy } = spec;
  if (strategy.type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const count = nodes.length;
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const surge = getScaledValueFromIntOrPercent(maxSurge, count, true);
  const unavailable = getScaledValueFromIntOrPercent(maxUnavailable, count, true);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Ports updateDaemonSetStatus: of several pods on a node, the oldest counts. */
function statusOf(sync: DaemonSetSync, hash: string, now: number): DaemonSet['status'] {
  const { owner: ds, nodes } = sync;
  const oldest = nodes.flatMap((node) => podsOn(sync, node).slice(0, 1));
  const available = oldest.filter((pod) => isAvailable(ds, pod, now)).length;
  return {
    observedGeneration: ds.metadata.generation,
    desiredNumberScheduled: nodes.length,
    currentNumberScheduled: oldest.length,
    updatedNumberScheduled: oldest.filter((pod) => getPodRevision(pod) === hash).length,
    numberReady: oldest.filter(isPodReady).length,
    numberAvailable: available,
    numberUnavailable: nodes.length - available,
  };
}

/** Returns the pods of a node, oldest first (getNodesToDaemonPods). */
function podsOn({ pods }: DaemonSetSync, node: string): readonly ApiPod[] {
  return pods.filter(
    (pod) => pod.spec.nodeName === node && !(isPodTerminal(pod) && isTerminating(pod)),
  );
}
