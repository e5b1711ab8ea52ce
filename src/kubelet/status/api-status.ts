import {
  type ContainerState,
  type ContainerStatus,
  type Decoded,
  omitUndefined,
  type PodStatus,
  type v1,
} from '../../api/index.js';
import { parseTime, rfc3339 } from '../../clock/rfc3339.js';

/** Converts a status to the API's form: as `kubectl get pod -o json` shows it, with times as RFC 3339. */
export function apiPodStatus(status: PodStatus): object {
  const shown = mapTimes(status, (time) => rfc3339(time as number));
  return compact({
    ...shown,
    conditions: shown.conditions?.map((c) =>
      compact({ lastProbeTime: null, lastTransitionTime: null, ...c }),
    ),
    containerStatuses: shown.containerStatuses?.map(apiContainerStatus),
    hostIPs: shown.hostIPs?.map((ip) => ({ ip })),
    initContainerStatuses: shown.initContainerStatuses?.map(apiContainerStatus),
    podIPs: shown.podIPs?.map((ip) => ({ ip })),
  });
}

function apiContainerStatus({ lastTerminationState, ...status }: ContainerStatus): object {
  const lastState = apiState(lastTerminationState);
  return compact({ ...status, lastState, state: apiState(status.state) });
}

/** An absent time is null. */
function apiState({ waiting, running, terminated }: ContainerState): object {
  if (waiting !== undefined) return { waiting: compact(waiting) };
  if (running !== undefined) return { running: { startedAt: null, ...running } };
  if (terminated === undefined) return {};
  return { terminated: compact({ startedAt: null, finishedAt: null, ...terminated }) };
}

/** Sorts the keys, and removes absent values and empty strings, as Go's omitempty does. */
function compact(object: object): object {
  const kept = Object.entries(object).filter(
    ([key, value]) => value !== undefined && (value !== '' || key === 'imageID'),
  );
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses a status in the API's form, the inverse of apiPodStatus. Times are in whole seconds. */
export function parseApiStatus(written: Decoded<v1.PodStatus>): PodStatus {
  const status = mapTimes(written, (time) => parseTime(time as string));
  // The API's enums are typed as strings; the kubelet's values are unions.
  return omitUndefined({
    ...status,
    conditions: status.conditions?.map((c) => ({ type: '', status: 'Unknown', ...c })),
    hostIPs: status.hostIPs?.map(({ ip = '' }) => ip),
    podIPs: status.podIPs?.map(({ ip = '' }) => ip),
    initContainerStatuses: status.initContainerStatuses?.map(containerStatusOf),
    containerStatuses: status.containerStatuses?.map(containerStatusOf),
  }) as unknown as PodStatus;
}

const NO_STATUS = { name: '', ready: false, restartCount: 0, image: '', imageID: '' };

function containerStatusOf(written: Decoded<v1.ContainerStatus>): object {
  const { lastState, ...status } = { ...NO_STATUS, ...written };
  return { ...status, state: stateOf(status.state), lastTerminationState: stateOf(lastState) };
}

function stateOf({ waiting, running, terminated }: Decoded<v1.ContainerState> = {}): object {
  if (waiting !== undefined) return { waiting };
  if (running !== undefined) return { running };
  return terminated === undefined ? {} : { terminated: { exitCode: 0, ...terminated } };
}

export const TIMES: ReadonlySet<string> = new Set([
  'startTime',
  'lastProbeTime',
  'lastTransitionTime',
  'startedAt',
  'finishedAt',
]);

/** Returns a copy with other times; those that become undefined are left out. */
function mapTimes<T>(status: T, change: (time: unknown) => unknown): T {
  return mapFields(status, (key, value) =>
    TIMES.has(key) && value !== undefined ? change(value) : value,
  );
}

/** Returns a copy with other fields, also in its lists and objects; those that become undefined are left out. */
export function mapFields<T>(value: T, change: (key: string, value: unknown) => unknown): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapFields(item, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const changed = mapFields(change(key, field), change);
    if (changed !== undefined) copy[key] = changed;
  }
  return copy as T;
}
