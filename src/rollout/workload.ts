import type { Decoded } from '../api/index.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import type { Applied } from './control-plane.js';
import { deploymentComplete } from './controllers/deployment-util.js';
import type { PodTemplate, Workload } from './controllers/objects.js';

export type AppliedWorkload = Exclude<
  Applied,
  { readonly kind: 'Service' | 'PodDisruptionBudget' }
>;

/** Kinds that a controller rolls out. */
export const ROLLED_OUT_KINDS: readonly string[] = ['Deployment'];

/** Returns the workload that was loaded, with another number of replicas if one is given. */
export function appliedWorkload(loaded: LoadedPod, replicas?: number): AppliedWorkload {
  const { pod, stored, source } = loaded;
  const { spec = {} } = stored as { readonly spec?: Decoded<'DeploymentSpec'> };
  const { annotations, labels } = (stored as Decoded<'Deployment'>).metadata ?? {};
  const metadata = {
    name: source.name,
    namespace: pod.metadata.namespace,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  const common = {
    replicas: replicas ?? spec.replicas ?? 1,
    minReadySeconds: spec.minReadySeconds ?? 0,
    selector: spec.selector ?? {},
    template: templateOf(loaded),
    revisionHistoryLimit: spec.revisionHistoryLimit,
  };
  return {
    kind: 'Deployment',
    metadata,
    spec: {
      ...common,
      paused: spec.paused ?? false,
      strategy: strategyOf(spec.strategy),
      progressDeadlineSeconds: spec.progressDeadlineSeconds,
    },
  };
}

function strategyOf(strategy: Decoded<'DeploymentStrategy'> | undefined) {
  if (strategy?.type === 'Recreate') return { type: 'Recreate' } as const;
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } as const;
}

/** Returns the pod's template; gates that other controllers would open are left out. */
function templateOf({ pod: { metadata, spec } }: LoadedPod): PodTemplate {
  const { readinessGates: _, schedulingGates: _gates, nodeName: _node, ...rest } = spec;
  const { labels = {}, annotations } = metadata;
  return { metadata: { labels, annotations }, spec: rest };
}

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

/** Returns whether all replicas are new and available, as `kubectl rollout status` waits for. */
export function isRolledOut(workload: Workload): boolean {
  return deploymentComplete(workload, workload.status);
}

export interface WorkloadCounts {
  /** Replicas that are wanted. */
  readonly wanted: number;
  readonly updated: number;
  readonly available: number;
}

export function countsOf({ spec, status }: Workload): WorkloadCounts {
  const { updatedReplicas, availableReplicas } = status;
  return { wanted: spec.replicas, updated: updatedReplicas, available: availableReplicas };
}
