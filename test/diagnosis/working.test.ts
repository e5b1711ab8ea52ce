import { expect, it } from 'vitest';

import type { PodSpec } from '../../src/api/index.js';
import { diagnosePod } from '../../src/diagnosis/diagnosis.js';
import { diagnosisText } from '../../src/diagnosis/words.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { podLine } from '../helpers/traces.js';

const inPod = { pod: 'default/web' };
const server = buildContainer({ name: 'app', readinessProbe: buildProbe() });
const job = buildContainer({ name: 'job' });

function diagnosesAt(seconds: number, spec: Partial<PodSpec>) {
  const lines: readonly TraceLine[] = [
    podLine(buildPod({ spec: { restartPolicy: 'Never', ...spec } })),
    { t: 1, kind: 'started', ...inPod, container: 'app', run: 0 },
    { t: 1, kind: 'started', ...inPod, container: 'job', run: 0 },
    { t: 2, kind: 'exited', ...inPod, container: 'job', run: 0, exitCode: 0 },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  return diagnosePod(pods[0]!, seconds).map(diagnosisText);
}

it('an init container that listens is told to be a sidecar', () => {
  const init = buildContainer({ name: 'cache' });
  const run = { ...inPod, container: 'cache', run: 0 };
  const sockets = [{ address: '0.0.0.0', port: 6379 }];
  const lines: readonly TraceLine[] = [
    podLine(buildPod({ spec: { initContainers: [init], containers: [server] } })),
    { t: 1, kind: 'started', ...run },
    { t: 6, kind: 'listening', ...run, started: true, sockets, processes: ['redis-server'] },
    { t: 6, kind: 'output', ...run, stream: 'stdout', text: 'waiting for db' },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  expect(diagnosePod(pods[0]!, 12).map(diagnosisText)).toEqual([
    'the pod waits for cache: an init container has to end before the next one starts. Set its restartPolicy to Always if it serves the others, as a sidecar does',
  ]);
});

it('an init container that is connected to a server is told to ask whether that answers', () => {
  const init = buildContainer({ name: 'migrate' });
  const run = { ...inPod, container: 'migrate', run: 0 };
  const peers = [{ address: '10.0.0.5', port: 5432 }];
  const lines: readonly TraceLine[] = [
    podLine(buildPod({ spec: { initContainers: [init], containers: [server] } })),
    { t: 1, kind: 'started', ...run },
    { t: 6, kind: 'listening', ...run, started: true, sockets: [], processes: ['psql'], peers },
  ];
  const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
  expect(diagnosePod(pods[0]!, 12).map(diagnosisText)).toEqual([
    'the pod waits for migrate: an init container has to end before the next one starts; it is connected to 10.0.0.5:5432. Find what it waits for, perhaps an answer of 10.0.0.5:5432: see whether that comes, and give such calls a timeout of their own',
  ]);
});

it.each([
  ['startup', 8080, /\. Let it start without app, which starts after it/],
  ['startup', 9090, /\. Start what it connects to/],
  ['readiness', 8080, /\. Start what it connects to/],
] as const)(
  'a sidecar whose %s waits for port %i of a pod is told if that opens later',
  (probe, port, advice) => {
    const { exec: _, ...settings } = buildProbe();
    const http = { ...settings, httpGet: { path: '/', port: 8080 } };
    const app = buildContainer({ name: 'app', readinessProbe: http });
    const sidecar = buildContainer({
      ...{ name: 'proxy', restartPolicy: 'Always', [`${probe}Probe`]: http },
    });
    const run = { ...inPod, container: 'proxy', run: 0 };
    const body = `no upstream: connect ECONNREFUSED 127.0.0.1:${port}`;
    const lines = [
      podLine(buildPod({ spec: { initContainers: [sidecar], containers: [app] } })),
      { t: 1, kind: 'started', ...run },
      {
        ...{ t: 2, kind: 'attemptDone', ...run, probe, attempt: 1, tries: 1, latency: 1 },
        ...{ result: 'failure', lastResult: 'failure', resultRun: 1, threshold: 3, output: '' },
        ...{ statusCode: 503, reason: 'status' },
        detail: { timings: { total: 1 }, body: new TextEncoder().encode(body) },
      },
    ] as unknown as readonly TraceLine[];
    const { pods } = lines.reduce(fold, EMPTY_SUMMARY);
    expect(diagnosePod(pods[0]!, 3).map(diagnosisText)).toEqual([expect.stringMatching(advice)]);
  },
);

it('a container that has finished beside a server is why its pod is not ready', () => {
  expect(diagnosesAt(8, { containers: [server, job] })).toEqual([
    'job exited 1 × (exit 0): its command ended with success, and nothing restarts it: a pod is not ready while one of its containers has ended. Make it an init container, or run a command that does not end',
  ]);
});

it('a sidecar that ends with success is told what a sidecar does', () => {
  const sidecar = { ...job, restartPolicy: 'Always' } as const;
  expect(diagnosesAt(3, { initContainers: [sidecar], containers: [server] })).toEqual([
    expect.stringMatching(
      /^job exited 1 × .*Run a command that does not end, or remove its restartPolicy: Always if it has to end before the others$/,
    ),
  ]);
});

it.each([
  ['an init container', { initContainers: [job], containers: [server] }],
  ['one beside a container without readinessProbe', { containers: [buildContainer(), job] }],
])('%s that has finished has no diagnosis', (_, spec) => {
  expect(diagnosesAt(8, spec)).toEqual([]);
});
