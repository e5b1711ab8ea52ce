import { getScaledValueFromIntOrPercent } from './deployment-util.js';
import {
  type ApiPod,
  type PodDisruptionBudget,
  replicasOf,
  selectorMatches,
  type Workload,
} from './objects.js';
import { isPodReady, isTerminating } from './pod-util.js';

/** The objects that decide on an eviction. */
interface EvictionContext {
  readonly budgets: readonly PodDisruptionBudget[];
  /** All pods of the namespace. */
  readonly pods: readonly ApiPod[];
  /** Returns the workload that a pod belongs to (finders). */
  readonly workloadOf: (pod: ApiPod) => Workload | undefined;
}

/** Health of the pods of a budget (PodDisruptionBudgetStatus). */
interface BudgetStatus {
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  readonly disruptionsAllowed: number;
}

/**
 * Returns the error of an eviction, or undefined when the pod may be deleted. A budget's status is computed here and
 * now: the controller lags behind in a cluster, and the API server counts disruptedPods until it has caught up. Ports
 * EvictionREST.Create (pkg/registry/core/pod/storage/eviction.go).
 */
export function evictionError(pod: ApiPod, context: EvictionContext): string | undefined {
  // As canIgnorePDB.
  if (pod.status.phase !== 'Running' || isTerminating(pod)) return undefined;
  const budgets = context.budgets.filter(({ metadata, spec }) => {
    const isNear = metadata.namespace === pod.metadata.namespace;
    return isNear && selectorMatches(spec.selector, pod.metadata.labels);
  });
  const [budget, second] = budgets;
  if (budget === undefined) return undefined;
  if (second !== undefined) {
    return 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  }
  const { currentHealthy, desiredHealthy, disruptionsAllowed } = budgetStatus(budget, context);
  if (!isPodReady(pod)) {
    if (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return undefined;
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return undefined;
  }
  if (disruptionsAllowed > 0) return undefined;
  return `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
}

/** Ports trySync, countHealthyPods and updatePdbStatus (pkg/controller/disruption/disruption.go). */
function budgetStatus(
  { spec }: PodDisruptionBudget,
  { pods, workloadOf }: EvictionContext,
): BudgetStatus {
  const selected = pods.filter(({ metadata }) => selectorMatches(spec.selector, metadata.labels));
  const { expectedPods, desiredHealthy } = getExpectedPodCount(spec, selected, workloadOf);
  const healthy = selected.filter((pod) => !isTerminating(pod) && isPodReady(pod));
  const allowed = expectedPods <= 0 ? 0 : Math.max(0, healthy.length - desiredHealthy);
  return {
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed: allowed,
  };
}

/** Ports getExpectedPodCount. */
function getExpectedPodCount(
  { maxUnavailable, minAvailable }: PodDisruptionBudget['spec'],
  pods: readonly ApiPod[],
  workloadOf: EvictionContext['workloadOf'],
): Pick<BudgetStatus, 'expectedPods' | 'desiredHealthy'> {
  if (maxUnavailable !== undefined) {
    const expectedPods = getExpectedScale(pods, workloadOf);
    const unavailable = getScaledValueFromIntOrPercent(maxUnavailable, expectedPods, true);
    return { expectedPods, desiredHealthy: Math.max(0, expectedPods - unavailable) };
  }
  if (typeof minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  }
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  const expectedPods = getExpectedScale(pods, workloadOf);
  const desiredHealthy = getScaledValueFromIntOrPercent(minAvailable, expectedPods, true);
  return { expectedPods, desiredHealthy };
}

/** Adds up the replicas of the pods' workloads. Ports getExpectedScale. */
function getExpectedScale(
  pods: readonly ApiPod[],
  workloadOf: EvictionContext['workloadOf'],
): number {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const workload = workloadOf(pod);
    if (workload !== undefined) scales.set(workload.metadata.uid, replicasOf(workload));
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
}
