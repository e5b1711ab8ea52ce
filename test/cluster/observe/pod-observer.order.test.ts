import { expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';

const NOW = Date.UTC(2026, 0, 1);

const time = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

const podOf = (container: object, containerStatus: object, version: number) => ({
  metadata: { name: 'web', namespace: 'shop', uid: '1', resourceVersion: `${version}` },
  spec: { nodeName: 'one', containers: [{ name: 'app', image: 'app', ...container }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, ...containerStatus }],
  },
});

it('a failed postStart hook is reported before the end of the run that it killed', () => {
  const hook = { lifecycle: { postStart: { exec: { command: ['false'] } } } };
  const observer = new PodObserver();
  observer.pod(podOf(hook, { state: { waiting: { reason: 'ContainerCreating' } } }, 1), NOW);
  const terminated = { exitCode: 137, startedAt: time(1), finishedAt: time(2) };
  const waiting = { reason: 'PostStartHookError', message: 'false exited with 1' };
  const ended = podOf(hook, { state: { waiting }, lastState: { terminated }, restartCount: 1 }, 2);
  const kinds = observer.pod(ended, NOW + 3000).map(({ kind }) => kind);
  expect(kinds.filter((kind) => ['started', 'hookDone', 'exited'].includes(kind))).toEqual([
    ...['started', 'hookDone', 'exited'],
  ]);
});

it('a pause between failures of a container that is not ready is no success', () => {
  const probe = { readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 2 } };
  const observer = new PodObserver();
  const running = { state: { running: { startedAt: time(0) } }, started: true };
  observer.pod(podOf(probe, running, 1), NOW);
  const failure = (seconds: number, count: number) => ({
    metadata: { uid: 'e' },
    involvedObject: { uid: '1', fieldPath: 'spec.containers{app}' },
    type: 'Warning',
    reason: 'Unhealthy',
    message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
    count,
    firstTimestamp: time(0),
    lastTimestamp: time(seconds),
  });
  const events = [failure(0, 1), failure(7, 2)].flatMap((event, index) =>
    observer.event(event, NOW + index * 7000 + 500),
  );
  expect(events.flatMap((each) => (each.kind === 'attemptDone' ? each.result : []))).toEqual([
    ...['failure', 'failure'],
  ]);
});

it('a success that is long past comes before the status, from which on the pod has a diagnosis', () => {
  const probe = { livenessProbe: { exec: { command: ['check'] }, periodSeconds: 4 } };
  const observer = new PodObserver();
  const event = {
    metadata: { uid: 'e' },
    involvedObject: { uid: '1', fieldPath: 'spec.containers{app}' },
    ...{ type: 'Warning', reason: 'Unhealthy', message: 'Liveness probe failed: ', count: 1 },
    ...{ firstTimestamp: time(8), lastTimestamp: time(8) },
  };
  observer.event(event, NOW + 60_000);
  const running = { state: { running: { startedAt: time(0) } }, started: true, ready: true };
  const events = observer.pod(podOf(probe, running, 1), NOW + 60_000);
  expect(
    events.flatMap((each) =>
      each.kind === 'attemptDone' ? each.result : each.kind === 'status' ? each.kind : [],
    ),
  ).toEqual(['failure', 'success', 'status']);
});

it('takes no silence for a success that a late kprobe has yet to read about', () => {
  const probe = { livenessProbe: { exec: { command: ['check'] }, periodSeconds: 4 } };
  const observer = new PodObserver();
  const failure = (at: number) => ({
    metadata: { uid: `e${at}` },
    involvedObject: { uid: '1', fieldPath: 'spec.containers{app}' },
    ...{ type: 'Warning', reason: 'Unhealthy', message: 'Liveness probe failed: ', count: 1 },
    ...{ firstTimestamp: time(at), lastTimestamp: time(at) },
  });
  const running = { state: { running: { startedAt: time(0) } }, started: true, ready: true };
  const events = [
    ...observer.event(failure(8), NOW + 8_000),
    ...observer.pod(podOf(probe, running, 1), NOW + 8_000),
    ...observer.elapsed(NOW + 9_000),
    // Its next second comes late, and the failure of 12 s after that.
    ...observer.elapsed(NOW + 18_000),
    ...observer.event(failure(12), NOW + 18_100),
    // Then none is reported for long enough.
    ...[19, 20, 21].flatMap((at) => observer.elapsed(NOW + at * 1000)),
  ];
  const results = events.flatMap((each) => (each.kind === 'attemptDone' ? each.result : []));
  expect(results).toEqual(['failure', 'failure', 'success']);
});
