import { decode, setDefaultsPod, setDefaultsPodSpec } from '../../api/decode/index.js';
import { JsonReader, LAST_APPLIED, type Pod, type PodStatus } from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';
import { jsonNodeOf } from '../../go/json.js';
import { parseApiStatus } from '../../kubelet/status/api-status.js';

export interface DecodedPod {
  readonly pod: Pod;
  readonly status: PodStatus;
  /** Milliseconds since the epoch. */
  readonly createdAt: number | undefined;
  /** Text that differs when more than the status has changed. */
  readonly version: string;
}

/** Decodes a pod that an API server has admitted: it is not validated, and odd fields are left out. */
export function decodePod(object: unknown): DecodedPod {
  const { value } = decode(jsonNodeOf(object), 'Pod');
  const { creationTimestamp, managedFields: _, ...metadata } = value.metadata ?? {};
  const { [LAST_APPLIED]: __, ...annotations } = metadata.annotations ?? {};
  const named = (container: object): object => ({ name: '', image: '', ...container });
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
    // Times stay texts here: the kubelet only reads whether they are set.
  } as unknown as Pod;
  const { resourceVersion: ___, ...same } = metadata;
  return {
    pod,
    status: parseApiStatus(value.status ?? {}),
    createdAt: parseTime(creationTimestamp ?? ''),
    version: JSON.stringify([same, value.spec]),
  };
}

/** An event of the API server about a pod, with the number of its repetitions. */
export interface ClusterEvent {
  readonly id: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly fieldPath: string;
  readonly container: string;
  readonly count: number;
  /** Milliseconds since the epoch, in whole seconds of the node's clock. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}

/** Reads a v1.Event: of the older kind with a count, or with a series. */
export function readClusterEvent(object: unknown): ClusterEvent {
  const event = new JsonReader(object);
  const [metadata, series] = [event.in('metadata'), event.in('series')];
  const fieldPath = event.in('involvedObject').text('fieldPath');
  const firstAt =
    parseTime(event.text('firstTimestamp')) ??
    parseTime(event.text('eventTime')) ??
    parseTime(metadata.text('creationTimestamp'));
  const lastAt =
    parseTime(series.text('lastObservedTime')) ?? parseTime(event.text('lastTimestamp'));
  return {
    id: metadata.text('uid') || metadata.text('name'),
    type: event.text('type') === 'Warning' ? 'Warning' : 'Normal',
    reason: event.text('reason'),
    message: event.text('message'),
    fieldPath,
    container: /\{(.*)\}$/.exec(fieldPath)?.[1] ?? '',
    count: Math.max(1, event.number('count'), series.number('count')),
    firstAt,
    lastAt: lastAt ?? firstAt,
  };
}
