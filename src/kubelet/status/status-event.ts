import {
  type ContainerState,
  type ContainerStatus,
  omitUndefined,
  type Pod,
  type PodStatus,
} from '../../api/index.js';
import type { ContainerSummary, Event } from '../../trace/event.js';
import { podKey } from '../pod-name.js';

/** Returns the trace event of a status: a summary without ids and times, and the full status. */
export function statusEvent(pod: Pod, status: PodStatus): Event {
  const conditions = (status.conditions ?? []).map(({ type, status: value, reason, message }) => {
    const reasonText = reason === undefined || reason === '' ? '' : ` ${reason}`;
    const messageText = message === undefined || message === '' ? '' : `: ${message}`;
    return [type, `${value}${reasonText}${messageText}`] as const;
  });
  return {
    kind: 'status',
    pod: podKey(pod),
    phase: status.phase ?? '',
    reason: status.reason ?? '',
    conditions: Object.fromEntries(conditions),
    containers: (status.containerStatuses ?? []).map(containerSummary),
    initContainers: (status.initContainerStatuses ?? []).map(containerSummary),
    podStatus: status,
  };
}

function containerSummary(status: ContainerStatus): ContainerSummary {
  const { name, ready, started, restartCount } = status;
  const [state, lastState] = [stateText(status.state), stateText(status.lastTerminationState)];
  return omitUndefined({ name, ready, started, restartCount, state, lastState });
}

/** Returns a state as `running`, `waiting CrashLoopBackOff` or `terminated Error 1`; empty when it is unknown. */
export function stateText({ running, waiting, terminated }: ContainerState): string {
  if (running !== undefined) return 'running';
  if (terminated !== undefined) {
    return `terminated ${terminated.reason ?? ''} ${terminated.exitCode}`;
  }
  return waiting === undefined ? '' : `waiting ${waiting.reason ?? ''}`.trim();
}
