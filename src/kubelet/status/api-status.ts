import type {
  ContainerState,
  ContainerStatus,
  PodCondition,
  PodStatus,
  Time,
} from '../../api/index.js';
import { rfc3339 } from '../../clock/rfc3339.js';

/** A status in the API's form: as `kubectl get pod -o json` shows it, with times as RFC 3339 and keys in its order. */
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

/** Without what Go's omitempty leaves out: absent values and empty texts. */
function compact(object: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(object).filter(
    ([key, value]) => value !== undefined && (value !== '' || key === 'imageID'),
  );
  return Object.fromEntries(kept);
}
