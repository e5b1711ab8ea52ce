import { expect, it } from 'vitest';

import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildPod, buildProbe } from '../../helpers/builders.js';
import { buildAttemptDone, podLine } from '../../helpers/traces.js';

const object = buildPod({
  spec: { containers: [{ name: 'app', image: 'a:1', readinessProbe: buildProbe() }] },
});
const inRun = { pod: 'default/web', container: 'app', run: 0 };
const summaryOf = (...lines: readonly TraceLine[]) =>
  [{ ...podLine(object), at: -90 }, ...lines].reduce(fold, EMPTY_SUMMARY);

it('takes the times of a cluster instead of the time of the line', () => {
  const [pod] = summaryOf(
    { t: 1, kind: 'started', ...inRun, at: -80 },
    { ...buildAttemptDone({ result: 'failure', at: -2, evidence: 'seen', latestTick: 12 }) },
    { t: 2, kind: 'exited', ...inRun, exitCode: 1, at: 1 },
  ).pods;
  expect(pod?.addedAt).toBe(-90);
  const [app] = pod?.containers ?? [];
  expect(app?.runs).toMatchObject([{ startedAt: -80, endedAt: 1 }]);
  expect(app?.probes).toMatchObject([
    { latestTick: 12, failures: 1, attempts: [{ startedAt: -2, endedAt: -2, evidence: 'seen' }] },
  ]);
});

it.each([
  ['other facts change', [8080], 1],
  ['it opens another socket', [8080, 9090], 3],
])('keeps since when a run listens on its sockets: %s', (_, ports, t) => {
  const listening = (seenAt: number, open: readonly number[], throttled: number) => {
    const sockets = open.map((port) => ({ address: '::', port }));
    const facts = { started: true, sockets, processes: ['server'], throttled };
    return { t: seenAt, kind: 'listening', ...inRun, ...facts } as const;
  };
  const [pod] = summaryOf(
    { t: 0, kind: 'started', ...inRun },
    listening(1, [8080], 0.1),
    listening(3, ports, 0.2),
  ).pods;
  expect(pod?.containers[0]?.runs).toMatchObject([{ listening: { t, throttled: 0.2 } }]);
});

it('counts an attempt once that the kubelet reports and counts', () => {
  const counted = { pod: 'default/web', container: 'app', probe: 'readiness' } as const;
  const [pod] = summaryOf(
    buildAttemptDone({ result: 'failure', evidence: 'seen' }),
    { t: 2, kind: 'counted', ...counted, successful: 5, failed: 1, unknown: 0 },
    { t: 3, kind: 'counted', ...counted, successful: 2, failed: 0, unknown: 0 },
  ).pods;
  expect(pod?.containers[0]?.probes).toMatchObject([
    { successes: 7, failures: 1, counted: { successful: 7, failed: 1, unknown: 0 } },
  ]);
});

it('takes the count of an event from the cluster', () => {
  const event = {
    kind: 'event',
    pod: 'default/web',
    type: 'Warning',
    reason: 'Unhealthy',
  } as const;
  const [pod] = summaryOf(
    { t: 1, ...event, message: 'm', firstAt: -60, at: -1, count: 7 },
    { t: 2, ...event, message: 'm', firstAt: -60, at: 2, count: 8 },
  ).pods;
  expect(pod?.events).toMatchObject([{ message: 'm', count: 8, firstAt: -60, lastAt: 2 }]);
});

it('keeps the latest sentence of each workload and the first divergence of each pod', () => {
  const rollout = { kind: 'workload', workload: 'deployment/web', namespace: 'default' } as const;
  const diverged = { kind: 'divergence', pod: 'default/web', expected: 'e' } as const;
  const { workloads, pods } = summaryOf(
    { t: 1, ...rollout, sentence: 'waits', done: false, failed: false },
    { t: 2, ...diverged, happened: 'first' },
    { t: 3, ...rollout, sentence: 'complete', done: true, failed: false },
    { t: 4, ...diverged, happened: 'second' },
  );
  expect(workloads).toMatchObject([{ t: 3, sentence: 'complete', done: true }]);
  expect(pods[0]?.divergence).toMatchObject({ t: 2, happened: 'first' });
});

it.each([
  { over: 'silent', left: undefined },
  { over: 'other', left: 'silent' },
])('keeps no divergence that is over: $over', ({ over, left }) => {
  const diverged = { kind: 'divergence', pod: 'default/web', expected: 'e' } as const;
  const { pods } = summaryOf(
    { t: 1, ...diverged, happened: 'silent' },
    { t: 2, ...diverged, happened: over, over: true },
  );
  expect(pods[0]?.divergence?.happened).toBe(left);
});

it('keeps the replicas at each change of the latest rollout', () => {
  const rollout = { kind: 'workload', workload: 'deployment/web', namespace: 'default' } as const;
  const at = (t: number, updated: number, done = false): TraceLine => ({
    ...{ t, ...rollout, sentence: '', done, failed: false },
    replicas: { desired: 2, current: 2, updated, ready: 2, available: 2 },
  });
  const seen = [at(1, 1), at(2, 1), at(3, 2, true), at(60, 2), at(61, 1)];
  const historyAfter = (count: number): readonly object[] | undefined =>
    summaryOf(...seen.slice(0, count)).workloads[0]?.history.map(({ t, updated }) => ({
      t,
      updated,
    }));
  expect(historyAfter(3)).toEqual([
    { t: 1, updated: 1 },
    { t: 3, updated: 2 },
  ]);
  expect(historyAfter(4)).toEqual([]);
  expect(historyAfter(5)).toEqual([{ t: 61, updated: 1 }]);
});

it('keeps no more than 500 changes of replicas', () => {
  const lines = Array.from({ length: 600 }, (_, t): TraceLine => {
    const replicas = { desired: 9, current: 9, ready: t % 2, available: 0 };
    const rollout = { kind: 'workload', workload: 'replicaset/web', namespace: 'default' } as const;
    return { t, ...rollout, sentence: '', done: false, failed: false, replicas };
  });
  const history = summaryOf(...lines).workloads[0]?.history ?? [];
  expect([history.length, history[0]?.t, history.at(-1)?.t]).toEqual([500, 100, 599]);
});

it('counts a restart with the start of a run, before the status that says so', () => {
  const status = (t: number, restartCount: number): TraceLine => ({
    ...{ t, kind: 'status' as const, pod: inRun.pod, phase: 'Running', reason: '' },
    ...{ conditions: {}, initContainers: [], podStatus: {} },
    containers: [
      { name: 'app', ready: true, started: true, restartCount, state: 'running', lastState: '' },
    ],
  });
  const lines: TraceLine[] = [
    { t: 1, kind: 'started', ...inRun },
    status(2, 0),
    { t: 3, kind: 'exited', ...inRun, exitCode: 1 },
    { t: 4, kind: 'started', ...inRun, run: 1 },
    status(4.5, 0),
    status(5, 1),
  ];
  const counts = lines.map((_, index) => {
    const [pod] = summaryOf(...lines.slice(0, index + 1)).pods;
    return pod?.containers[0]?.restartCount;
  });
  expect(counts).toEqual([0, 0, 0, 1, 1, 1]);
});

it("takes the time of a log's line instead of the time at which it was read", () => {
  const output = { kind: 'output', ...inRun, stream: 'stderr' } as const;
  const [pod] = summaryOf(
    { t: 9, ...output, text: 'no config', at: -7.5 },
    { t: 9, ...output, text: 'bye' },
  ).pods;
  expect(pod?.containers[0]?.output.map(({ t }) => t)).toEqual([-7.5, 9]);
});
