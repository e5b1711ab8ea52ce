import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../api/index.js';
import { toByteString, toText } from '../../go/byte-string.js';

/** Bytes of termination messages that a whole pod may have (MaxPodTerminationMessageLogLength). */
const MAX_POD_TERMINATION_MESSAGE_LENGTH = 12 * 1024;

/**
 * Normalizes a status as the API server keeps it: times in whole seconds, and short termination messages.
 * Ports normalizeStatus (pkg/kubelet/status/status_manager.go).
 */
export function normalizeStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const count = containers.length + initContainers.length + ephemeralContainers.length;
  const limit = Math.trunc(MAX_POD_TERMINATION_MESSAGE_LENGTH / Math.max(1, count));
  const statuses = (list: readonly ContainerStatus[]): ContainerStatus[] =>
    list.map((c) => ({
      ...c,
      state: normalizeState(c.state, limit),
      lastTerminationState: normalizeState(c.lastTerminationState, limit),
    }));
  const { startTime, conditions, containerStatuses, initContainerStatuses } = status;
  return {
    ...status,
    ...(startTime === undefined ? {} : { startTime: wholeSeconds(startTime) }),
    ...(conditions === undefined ? {} : { conditions: conditions.map(normalizeCondition) }),
    ...(containerStatuses === undefined ? {} : { containerStatuses: statuses(containerStatuses) }),
    ...(initContainerStatuses === undefined
      ? {}
      : { initContainerStatuses: statuses(initContainerStatuses) }),
  };
}

function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

function normalizeCondition(condition: PodCondition): PodCondition {
  const { lastProbeTime, lastTransitionTime } = condition;
  return {
    ...condition,
    ...(lastProbeTime === undefined ? {} : { lastProbeTime: wholeSeconds(lastProbeTime) }),
    ...(lastTransitionTime === undefined
      ? {}
      : { lastTransitionTime: wholeSeconds(lastTransitionTime) }),
  };
}

function normalizeState(state: ContainerState, limit: number): ContainerState {
  const { running, terminated } = state;
  if (running?.startedAt !== undefined) {
    return { running: { startedAt: wholeSeconds(running.startedAt) } };
  }
  return terminated === undefined ? state : { terminated: normalizeEnd(terminated, limit) };
}

function normalizeEnd(end: ContainerStateTerminated, limit: number): ContainerStateTerminated {
  const { startedAt, finishedAt, message } = end;
  return {
    ...end,
    ...(startedAt === undefined ? {} : { startedAt: wholeSeconds(startedAt) }),
    ...(finishedAt === undefined ? {} : { finishedAt: wholeSeconds(finishedAt) }),
    ...(message === undefined ? {} : { message: cutBytes(message, limit) }),
  };
}

/** Truncates a text to bytes; each byte of a split character becomes U+FFFD, as on its way to the API server. */
function cutBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  return toText(toByteString(text).slice(0, limit));
}
