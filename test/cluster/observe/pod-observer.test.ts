import { describe, expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';
import { diagnosePod } from '../../../src/diagnosis/diagnosis.js';
import { diagnosisText } from '../../../src/diagnosis/words.js';
import { decisionsOf } from '../../../src/trace/decisions.js';
import {
  readStream,
  type Received,
  type Watched,
  watchStream,
} from '../../helpers/cluster-stream.js';
import { clusterEvent, clusterPod } from '../../helpers/watched-cluster.js';

/** Recorded from a kubelet of v1.36.3. */
const [RESTARTS, READINESS] = [readStream('restarts'), readStream('readiness')];
const ENDS = readStream('ends');

const decisions = ({ lines }: Watched, name: string): string[] =>
  decisionsOf(lines)
    .filter(({ pod }) => pod.endsWith(`/${name}`))
    .map(({ container, what }) => `${container} ${what}`);

const diagnoses = ({ summary }: Watched, name: string, now: number): string[] =>
  summary.pods
    .filter(({ key }) => key.endsWith(`/${name}`))
    .flatMap((pod) => diagnosePod(pod, now).map(diagnosisText));

const pod = ({ summary }: Watched, name: string) =>
  summary.pods.find(({ key }) => key.endsWith(`/${name}`));

describe('a watch from the pod’s creation on', () => {
  it('sees each kill of a liveness probe, after its failures, and the back-off', () => {
    const watched = watchStream(RESTARTS, 0, 75);
    const killed = [
      'app killed: Container app failed liveness probe, will be restarted',
      'app ended with exit code 0',
    ];
    expect(decisions(watched, 'hang-live')).toEqual([
      'app starts',
      'app ready',
      ...[1, 2, 3].flatMap((run) => [...killed, `app starts again (run ${run})`]),
      ...killed,
      'app back-off of 20 s',
      'app not ready',
      'app starts again (run 4)',
      'app ready',
    ]);
    const probe = pod(watched, 'hang-live')?.containers[0]?.probes[0];
    expect(probe).toMatchObject({ failures: 12, successes: 0, lastResult: 'failure' });
    expect(
      probe?.attempts.map(({ run, resultRun, reason, evidence }) => [
        run,
        resultRun,
        reason,
        evidence,
      ]),
    ).toEqual([0, 1, 2, 3].flatMap((run) => [1, 2, 3].map((n) => [run, n, 'timeout', 'seen'])));
  });

  it('infers the successes that make a container started and ready', () => {
    const watched = watchStream(READINESS, 0, 20);
    expect(decisions(watched, 'slow-start')).toEqual(['app starts', 'app started', 'app ready']);
    expect(decisions(watched, 'init-side')).toEqual([
      'first starts',
      'first ended with exit code 0',
      'first ready',
      'side starts',
      'side started',
      'side ready',
      'app starts',
      'app ready',
      'app ended with exit code 0',
      'app not ready',
      'side ended with exit code 0',
      'side not ready',
    ]);
    expect(pod(watched, 'slow-start')?.containers[0]?.probes).toMatchObject([
      { type: 'startup', state: 'started', set: 'success', failures: 4, successes: 1 },
      { type: 'readiness', state: 'probing', set: 'success', failures: 0, successes: 1 },
      { type: 'liveness', state: 'probing', failures: 0, successes: 0 },
    ]);
  });

  it('names no divergence of a kubelet of the same version', () => {
    for (const stream of [RESTARTS, READINESS]) {
      for (const from of [0, 13, 30, 47]) {
        const { lines } = watchStream(stream, from);
        expect(lines.filter(({ kind }) => kind === 'divergence')).toEqual([]);
      }
    }
  });
});

describe('a watch that begins later', () => {
  it('tells from events why the container was restarted before', () => {
    const watched = watchStream(RESTARTS, 60);
    expect(pod(watched, 'hang-live')?.addedAt).toBeLessThan(0);
    const { killed, startedAt, endedAt } = pod(watched, 'hang-live')?.containers[0]?.runs[0] ?? {};
    expect(killed).toBe('Container app failed liveness probe, will be restarted');
    expect([startedAt, endedAt]).toEqual([37.229, 49.229]);
    expect(diagnoses(watchStream(RESTARTS, 60, 60), 'hang-live', 60)).toEqual([
      'app killed 4 ×: liveness 3 × timeout at 1 s; the command takes longer than the timeout of 1 s → CrashLoopBackOff of 20 s; starts again in 9.3 – 21 s. Let livenessProbe.exec.command end by itself, or raise livenessProbe.timeoutSeconds if it only needs longer',
    ]);
    expect(diagnoses(watchStream(RESTARTS, 60, 60), 'short-budget', 60)).toEqual([
      expect.stringMatching(
        /^app killed \d × while starting: startup 3 × refused; nothing listens on 127\.0\.0\.1:21105: /,
      ),
    ]);
  });

  it('takes failures in a row from the count of an event', () => {
    const watched = watchStream(READINESS, 40, 40);
    const [readiness] = pod(watched, 'wrong-path')?.containers[0]?.probes ?? [];
    expect(readiness).toMatchObject({ set: 'failure', lastResult: 'failure' });
    expect(readiness?.attempts.at(-1)).toMatchObject({ statusCode: 404, evidence: 'seen' });
    expect(readiness?.resultRun).toBeGreaterThan(10);
  });

  it('says the number of failures in one way, though it shows only the latest', () => {
    const { spec, ...web } = clusterPod('web', { ready: false });
    const readinessProbe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
    const containers = [{ name: 'app', image: 'web:1', readinessProbe }];
    const startedAt = Date.parse(web.status.containerStatuses[0]?.state.running.startedAt ?? '');
    const now = startedAt + 300_000;
    const [firstTimestamp, lastTimestamp] = [now - 234_000, now - 1000].map((time) =>
      new Date(time).toISOString(),
    );
    const message = 'Readiness probe failed: HTTP probe failed with statuscode: 404';
    const failed = clusterEvent('web', 'Unhealthy', message, 234);
    const stream = [
      { kind: 'pods', type: 'ADDED', now, object: { ...web, spec: { ...spec, containers } } },
      { kind: 'events', type: 'ADDED', now, object: { ...failed, firstTimestamp, lastTimestamp } },
    ];
    const watched = watchStream(stream as unknown as Received[]);
    const [readiness] = pod(watched, 'web')?.containers[0]?.probes ?? [];
    expect(readiness?.attempts.filter(({ result }) => result === 'failure')).toHaveLength(50);
    expect([readiness?.failures, readiness?.resultRun]).toEqual([234, 234]);
    expect(diagnoses(watched, 'web', 0)).toEqual([expect.stringContaining('234 × HTTP 404')]);
  });

  it('reports the same decisions from then on', () => {
    const runs = (watched: Watched) =>
      decisions(watched, 'crash-loop').filter((one) => !one.endsWith('ready'));
    const whole = runs(watchStream(RESTARTS));
    for (const from of [8, 17, 33, 52, 80]) {
      const part = runs(watchStream(RESTARTS, from));
      const [first = ''] = part;
      // The end of a run that the pod's status no longer shows is not known.
      expect(whole.slice(-part.length + 1)).toEqual(part.slice(1));
      expect(whole).toContain(first);
    }
  });
});

it('does not take what a probe’s command prints for a message of the kubelet', () => {
  const watched = watchStream(READINESS, 0, 18);
  const attempt = pod(watched, 'flap-ready')?.containers[0]?.probes[0]?.attempts.at(-1);
  expect(attempt?.output).toBe('db: connection refused\n');
  expect(attempt?.reason).toBeUndefined();
});

it('takes silence after a failure for a success, once', () => {
  const stream: Received[] = READINESS.filter(({ kind, object, now }) => {
    const isLate = now > (READINESS[0]?.now ?? 0) + 15_000;
    return kind === 'pods' || !isLate || object['involvedObject']?.['name'] !== 'flap-ready';
  }).filter(({ kind, object, now }) => {
    const isLate = now > (READINESS[0]?.now ?? 0) + 15_000;
    return kind === 'events' || !isLate || object['metadata']?.['name'] !== 'flap-ready';
  });
  const attempts = pod(watchStream(stream), 'flap-ready')?.containers[0]?.probes[0]?.attempts;
  expect(attempts?.map(({ result, evidence }) => [result, evidence])).toEqual([
    ['success', 'inferred'],
    ['failure', 'seen'],
    ['success', 'inferred'],
  ]);
});

it.each([
  ['has succeeded before, when its first failure comes late', { tcpSocket: { port: 1 } }, 20, 2],
  ['may not have, when it comes with the first attempt', { tcpSocket: { port: 1 } }, 5, 1],
  ['may not have, when a command goes on after its timeout', { exec: { command: ['a'] } }, 20, 1],
])('takes it that a liveness probe %s', (_, handler, seconds, attempts) => {
  const { spec, ...web } = clusterPod('web');
  const livenessProbe = { ...handler, periodSeconds: 5 };
  const containers = [{ name: 'app', image: 'web:1', livenessProbe }];
  const startedAt = web.status.containerStatuses[0]?.state.running.startedAt ?? '';
  const observer = new PodObserver();
  observer.pod({ ...web, spec: { ...spec, containers } }, Date.parse(startedAt));
  const failed = clusterEvent('web', 'Unhealthy', 'Liveness probe failed: no');
  const now = Date.parse(startedAt) + seconds * 1000;
  const lastTimestamp = new Date(now).toISOString();
  const events = observer.event({ ...failed, lastTimestamp }, now);
  const results = events.flatMap((one) => (one.kind === 'attemptDone' ? one.result : []));
  expect(results).toEqual(['success', 'failure'].slice(-attempts));
});

const diagnosed = (name: string, from: number, to: number): string[] => {
  const { summary } = watchStream(ENDS, from, to);
  return summary.pods
    .filter(({ key }) => key.includes(`/${name}-`))
    .flatMap((one) => diagnosePod(one, to).map(diagnosisText));
};

describe('a container of a cluster that ends again and again', () => {
  it('failed by its postStart hook, which a watch names from the start and later', () => {
    const hook = /^app killed \d ×: its postStart hook failed, so the kubelet killed it: /;
    for (const from of [0, 30, 60]) {
      const [diagnosis, ...others] = diagnosed('post', from, 62);
      expect(diagnosis).toMatch(hook);
      expect(diagnosis).toMatch(/Correct lifecycle\.postStart/);
      expect(others).toEqual([]);
    }
    expect(diagnosed('post', 0, 62)[0]).toContain("command 'sh -c exit 4' exited with 4");
  });

  it.each([
    [0, 70],
    [58, 70],
  ])('waits for its back-off of 40 s in a watch that begins after %i s', (from, to) => {
    expect(diagnosed('crash', from, to)[0]).toMatch(
      /CrashLoopBackOff of 40 s; starts again (?:in|within)/,
    );
  });

  it('that cannot be started waits for a back-off after each start but the first', () => {
    const backOffs = watchStream(ENDS).lines.filter(
      (line) => line.kind === 'backOff' && line.pod.includes('/runerr-'),
    );
    expect(backOffs).toMatchObject([10, 20, 40, 80].map((delay) => ({ delay })));
    expect(diagnosed('runerr', 0, 60)[0]).toMatch(/CrashLoopBackOff of 40 s; starts again in/);
  });
});

it('knows that a pod that is not ready was ready in the same run, when a watch begins late', () => {
  for (const from of [14, 26, 38]) {
    const { summary } = watchStream(readStream('flap'), from, from);
    const [found] = summary.pods.flatMap((one) => diagnosePod(one, from));
    expect(found).toMatchObject({ fault: { kind: 'flapping' }, changes: [] });
  }
});

it('names the postStart hook also where the event of this run was not sent', () => {
  const stream = ENDS.filter(({ kind, object }) => {
    const count = Number((object as { readonly count?: unknown }).count);
    return kind === 'pods' || count < 3;
  });
  const found = watchStream(stream, 60, 60)
    .summary.pods.filter(({ key }) => key.includes('/post-'))
    .flatMap((one) => diagnosePod(one, 60));
  expect(found).toMatchObject([{ fault: { kind: 'hookFailed', hook: 'postStart' } }]);
});
