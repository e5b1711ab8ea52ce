import { describe, expect, it } from 'vitest';

import { setDefaultsPod, setDefaultsPodSpec } from '../../src/api/decode/index.js';
import type { Pod } from '../../src/api/index.js';
import { decodeRecord } from '../../src/trace/read-trace.js';
import { encodeLine, type TraceRecord } from '../../src/trace/trace-record.js';
import { buildContainerStatus, buildPod, buildProbe } from '../helpers/builders.js';
import { buildAttemptDone, buildEnd, HEADER } from '../helpers/traces.js';

const inPod = { pod: 'default/web' };
const inRun = { ...inPod, container: 'app', run: 1 };
const ofProbe = { ...inPod, container: 'app', probe: 'startup' } as const;
const bare = buildPod({
  spec: { containers: [{ name: 'app', image: 'a:1', livenessProbe: buildProbe() }] },
});
const pod = { ...bare, spec: setDefaultsPod(setDefaultsPodSpec(bare.spec)) as Pod['spec'] };

const RECORDS: readonly TraceRecord[] = [
  { ...HEADER, realRestarts: ['app'], startedAt: '2026-01-02T03:04:05.678Z', kubeletAge: 60 },
  buildEnd(),
  { t: 1, kind: 'pod', ...inPod, object: pod },
  { t: 1, kind: 'action', ...inPod, do: 'delete' },
  { t: 1, kind: 'gone', ...inPod },
  { t: 1, kind: 'runtime', up: false, error: 'ECONNREFUSED', server: 'https://10.0.0.1' },
  { t: 1, kind: 'runPodSandbox', ...inPod, attempt: 0 },
  { t: 1, kind: 'stopPodSandbox', ...inPod },
  { t: 1, kind: 'started', ...inRun },
  { t: 1, kind: 'startFailed', ...inRun, error: 'no such file' },
  { t: 1, kind: 'stop', ...inRun, gracePeriod: 30 },
  { t: 1, kind: 'exited', ...inRun, exitCode: 137, reason: 'OOMKilled' },
  { t: 1, kind: 'output', ...inRun, stream: 'stderr', text: 'a\u2028b' },
  { t: 1, kind: 'exec', ...inRun, command: 'check me' },
  { t: 1, kind: 'execDone', ...inRun, command: 'check me', exit: 0 },
  { t: 1, kind: 'execDone', ...inRun, command: 'check me', timedOut: true },
  { t: 1, kind: 'restartAsked', ...inRun },
  { t: 1, kind: 'event', ...inPod, type: 'Warning', reason: 'Unhealthy', message: 'm' },
  {
    t: 1,
    kind: 'status',
    ...inPod,
    phase: 'Running',
    reason: '',
    conditions: { Ready: 'False' },
    containers: [{ name: 'app', ready: false, restartCount: 0, state: 'running', lastState: '' }],
    initContainers: [],
    podStatus: {
      phase: 'Running',
      startTime: 1000,
      podIPs: ['10.0.0.1'],
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: 3000 }],
      containerStatuses: [
        buildContainerStatus({ ready: false, restartCount: 0, started: false }),
        buildContainerStatus({
          state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: 5000 } },
          lastTerminationState: { waiting: { reason: 'x' } },
        }),
      ],
    },
  },
  { t: 1, kind: 'attempt', ...ofProbe, attempt: 3, containerID: 'x://1', trigger: 'user' },
  buildAttemptDone(),
  buildAttemptDone({ at: -3, evidence: 'seen', latestTick: 11 }),
  { t: 1, kind: 'counted', ...ofProbe, successful: 3, failed: 1, unknown: 0 },
  { t: 1, kind: 'started', ...inRun, at: -60, evidence: 'inferred' },
  {
    t: 1,
    kind: 'event',
    ...inPod,
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'm',
    firstAt: -9,
    at: 0,
    count: 3,
  },
  { t: 1, kind: 'divergence', ...inPod, expected: 'e', happened: 'h', cause: 'c' },
  {
    t: 1,
    kind: 'workload',
    workload: 'deployment/web',
    namespace: 'default',
    sentence: 's',
    done: false,
    failed: true,
    replicas: { desired: 3, current: 4, updated: 1, ready: 3, available: 3 },
  },
  buildAttemptDone({
    detail: {
      address: '127.0.0.1:80',
      body: new TextEncoder().encode('naïve'),
      timings: { connect: 1, total: 2 },
    },
  }),
  buildAttemptDone({
    error: 'x',
    detail: { address: 'a', body: new Uint8Array([255, 0]), timings: { total: 2 } },
  }),
  { t: 1, kind: 'worker', ...ofProbe, state: 'initialDelay', nextTick: 2, until: 3 },
  {
    t: 1,
    kind: 'actions',
    ...inPod,
    killPod: false,
    createSandbox: false,
    containersToStart: [{ name: 'app' }],
    containersToKill: [{ name: 'app', message: 'm', reason: 'LivenessProbe' }],
  },
  { t: 1, kind: 'backOff', ...inPod, container: 'app', delay: 10, until: 11 },
  { t: 1, kind: 'hook', ...inPod, container: 'app', hook: 'preStop' },
  { t: 1, kind: 'hookDone', ...inPod, container: 'app', hook: 'preStop', error: 'e' },
  { t: 1, kind: 'note', level: 'info', text: 'n' },
  { t: 1, kind: 'runtime', up: false, error: 'gone' },
];

describe('decodeRecord', () => {
  it.each(RECORDS.map((record) => [record.kind, record] as const))(
    'reads what encodeLine wrote: %s',
    (_, record) => {
      expect(decodeRecord(encodeLine(record))).toEqual({ kind: 'record', record });
    },
  );

  it('reads a pod that an API server would reject, since a kubelet may have run it', () => {
    const refused = { ...pod, spec: { ...pod.spec, containers: [{ ...APP, image: 'app:1 ' }] } };
    expect(decodeRecord(JSON.stringify(withPod(refused)))).toMatchObject({ kind: 'record' });
  });

  it('ignores unknown fields of later versions', () => {
    const line = JSON.stringify({ t: 1, kind: 'note', level: 'info', text: 'n', colour: 'red' });
    const record = { t: 1, kind: 'note', level: 'info', text: 'n' };
    expect(decodeRecord(line)).toEqual({ kind: 'record', record });
  });

  it('returns unknown kinds as such', () => {
    expect(decodeRecord('{"t":1,"kind":"toString"}')).toEqual({
      kind: 'unknown',
      name: 'toString',
    });
  });
});

const attempt = { ...buildAttemptDone() };
const APP = { name: 'app', image: 'app:1' };
const withPod = (object: unknown): unknown => ({ t: 0, kind: 'pod', pod: 'a/b', object });

describe('decodeRecord reports', () => {
  it.each<[string, unknown, string]>([
    ['a list', [1], 'not a trace line: it must be an object'],
    [
      'an exit code above 255',
      { ...buildEnd(), exitCode: 256 },
      'end: exitCode must be an exit code from 0 to 255, not 256',
    ],
    [
      'an exit code below 0',
      { ...buildEnd(), exitCode: -1 },
      'end: exitCode must be an exit code from 0 to 255, not -1',
    ],
    ['no kind', { t: 1 }, 'not a trace line: kind is missing'],
    ['no time', { kind: 'note' }, 'not a trace line: t is missing'],
    ['a missing field', { t: 1, kind: 'note', level: 'info' }, 'note: text is missing'],
    [
      'a field of another type',
      { ...attempt, latency: '12' },
      'attemptDone: latency must be a number, not "12"',
    ],
    [
      'an unknown value of an enumeration',
      { ...attempt, probe: 'life' },
      'attemptDone: probe must be one of "startup", "readiness", "liveness", not "life"',
    ],
    [
      'a wrong nested field',
      { ...attempt, detail: { address: 'x', timings: { total: null } } },
      'attemptDone: detail.timings.total must be a number, not null',
    ],
    [
      'a wrong list element',
      {
        t: 1,
        kind: 'actions',
        ...inPod,
        killPod: true,
        createSandbox: true,
        containersToStart: [2],
      },
      'actions: containersToStart[0] must be an object, not 2',
    ],
    [
      'a pod with an invalid probe',
      withPod({
        ...pod,
        spec: { ...pod.spec, containers: [{ ...APP, livenessProbe: { periodSeconds: -1 } }] },
      }),
      'pod: object.spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a period of zero, which no kubelet gets',
      withPod({
        ...pod,
        spec: { ...pod.spec, containers: [{ ...APP, livenessProbe: { periodSeconds: 0 } }] },
      }),
      'pod: periodSeconds: must be greater than 0',
    ],
    [
      'an init container that is null',
      withPod({ ...pod, spec: { ...pod.spec, initContainers: [null] } }),
      'pod: object.spec.initContainers[0] must be an object, not null',
    ],
    [
      'a null in a container',
      withPod({ ...pod, spec: { ...pod.spec, containers: [{ ...APP, ports: [null] }] } }),
      'pod: object.spec.containers[0].ports[0] is null: leave it out',
    ],
    ['a pod without a name', withPod({ metadata: {} }), 'pod: object.metadata.name is missing'],
    [
      'a pod without containers',
      withPod({ metadata: pod.metadata, spec: {} }),
      'pod: object.spec.containers is missing',
    ],
    [
      'a pod field of the wrong type',
      withPod({ ...pod, spec: { ...pod.spec, hostNetwork: 'yes' } }),
      'pod: object.spec.hostNetwork: json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
  ])('%s', (_, value, message) => {
    expect(decodeRecord(JSON.stringify(value))).toEqual({ kind: 'problem', message });
  });

  it('a line that is not JSON', () => {
    expect(decodeRecord('{"t":1,')).toMatchObject({
      kind: 'problem',
      message: expect.stringMatching(/^not JSON: /) as string,
    });
  });
});
