import {
  type ContainerState,
  type ContainerStateRunning,
  type ContainerStateTerminated,
  type ContainerStateWaiting,
  type ContainerStatus,
  type Decoded,
  type PodCondition,
  type PodStatus,
  present as withoutUndefined,
} from '../../api/index.js';
import { parseTime, rfc3339 } from '../../clock/rfc3339.js';

/** Converts a status to the API's form: as `kubectl get pod -o json` shows it, with times as RFC 3339. */
export function apiPodStatus(status: PodStatus): object {
  return compact({
    ...status,
    conditions: status.conditions?.map((c) => withTimes(c, 'lastProbeTime', 'lastTransitionTime')),
    containerStatuses: status.containerStatuses?.map(apiContainerStatus),
    hostIPs: status.hostIPs?.map((ip) => ({ ip })),
    initContainerStatuses: status.initContainerStatuses?.map(apiContainerStatus),
    podIPs: status.podIPs?.map((ip) => ({ ip })),
    startTime: status.startTime === undefined ? undefined : rfc3339(status.startTime),
  });
}

function apiContainerStatus({ lastTerminationState, ...status }: ContainerStatus): object {
  const lastState = apiState(lastTerminationState);
  return compact({ ...status, lastState, state: apiState(status.state) });
}

function apiState({ waiting, running, terminated }: ContainerState): object {
  if (waiting !== undefined) return { waiting: compact(waiting) };
  if (running !== undefined) return { running: withTimes(running, 'startedAt') };
  return terminated ? { terminated: withTimes(terminated, 'startedAt', 'finishedAt') } : {};
}

/** Shows these times; an absent one is null. */
function withTimes<Name extends string>(
  object: { readonly [Key in Name]?: number },
  ...names: readonly Name[]
): object {
  const times = names.map((name) => {
    const time = object[name];
    return [name, time === undefined ? null : rfc3339(time)] as const;
  });
  return compact({ ...object, ...Object.fromEntries(times) });
}

/** Sorts the keys, and removes absent values and empty strings, as Go's omitempty does. */
function compact(object: object): object {
  const kept = Object.entries(object).filter(
    ([key, value]) => value !== undefined && (value !== '' || key === 'imageID'),
  );
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses a status in the API's form, the inverse of apiPodStatus. Times are in whole seconds. */
export function parseApiStatus(status: Decoded<'PodStatus'>): PodStatus {
  return present<PodStatus>({
    ...status,
    conditions: status.conditions?.map(conditionOf),
    hostIPs: status.hostIPs?.map(({ ip = '' }) => ip),
    podIPs: status.podIPs?.map(({ ip = '' }) => ip),
    startTime: timeOf(status.startTime),
    initContainerStatuses: status.initContainerStatuses?.map(containerStatusOf),
    containerStatuses: status.containerStatuses?.map(containerStatusOf),
  });
}

function conditionOf(condition: Decoded<'PodCondition'>): PodCondition {
  return present<PodCondition>({
    ...{ type: '', status: 'Unknown', ...condition },
    lastProbeTime: timeOf(condition.lastProbeTime),
    lastTransitionTime: timeOf(condition.lastTransitionTime),
  });
}

const NO_STATUS = { name: '', ready: false, restartCount: 0, image: '', imageID: '' };

function containerStatusOf(written: Decoded<'ContainerStatus'>): ContainerStatus {
  const { lastState, ...status } = { ...NO_STATUS, ...written };
  const states = { state: stateOf(status.state), lastTerminationState: stateOf(lastState) };
  return present<ContainerStatus>({ ...status, ...states });
}

function stateOf({ waiting, running, terminated }: Decoded<'ContainerState'> = {}): ContainerState {
  if (waiting !== undefined) return { waiting: present<ContainerStateWaiting>(waiting) };
  if (running !== undefined) {
    return { running: present<ContainerStateRunning>({ startedAt: timeOf(running.startedAt) }) };
  }
  if (terminated === undefined) return {};
  const { startedAt, finishedAt, ...end } = { exitCode: 0, ...terminated };
  const times = { startedAt: timeOf(startedAt), finishedAt: timeOf(finishedAt) };
  return { terminated: present<ContainerStateTerminated>({ ...end, ...times }) };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text);
}

/** Removes undefined fields. The API's enums are typed as strings; the kubelet's values are unions. */
function present<T>(fields: { readonly [Key in keyof T]: unknown }): T {
  return withoutUndefined(fields) as unknown as T;
}
