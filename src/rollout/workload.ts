import { type Decoded, omitUndefined, POD_TEMPLATE_HASH, type v1 } from '../api/index.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { times } from '../text/count.js';
import type { Applied } from './control-plane.js';
import { deploymentComplete } from './controllers/deployment-util.js';
import {
  type ApiObject,
  type ApiPod,
  partitionOf,
  type PodTemplate,
  replicasOf,
  type Workload,
} from './controllers/objects.js';
import { getPodRevision } from './controllers/revisions.js';
import type { SeenPod } from './recorder.js';

export type AppliedWorkload = Exclude<
  Applied,
  { readonly kind: 'Service' | 'PodDisruptionBudget' }
>;

export const ROLLED_OUT_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** Returns the loaded workload, with another number of replicas if one is given. */
export function appliedWorkload(loaded: LoadedPod, replicas?: number): AppliedWorkload {
  const { pod, source } = loaded;
  const { metadata, spec } = loaded.stored as Decoded<v1.Deployment>;
  const applied = {
    kind: source.kind,
    metadata: omitUndefined({
      name: source.name,
      namespace: pod.metadata.namespace,
      labels: metadata?.labels,
      annotations: metadata?.annotations,
    }),
    spec: {
      minReadySeconds: 0,
      selector: {},
      ...spec,
      ...(replicas !== undefined && source.kind !== 'DaemonSet' && { replicas }),
      template: templateOf(loaded),
    },
  };
  // The API's defaults have set the rest.
  return applied as AppliedWorkload;
}

/** Returns the pod's template without gates, which other controllers open, and without fields of a single pod. */
function templateOf({ pod: { metadata, spec }, source }: LoadedPod): PodTemplate {
  const { readinessGates: _, schedulingGates: _gates, nodeName: _node, ...rest } = spec;
  const { labels = {}, annotations } = metadata;
  if (source.kind !== 'StatefulSet') return { metadata: { labels, annotations }, spec: rest };
  const kept = Object.entries(labels).filter(([key]) => !POD_LABELS.includes(key));
  return { metadata: { labels: Object.fromEntries(kept), annotations }, spec: rest };
}

const POD_LABELS = ['statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'];

/** Returns the workload as `kubectl rollout restart` leaves it. */
export function restarted<T extends AppliedWorkload>(workload: T, restartedAt: string): T {
  const { template } = workload.spec;
  const annotations = {
    ...template.metadata.annotations,
    'kubectl.kubernetes.io/restartedAt': restartedAt,
  };
  const changed = { ...template, metadata: { ...template.metadata, annotations } };
  return { ...workload, spec: { ...workload.spec, template: changed } };
}

/** Returns the hash that the pods of one template share. */
export function templateHash(pod: ApiPod): string {
  return pod.metadata.labels[POD_TEMPLATE_HASH] ?? getPodRevision(pod);
}

export function isWorkload(object: ApiObject): object is Workload {
  return ROLLED_OUT_KINDS.includes(object.kind);
}

/** Returns whether the new pods exist and are available, as `kubectl rollout status` waits for. */
export function isRolledOut(workload: Workload): boolean {
  const { metadata, status } = workload;
  if (status.observedGeneration < metadata.generation) return false;
  if (workload.kind === 'Deployment') return deploymentComplete(workload, workload.status);
  const { wanted, updated, available } = countsOf(workload);
  if (available < wanted) return false;
  if (workload.kind === 'DaemonSet') return updated >= wanted;
  return updated >= wanted - partitionOf(workload.spec);
}

/** Describes the part of a spec that keeps a change from reaching all pods; undefined without one. */
export function blockedBySpec({ spec }: Pick<Workload, 'spec'>): string | undefined {
  if ('strategy' in spec) return spec.paused === true ? 'the Deployment is paused' : undefined;
  if (spec.updateStrategy.type !== 'OnDelete') return undefined;
  return 'updateStrategy OnDelete: a pod is replaced when somebody deletes it';
}

export interface WorkloadCounts {
  readonly wanted: number;
  readonly updated: number;
  readonly available: number;
}

export function countsOf(workload: Workload): WorkloadCounts {
  const wanted = replicasOf(workload);
  if (workload.kind === 'DaemonSet') {
    const { updatedNumberScheduled: updated, numberAvailable: available } = workload.status;
    return { wanted, updated, available };
  }
  const { updatedReplicas: updated, availableReplicas: available } = workload.status;
  return { wanted, updated, available };
}

export interface Blocker {
  readonly reason: string;
  /** Number of pods that are not available for this reason; absent when it is not about pods. */
  readonly pods?: number;
}

/** Returns why not all replicas are available, the reason of most pods first. */
export function blockersOf({
  rollout,
  pods,
  blocked,
}: {
  readonly rollout?: { readonly doneAt?: number };
  readonly pods: readonly SeenPod[];
  readonly blocked?: string | undefined;
}): readonly Blocker[] {
  if (rollout?.doneAt !== undefined) return [];
  const found: Blocker[] = blocked === undefined ? [] : [{ reason: blocked }];
  const reasons = new Map<string, number>();
  for (const pod of pods) {
    const reason = rollout !== undefined && pod.version === 'old' ? undefined : reasonOf(pod);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const byPods = [...reasons].map(([reason, count]) => ({ reason, pods: count }));
  return [...found, ...byPods.sort((a, b) => b.pods - a.pods)];
}

function reasonOf({ pod, state, lastFailure, restarts }: SeenPod): string | undefined {
  switch (state) {
    case 'pending':
      return 'no node takes the pod: all are cordoned';
    case 'starting':
    case 'notReady': {
      const restarted = restarts > 0 && `restarted ${times(restarts)}`;
      const known = [waitingReason(pod), restarted, lastFailure].filter(Boolean);
      return known.join(', ') || 'not ready yet';
    }
    case 'ended':
      return `the pod has ${pod.status.phase === 'Failed' ? 'failed' : 'succeeded'}`;
    case 'ready':
    case 'terminating':
      return undefined;
  }
}

function waitingReason({ status }: SeenPod['pod']): string | undefined {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const reasons = statuses.map(({ state }) => state.waiting?.reason);
  return reasons.find((reason) => reason !== undefined && reason !== 'PodInitializing');
}
