import type { Pod, PodCondition, PodStatus } from '../../api/index.js';
import { podConditionByKubelet, terminalCondition } from './conditions.js';
import { isTerminal } from './pod-status.js';
import { replaceOrAppendPodCondition } from './status-manager.js';

/**
 * What is sent to the API server: its own conditions kept, and no terminal phase while containers may still run. Ports
 * mergePodStatus (pkg/kubelet/status/status_manager.go).
 */
export function mergePodStatus(
  pod: Pod,
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
  return isTerminal(merged.phase) ? unready(pod, merged, now) : merged;
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
function unready(pod: Pod, status: PodStatus, now: number): PodStatus {
  const { conditions = [], phase } = status;
  const types = ['ContainersReady', 'Ready'] as const;
  const ready = types.some((type) => find(conditions, type)?.status === 'True');
  if (!ready) return status;
  const updated = types.reduce<readonly PodCondition[]>((list, type) => {
    const old = find(list, type);
    const since = old?.status === 'False' ? old.lastTransitionTime : now;
    return replaceOrAppendPodCondition(list, {
      ...terminalCondition(pod, type, phase),
      ...(since === undefined ? {} : { lastTransitionTime: since }),
    });
  }, conditions);
  return { ...status, conditions: updated };
}

function find(conditions: readonly PodCondition[], type: string): PodCondition | undefined {
  return conditions.find((c) => c.type === type);
}
