import {
  decode,
  type Pod,
  type PodStatus,
  setDefaultsPod,
  setDefaultsPodSpec,
} from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';
import { jsonNodeOf } from '../../go/json.js';
import { parseApiStatus } from '../../kubelet/status/api-status.js';

export interface DecodedPod {
  /** Without a status. */
  readonly pod: Pod;
  readonly status: PodStatus;
  readonly createdAt: number | undefined;
  /** Text that differs when more than the status has changed. */
  readonly version: string;
}

/** Where `kubectl apply` repeats the whole manifest. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Decodes a pod of an API server, which has admitted it: it is not validated, and odd fields are left out. */
export function decodePod(object: unknown): DecodedPod {
  const { value } = decode(jsonNodeOf(object), 'Pod');
  const { creationTimestamp, managedFields: _, ...metadata } = value.metadata ?? {};
  const { [LAST_APPLIED]: __, ...annotations } = metadata.annotations ?? {};
  const named = (one: object): object => ({ name: '', image: '', ...one });
  const spec = setDefaultsPod(
    setDefaultsPodSpec({
      ...value.spec,
      containers: (value.spec?.containers ?? []).map(named),
      ...(value.spec?.initContainers && { initContainers: value.spec.initContainers.map(named) }),
    }),
  );
  const pod = {
    metadata: { name: '', namespace: '', uid: '', ...metadata, annotations },
    spec,
    status: {},
    // Times stay texts here; the kubelet reads no more than their presence.
  } as unknown as Pod;
  const { resourceVersion: ___, ...same } = metadata;
  return {
    pod,
    status: parseApiStatus(value.status ?? {}),
    createdAt: parseTime(creationTimestamp ?? ''),
    version: JSON.stringify([same, value.spec]),
  };
}

/** An event of the API server about a pod, repetitions counted. */
export interface ReportedEvent {
  readonly id: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly fieldPath: string;
  /** Empty when it is about the pod. */
  readonly container: string;
  readonly count: number;
  /** Milliseconds since the epoch, in whole seconds of the node's clock. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}

/** Reads a v1.Event: of the older kind with a count, or with a series. */
export function readEvent(object: unknown): ReportedEvent {
  const event = fieldsOf(object);
  const [metadata, series] = [fieldsOf(event['metadata']), fieldsOf(event['series'])];
  const fieldPath = textOf(fieldsOf(event['involvedObject'])['fieldPath']);
  const first = timeOf(event['firstTimestamp'], event['eventTime'], metadata['creationTimestamp']);
  return {
    id: textOf(metadata['uid']) || textOf(metadata['name']),
    type: event['type'] === 'Warning' ? 'Warning' : 'Normal',
    reason: textOf(event['reason']),
    message: textOf(event['message']),
    fieldPath,
    container: /\{(.*)\}$/.exec(fieldPath)?.[1] ?? '',
    count: Math.max(1, numberOf(event['count']), numberOf(series['count'])),
    firstAt: first,
    lastAt: timeOf(series['lastObservedTime'], event['lastTimestamp']) ?? first,
  };
}

/** Returns the fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Returns the first that is a time, in milliseconds since the epoch. */
export function timeOf(...values: readonly unknown[]): number | undefined {
  return values.map((value) => parseTime(textOf(value))).find((time) => time !== undefined);
}
