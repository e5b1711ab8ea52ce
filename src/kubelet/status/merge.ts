import type { PodCondition, PodStatus } from '../../api/types/status.js';
import { podConditionByKubelet, terminalReadiness } from './conditions.js';
import { isTerminal } from './pod-status.js';

/**
 * What is sent to the API server: its own conditions kept, and no terminal phase while containers may still run. Ports
 * mergePodStatus (pkg/kubelet/status/status_manager.go).
 */
export function mergePodStatus(
  oldStatus: PodStatus,
  newStatus: PodStatus,
  couldHaveRunningContainers: boolean,
  now: number,
): PodStatus {
  const others = (oldStatus.conditions ?? []).filter((c) => !podConditionByKubelet(c.type));
  const own = (newStatus.conditions ?? []).filter((c) => podConditionByKubelet(c.type));
  const ending = !isTerminal(oldStatus.phase) && isTerminal(newStatus.phase);
  const merged: PodStatus = { ...newStatus, conditions: [...others, ...own] };
  if (ending && couldHaveRunningContainers) return keepPhase(merged, oldStatus);
  return isTerminal(merged.phase) ? unready(merged, now) : merged;
}

function keepPhase(status: PodStatus, old: PodStatus): PodStatus {
  const { phase, reason, message, ...rest } = status;
  return {
    ...rest,
    ...(old.phase === undefined ? {} : { phase: old.phase }),
    ...(old.reason === undefined ? {} : { reason: old.reason }),
    ...(old.message === undefined ? {} : { message: old.message }),
  };
}

/** A pod that has ended is not ready, whatever its containers' last status said. */
function unready(status: PodStatus, now: number): PodStatus {
  const conditions = status.conditions ?? [];
  const readiness = (c: PodCondition): boolean =>
    c.type === 'Ready' || c.type === 'ContainersReady';
  if (!conditions.some((c) => readiness(c) && c.status === 'True')) return status;
  return {
    ...status,
    conditions: conditions.map((c) => {
      if (!readiness(c)) return c;
      const { type, lastTransitionTime } = c;
      const since = c.status === 'True' ? now : lastTransitionTime;
      return {
        type,
        ...terminalReadiness(status.phase),
        ...(since === undefined ? {} : { lastTransitionTime: since }),
      };
    }),
  };
}
