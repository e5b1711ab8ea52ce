import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
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
  const normalize = (c: ContainerStatus): ContainerStatus => ({
    ...c,
    state: normalizeState(c.state, limit),
    lastTerminationState: normalizeState(c.lastTerminationState, limit),
  });
  const { conditions, containerStatuses, initContainerStatuses } = status;
  return {
    ...inWholeSeconds(status, 'startTime'),
    ...(conditions && {
      conditions: conditions.map((c) => inWholeSeconds(c, 'lastProbeTime', 'lastTransitionTime')),
    }),
    ...(containerStatuses && { containerStatuses: containerStatuses.map(normalize) }),
    ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(normalize) }),
  };
}

function inWholeSeconds<T extends { readonly [Key in Name]?: number }, Name extends string>(
  object: T,
  ...names: readonly Name[]
): T {
  const times = names.flatMap((name) => {
    const time = object[name];
    return time === undefined ? [] : [[name, Math.floor(time / 1000) * 1000] as const];
  });
  return { ...object, ...Object.fromEntries(times) };
}

function normalizeState(state: ContainerState, limit: number): ContainerState {
  const { running, terminated } = state;
  if (running !== undefined) return { running: inWholeSeconds(running, 'startedAt') };
  return terminated === undefined ? state : { terminated: normalizeEnd(terminated, limit) };
}

function normalizeEnd(end: ContainerStateTerminated, limit: number): ContainerStateTerminated {
  const message = end.message && { message: cutBytes(end.message, limit) };
  return { ...inWholeSeconds(end, 'startedAt', 'finishedAt'), ...message };
}

/** Truncates a text to bytes; each byte of a split character becomes U+FFFD, as on its way to the API server. */
function cutBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  return toText(toByteString(text).slice(0, limit));
}
