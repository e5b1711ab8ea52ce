import {
  type ContainerStateTerminated,
  type ContainerStatus,
  ownField,
  type Pod,
  type PodCondition,
  type PodStatus,
} from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { toByteString, toText } from '../../go/byte-string.js';
import { isStaticPod } from '../pod-name.js';
import { mapFields, TIME_FIELDS } from './api-status.js';
import {
  generateContainersReadyCondition,
  generatePodReadyCondition,
  podConditionByKubelet,
} from './conditions.js';
import {
  checkContainerStateTransition,
  terminatedStatus,
  updateLastTransitionTimes,
} from './transitions.js';

/** Status with its version. Ports versionedPodStatus (pkg/kubelet/status/status_manager.go). */
export interface VersionedPodStatus {
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly version: number;
  /** SyncTerminatedPod has succeeded. */
  readonly podIsFinished: boolean;
}

/** Keeps the status of each pod. Ports the status manager (pkg/kubelet/status/status_manager.go). */
export class StatusManager {
  readonly #statuses = new Map<string, VersionedPodStatus>();

  constructor(
    private readonly clock: Clock,
    private readonly getPodByUID: (uid: string) => Pod | undefined,
    private readonly onChange: (pod: Pod, status: PodStatus) => void,
  ) {}

  getPodStatus(uid: string): PodStatus | undefined {
    return this.#statuses.get(uid)?.status;
  }

  versions(): ReadonlyMap<string, VersionedPodStatus> {
    return this.#statuses;
  }

  setPodStatus(pod: Pod, status: PodStatus): void {
    const { generation, deletionTimestamp } = pod.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    this.#update(pod, { ...status, ...observed }, deletionTimestamp !== undefined, false);
  }

  /** Sets the container's readiness and the ready conditions. Ports SetContainerReadiness. */
  setContainerReadiness(uid: string, containerID: string, ready: boolean): void {
    this.#change(uid, containerID, { ready }, withReadyConditions);
  }

  setContainerStartup(uid: string, containerID: string, started: boolean): void {
    this.#change(uid, containerID, { started });
  }

  /** Sets the pod's last status. Ports TerminatePod. */
  terminatePod(pod: Pod): void {
    const status = this.#statuses.get(pod.metadata.uid)?.status ?? pod.status;
    this.#update(pod, terminatedStatus(pod, status), true, true);
  }

  removeOrphanedStatuses(wanted: { has(uid: string): boolean }): void {
    for (const uid of this.#statuses.keys()) if (!wanted.has(uid)) this.#statuses.delete(uid);
  }

  deletePodStatus(uid: string): void {
    this.#statuses.delete(uid);
  }

  #change(
    uid: string,
    containerID: string,
    change: Partial<ContainerStatus>,
    finish: (pod: Pod, status: PodStatus) => PodStatus = (_, status) => status,
  ): void {
    const pod = this.getPodByUID(uid);
    const changed = changeContainer(this.getPodStatus(uid) ?? {}, containerID, change);
    if (pod && changed) this.#update(pod, finish(pod, changed), false, false);
  }

  /** Stores a changed status as a new version. Ports updateStatusInternal. */
  #update(pod: Pod, status: PodStatus, force: boolean, podIsFinished: boolean): void {
    const { uid } = pod.metadata;
    const cached = this.#statuses.get(uid);
    const old = cached?.status ?? pod.status;
    if (!checkContainerStateTransition(old, status, pod.spec)) return;
    const now = this.clock.now();
    const next = normalizeStatus(pod, {
      ...status,
      ...latestGeneration(old, status),
      conditions: updateLastTransitionTimes(status.conditions ?? [], old.conditions ?? [], now),
      startTime: old.startTime ?? status.startTime ?? now,
    });
    if (cached !== undefined && !force && isPodStatusByKubeletEqual(cached.status, next)) return;
    this.#statuses.set(uid, {
      pod,
      status: next,
      version: (cached?.version ?? 0) + 1,
      // A static pod may start over with the same uid.
      podIsFinished: podIsFinished || (!isStaticPod(pod) && cached?.podIsFinished === true),
    });
    this.onChange(pod, next);
  }
}

/** Keeps the observed generation from going back. */
function latestGeneration(old: PodStatus, status: PodStatus): PodStatus {
  const { observedGeneration = 0 } = status;
  const before = old.observedGeneration ?? 0;
  return before > observedGeneration ? { observedGeneration: before } : {};
}

/** Ports isPodStatusByKubeletEqual (pkg/kubelet/status/status_manager.go). */
export function isPodStatusByKubeletEqual(a: PodStatus, b: PodStatus): boolean {
  const byKubelet = (status: PodStatus): PodCondition[] =>
    (status.conditions ?? []).filter((c) => podConditionByKubelet(c.type));
  const before = byKubelet(a);
  const after = byKubelet(b);
  const same = (c: PodCondition): boolean => {
    const match = after.find(({ type }) => type === c.type);
    return (
      match?.status === c.status &&
      (match.message ?? '') === (c.message ?? '') &&
      (match.reason ?? '') === (c.reason ?? '')
    );
  };
  if (before.length !== after.length || !before.every(same)) return false;
  return semanticDeepEqual({ ...a, conditions: [] }, { ...b, conditions: [] });
}

/** Returns the status with a changed container, or undefined when there is no such container or no change. */
function changeContainer(
  status: PodStatus,
  containerID: string,
  change: Partial<ContainerStatus>,
): PodStatus | undefined {
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    const current = status[list]?.find((c) => c.containerID === containerID);
    if (current === undefined) continue;
    const changed = { ...current, ...change };
    if (semanticDeepEqual(current, changed)) return undefined;
    return { ...status, [list]: status[list]?.map((c) => (c === current ? changed : c)) };
  }
  return undefined;
}

function withReadyConditions(pod: Pod, status: PodStatus): PodStatus {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const old = status.conditions ?? [];
  const ready = generatePodReadyCondition(pod, old, statuses, status.phase);
  const containersReady = generateContainersReadyCondition(pod, statuses, status.phase);
  const replaced = [ready, containersReady].reduce<readonly PodCondition[]>(
    replaceOrAppendPodCondition,
    old,
  );
  return { ...status, conditions: replaced };
}

/** Ports ReplaceOrAppendPodCondition (pkg/util/pod/pod.go). */
export function replaceOrAppendPodCondition(
  conditions: readonly PodCondition[],
  condition: PodCondition,
): PodCondition[] {
  const has = conditions.some((c) => c.type === condition.type);
  return has
    ? conditions.map((c) => (c.type === condition.type ? condition : c))
    : [...conditions, condition];
}

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
  return mapFields(status, (key, value) => {
    if (TIME_FIELDS.has(key) && typeof value === 'number') return Math.floor(value / 1000) * 1000;
    if (key !== 'terminated') return value;
    const state = value as ContainerStateTerminated;
    return state.message ? { ...state, message: truncateBytes(state.message, limit) } : state;
  });
}

/** Truncates a text to bytes; each byte of a split character becomes U+FFFD, as on its way to the API server. */
function truncateBytes(text: string, limit: number): string {
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
