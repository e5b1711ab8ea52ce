import type {
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  Decoded,
  PodCondition,
  PodStatus,
  Time,
} from '../../api/index.js';
import { parseTime, rfc3339 } from '../../clock/rfc3339.js';

/** Converts a status to the API's form: as `kubectl get pod -o json` shows it, with times as RFC 3339. */
export function apiPodStatus(status: PodStatus): object {
  return compact({
    conditions: status.conditions?.map(apiCondition),
    containerStatuses: status.containerStatuses?.map(apiContainerStatus),
    hostIP: status.hostIP,
    hostIPs: status.hostIPs?.map((ip) => ({ ip })),
    initContainerStatuses: status.initContainerStatuses?.map(apiContainerStatus),
    message: status.message,
    observedGeneration: status.observedGeneration,
    phase: status.phase,
    podIP: status.podIP,
    podIPs: status.podIPs?.map((ip) => ({ ip })),
    qosClass: status.qosClass,
    reason: status.reason,
    startTime: status.startTime === undefined ? undefined : rfc3339(status.startTime),
  });
}

function apiCondition(condition: PodCondition): object {
  return compact({
    lastProbeTime: timeOrNull(condition.lastProbeTime),
    lastTransitionTime: timeOrNull(condition.lastTransitionTime),
    message: condition.message,
    observedGeneration: condition.observedGeneration,
    reason: condition.reason,
    status: condition.status,
    type: condition.type,
  });
}

function apiContainerStatus(status: ContainerStatus): object {
  return compact({
    allocatedResources: status.allocatedResources,
    containerID: status.containerID,
    image: status.image,
    imageID: status.imageID,
    lastState: apiState(status.lastTerminationState),
    name: status.name,
    ready: status.ready,
    resources: status.resources,
    restartCount: status.restartCount,
    started: status.started,
    state: apiState(status.state),
    volumeMounts: status.volumeMounts,
  });
}

function apiState({ waiting, running, terminated }: ContainerState): object {
  if (waiting !== undefined) {
    return { waiting: compact({ message: waiting.message, reason: waiting.reason }) };
  }
  if (running !== undefined) return { running: { startedAt: timeOrNull(running.startedAt) } };
  if (terminated === undefined) return {};
  return {
    terminated: compact({
      containerID: terminated.containerID,
      exitCode: terminated.exitCode,
      finishedAt: timeOrNull(terminated.finishedAt),
      message: terminated.message,
      reason: terminated.reason,
      startedAt: timeOrNull(terminated.startedAt),
    }),
  };
}

function timeOrNull(time: Time | undefined): string | null {
  return time === undefined ? null : rfc3339(time);
}

/** Removes absent values and empty strings, as Go's omitempty does. */
function compact(object: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(object).filter(
    ([key, value]) => value !== undefined && (value !== '' || key === 'imageID'),
  );
  return Object.fromEntries(kept);
}

/** Parses a status in the API's form, the inverse of apiPodStatus. Times are in whole seconds. */
export function parseApiStatus(status: Decoded<'PodStatus'>): PodStatus {
  const { startTime, conditions, hostIPs, podIPs, containerStatuses, initContainerStatuses } =
    status;
  const { observedGeneration, phase, message, reason, hostIP, podIP, qosClass } = status;
  return present<PodStatus>({
    observedGeneration,
    phase,
    conditions: conditions?.map(conditionOf),
    message,
    reason,
    hostIP,
    hostIPs: hostIPs?.map(({ ip = '' }) => ip),
    podIP,
    podIPs: podIPs?.map(({ ip = '' }) => ip),
    startTime: timeOf(startTime),
    initContainerStatuses: initContainerStatuses?.map(containerStatusOf),
    containerStatuses: containerStatuses?.map(containerStatusOf),
    qosClass,
  });
}

function conditionOf(condition: Decoded<'PodCondition'>): PodCondition {
  const { type = '', status = 'Unknown', observedGeneration, reason, message } = condition;
  return present<PodCondition>({
    type,
    status,
    observedGeneration,
    reason,
    message,
    lastProbeTime: timeOf(condition.lastProbeTime),
    lastTransitionTime: timeOf(condition.lastTransitionTime),
  });
}

function containerStatusOf(status: Decoded<'ContainerStatus'>): ContainerStatus {
  const { name = '', image = '', imageID = '', containerID, started } = status;
  return present<ContainerStatus>({
    name,
    state: stateOf(status.state),
    lastTerminationState: stateOf(status.lastState),
    ready: status.ready ?? false,
    restartCount: status.restartCount ?? 0,
    image,
    imageID,
    containerID,
    started,
    resources: status.resources,
    allocatedResources: status.allocatedResources,
    volumeMounts: status.volumeMounts,
  });
}

function stateOf({ waiting, running, terminated }: Decoded<'ContainerState'> = {}): ContainerState {
  if (waiting !== undefined) {
    return {
      waiting: present<ContainerStateWaiting>({ reason: waiting.reason, message: waiting.message }),
    };
  }
  if (running !== undefined)
    return { running: present<ContainerStateRunning>({ startedAt: timeOf(running.startedAt) }) };
  if (terminated === undefined) return {};
  const { exitCode = 0, reason, message, containerID } = terminated;
  const [startedAt, finishedAt] = [timeOf(terminated.startedAt), timeOf(terminated.finishedAt)];
  return {
    terminated: present<ContainerStateTerminated>({
      exitCode,
      reason,
      message,
      startedAt,
      finishedAt,
      containerID,
    }),
  };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text);
}

/** Removes undefined fields. The API's enums are typed as strings; the kubelet's values are unions. */
function present<T>(fields: { readonly [Key in keyof T]: unknown }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
