import {
  type ContainerState,
  type ContainerStateTerminated,
  type ContainerStatus,
  ownField,
  type Pod,
  type PodStatus,
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

/**
 * Compares two plain values; an absent list equals an empty one. Ports Semantic.DeepEqual
 * (apimachinery/api/equality).
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => semanticDeepEqual(item, b[index]))
    );
  }
  return sameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameFields(a: Fields, b: Fields): boolean {
  for (const key of Object.keys(a)) {
    if (!semanticDeepEqual(a[key], ownField(b, key))) return false;
  }
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key) && !isEmpty(b[key])) return false;
  }
  return true;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
