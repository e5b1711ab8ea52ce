import { selectorMatches } from '../../api/admission/index.js';
import { getScaledValueFromIntOrPercent } from './deployment-util.js';
import { type ApiPod, type PodDisruptionBudget, replicasOf, type Workload } from './objects.js';
import { isPodReady, isTerminating } from './pod-util.js';

type BudgetStatus = PodDisruptionBudget['status'];
/** Returns the workload that a pod belongs to (finders). */
type WorkloadOf = (pod: ApiPod) => Workload | undefined;

/** Returns the budgets that select a pod (getPdbForPod, getPodDisruptionBudgets). */
export function budgetsOf(
  { metadata: { namespace, labels } }: ApiPod,
  budgets: readonly PodDisruptionBudget[],
): readonly PodDisruptionBudget[] {
  return budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === namespace && selectorMatches(spec.selector, labels),
  );
}

/**
 * Returns the error of an eviction, or the budget after it; neither when no budget is concerned. Ports
 * EvictionREST.Create (pkg/registry/core/pod/storage/eviction.go).
 */
export function evict(
  pod: ApiPod,
  all: readonly PodDisruptionBudget[],
): { readonly error?: string; readonly spent?: PodDisruptionBudget } {
  // Ports canIgnorePDB.
  if (pod.status.phase !== 'Running' || isTerminating(pod)) return {};
  const [budget, second] = budgetsOf(pod, all);
  if (budget === undefined) return {};
  if (second !== undefined) {
    return {
      error:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    };
  }
  const { currentHealthy, desiredHealthy, disruptionsAllowed } = budget.status;
  if (!isPodReady(pod)) {
    if (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return {};
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return {};
  }
  if (disruptionsAllowed > 0) {
    const status = { ...budget.status, disruptionsAllowed: disruptionsAllowed - 1 };
    return { spent: { ...budget, status } };
  }
  return {
    error: `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
  };
}

/**
 * Returns the status of a budget that selects `pods`. When the controller of one is gone, nothing may be disrupted. Ports
 * trySync, countHealthyPods, updatePdbStatus and failSafe (pkg/controller/disruption/disruption.go).
 */
export function syncBudget(
  { spec, status }: PodDisruptionBudget,
  pods: readonly ApiPod[],
  workloadOf: WorkloadOf,
): BudgetStatus {
  const counts = getExpectedPodCount(spec, pods, workloadOf);
  if (counts === undefined) return { ...status, disruptionsAllowed: 0 };
  const { expectedPods, desiredHealthy } = counts;
  const currentHealthy = pods.filter((pod) => !isTerminating(pod) && isPodReady(pod)).length;
  const allowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed: allowed };
}

/** Ports getExpectedPodCount; undefined is its error. */
function getExpectedPodCount(
  { maxUnavailable, minAvailable }: PodDisruptionBudget['spec'],
  pods: readonly ApiPod[],
  workloadOf: WorkloadOf,
): Pick<BudgetStatus, 'expectedPods' | 'desiredHealthy'> | undefined {
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  }
  const limit = maxUnavailable ?? minAvailable;
  if (limit === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  const expectedPods = getExpectedScale(pods, workloadOf);
  if (expectedPods === undefined) return undefined;
  const scaled = getScaledValueFromIntOrPercent(limit, expectedPods, true);
  const desiredHealthy = maxUnavailable === undefined ? scaled : Math.max(0, expectedPods - scaled);
  return { expectedPods, desiredHealthy };
}

/** Adds up the replicas of the pods' workloads; undefined when one is not found. Ports getExpectedScale. */
function getExpectedScale(pods: readonly ApiPod[], workloadOf: WorkloadOf): number | undefined {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const workload = workloadOf(pod);
    if (workload === undefined) return undefined;
    scales.set(workload.metadata.uid, replicasOf(workload));
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
}
