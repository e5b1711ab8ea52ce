import type {
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  Decoded,
  PodCondition,
  PodStatus,
} from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';

/** A status out of the API's form: what apiPodStatus makes of a status, undone. Times come back in whole seconds. */
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

/** Without what is undefined. The API's words are typed as texts; the status has them as the kubelet wrote them. */
function present<T>(fields: { readonly [Key in keyof T]: unknown }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
