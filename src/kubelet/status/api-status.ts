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
  const converted = mapTimes(status, (time) => rfc3339(time as number));
  return compact({
    ...converted,
    conditions: converted.conditions?.map((c) =>
      compact({ lastProbeTime: null, lastTransitionTime: null, ...c }),
    ),
    containerStatuses: converted.containerStatuses?.map(apiContainerStatus),
    hostIPs: converted.hostIPs?.map((ip) => ({ ip })),
    initContainerStatuses: converted.initContainerStatuses?.map(apiContainerStatus),
    podIPs: converted.podIPs?.map((ip) => ({ ip })),
  });
}

function apiContainerStatus({ lastTerminationState, ...status }: ContainerStatus): object {
  const lastState = apiState(lastTerminationState);
  return compact({ ...status, lastState, state: apiState(status.state) });
}

/** Converts a state, in which absent times become null. */
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
export function parseApiStatus(decoded: Decoded<v1.PodStatus>): PodStatus {
  const status = mapTimes(decoded, (time) => parseTime(time as string));
  // The API's types have strings where PodStatus has unions.
  return omitUndefined({
    ...status,
    conditions: status.conditions?.map((c) => ({ type: '', status: 'Unknown', ...c })),
    hostIPs: status.hostIPs?.map(({ ip = '' }) => ip),
    podIPs: status.podIPs?.map(({ ip = '' }) => ip),
    initContainerStatuses: status.initContainerStatuses?.map(parseContainerStatus),
    containerStatuses: status.containerStatuses?.map(parseContainerStatus),
  }) as unknown as PodStatus;
}

/** Values of required fields that are absent. */
const EMPTY_CONTAINER_STATUS = { name: '', ready: false, restartCount: 0, image: '', imageID: '' };

function parseContainerStatus(decoded: Decoded<v1.ContainerStatus>): object {
  const { lastState, ...status } = { ...EMPTY_CONTAINER_STATUS, ...decoded };
  return {
    ...status,
    state: parseState(status.state),
    lastTerminationState: parseState(lastState),
  };
}

function parseState({ waiting, running, terminated }: Decoded<v1.ContainerState> = {}): object {
  if (waiting !== undefined) return { waiting };
  if (running !== undefined) return { running };
  return terminated === undefined ? {} : { terminated: { exitCode: 0, ...terminated } };
}

/** Names of the fields that hold times. */
export const TIME_FIELDS: ReadonlySet<string> = new Set([
  'startTime',
  'lastProbeTime',
  'lastTransitionTime',
  'startedAt',
  'finishedAt',
]);

/** Returns a copy with changed times, without those that become undefined. */
function mapTimes<T>(status: T, change: (time: unknown) => unknown): T {
  return mapFields(status, (key, value) =>
    TIME_FIELDS.has(key) && value !== undefined ? change(value) : value,
  );
}

/** Returns a copy with changed fields at any depth, without those that become undefined. */
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
