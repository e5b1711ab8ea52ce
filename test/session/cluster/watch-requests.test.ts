import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { KubeletRef, KubeObject, ProbeCount } from '../../../src/cluster/types.js';
import { logReader, pollNodes } from '../../../src/session/cluster/watch-requests.js';
const NODE = {
  status: {
    addresses: [{ type: 'Hostname', address: 'node-1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_251 } },
  },
};
const COUNT: ProbeCount = {
  ...{ namespace: 'shop', pod: 'web', uid: 'uid-web', container: 'app', probe: 'readiness' },
  ...{ successful: 3, failed: 1, unknown: 0 },
};

it("asks a kubelet each 15 s, at its host name where the pod's address cannot be reached", async () => {
  const clock = new VirtualClock();
  const asked: KubeletRef[] = [];
  const counted: unknown[] = [];
  const stopping = new AbortController();
  pollNodes({
    clock,
    signal: stopping.signal,
    cluster: {
      get: () => Promise.resolve(NODE as unknown as KubeObject),
      probeCounts: (kubelet) => {
        asked.push(kubelet);
        return kubelet.host === 'node-1'
          ? Promise.resolve([COUNT, { ...COUNT, uid: 'other' }])
          : Promise.reject(new ClusterError('unreachable', 'connection refused'));
      },
    },
    pods: () => [{ uid: 'uid-web', node: 'node-1', hostIP: '10.0.0.1' }],
    onNode: () => undefined,
    onCounts: (counts, uid) => counted.push([uid, counts]),
    onDenied: (_, error) => {
      throw error;
    },
  });
  await clock.advance(14_000);
  expect(asked).toEqual([
    { host: '10.0.0.1', port: 10_251 },
    { host: 'node-1', port: 10_251 },
  ]);
  expect(counted).toEqual([['uid-web', [COUNT]]]);
  await clock.advance(2000);
  expect(counted).toHaveLength(2);
  stopping.abort();
});

it('asks for counts again after an outage, and tells of it once', async () => {
  const clock = new VirtualClock();
  const refused = new ClusterError('unauthorized', 'Unauthorized');
  const broken = new ClusterError('failed', 'Authorization error');
  const answers = [[COUNT], refused, broken, [COUNT]];
  const counted: string[] = [];
  const notes: string[] = [];
  const stopping = new AbortController();
  pollNodes({
    clock,
    signal: stopping.signal,
    cluster: {
      get: () => Promise.resolve(NODE as unknown as KubeObject),
      probeCounts: () => {
        const answer = answers.shift() ?? [];
        return answer instanceof ClusterError ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    pods: () => [{ uid: 'uid-web', node: 'node-1', hostIP: '10.0.0.1' }],
    onNode: () => undefined,
    onCounts: (counts) => counted.push(counts.map(({ pod }) => pod).join()),
    onDenied: (what, { message }) => notes.push(`${what}: ${message}`),
  });
  await clock.advance(50_000);
  expect(counted).toEqual(['web', 'web']);
  expect(notes).toEqual(['probeCounts: Unauthorized']);
  stopping.abort();
});

it('asks no kubelet at a port that is not known, while the API server is away', async () => {
  const clock = new VirtualClock();
  const asked: KubeletRef[] = [];
  const stopping = new AbortController();
  const nodes = [new ClusterError('timeout', 'no answer within 5 s'), NODE];
  pollNodes({
    clock,
    signal: stopping.signal,
    cluster: {
      get() {
        const node = nodes.shift();
        return node instanceof ClusterError
          ? Promise.reject(node)
          : Promise.resolve(node as unknown as KubeObject);
      },
      probeCounts: (kubelet) => {
        asked.push(kubelet);
        return Promise.resolve([]);
      },
    },
    pods: () => [{ uid: 'uid-web', node: 'node-1', hostIP: '10.0.0.1' }],
    onNode: () => undefined,
    onCounts: () => undefined,
    onDenied: (_, error) => {
      throw error;
    },
  });
  await clock.advance(14_000);
  expect(asked).toEqual([]);
  await clock.advance(2000);
  expect(asked).toEqual([{ host: '10.0.0.1', port: 10_251 }]);
  stopping.abort();
});

it.each([
  [
    'what the program wrote, and when',
    '2026-11-29T11:17:40.250000000Z 2 errors\n2026-11-29T12:17:41+01:00 no config\n',
    [
      { text: '2 errors', at: Date.UTC(2026, 10, 29, 11, 17, 40, 250) },
      { text: 'no config', at: Date.UTC(2026, 10, 29, 11, 17, 41) },
    ],
  ],
  ['a line without a time', 'no config\n', [{ text: 'no config' }]],
  [
    'no words of a kubelet whose container is gone',
    'unable to retrieve container logs for containerd://114fd163d9f4',
    undefined,
  ],
  ['no line, where it wrote none', '2026-11-29T11:17:40.250000000Z \n', []],
])('takes from the log of a crash %s', async (_, log, expected) => {
  const read = logReader({
    cluster: { log: () => Promise.resolve(log) },
    signal: new AbortController().signal,
    onDenied: (error) => {
      throw error;
    },
  });
  const ended = { kind: 'exited', pod: 'shop/web', container: 'app', run: 0, exitCode: 1 } as const;
  expect(await read(ended, 0)).toEqual(expected);
});

it('reads the logs of many pods that crash together, ten at once', async () => {
  let [pending, most] = [0, 0];
  const read = logReader({
    cluster: {
      async log() {
        most = Math.max(most, ++pending);
        await Promise.resolve();
        pending--;
        return 'no config\n';
      },
    },
    signal: new AbortController().signal,
    onDenied: (error) => {
      throw error;
    },
  });
  const crashed = Array.from({ length: 25 }, (_, n) => `shop/web-${n}`);
  const logs = await Promise.all(crashed.map((pod) => read({ pod, container: 'app', run: 0 }, 0)));
  expect(logs).toEqual(crashed.map(() => [{ text: 'no config' }]));
  expect(most).toBe(10);
});
