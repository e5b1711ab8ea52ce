import { expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { fc, RUNS_FACTOR, SEED } from '../helpers/property.js';
import { expectNoRawBytes } from '../helpers/raw-bytes.js';
import { clusterEvent, clusterPod, startWatchedCluster } from '../helpers/watched-cluster.js';

const RUNS = 10 * RUNS_FACTOR;
const HOSTILE = '\x1b]52;c;AAAA\x07\u202e\u0000\u009b31m';

/** Of another type, out of range, long, deep, or hostile text. */
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, 9_007_199_254_740_993, '', '0', '1e999', HOSTILE, '__proto__'],
  ...['2026-13-45T99:99:99Z', '9999-12-31T23:59:59Z', 'x'.repeat(100_000), '-1s', 'Infinity'],
  ...[[], [null], [[]], {}, { '': null }, { [HOSTILE]: HOSTILE }, { length: -1 }],
  Array(10_000).fill({ name: 'app', type: 'Ready', image: 'a' }),
  JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`),
];

const POD = clusterPod('web', { ready: false });
const OBJECTS = {
  pods: {
    ...POD,
    metadata: {
      ...POD.metadata,
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', uid: 'u', controller: true }],
      labels: { app: 'web' },
      annotations: { a: 'b' },
    },
    spec: {
      ...POD.spec,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      readinessGates: [{ conditionType: 'example.com/ready' }],
      initContainers: [{ name: 'init', image: 'init:1', restartPolicy: 'Always' }],
      volumes: [{ name: 'v', configMap: { name: 'c' } }],
      tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }],
    },
    status: {
      ...POD.status,
      podIP: '127.0.0.1',
      hostIP: '10.0.0.1',
      podIPs: [{ ip: '127.0.0.1' }],
      qosClass: 'Burstable',
      initContainerStatuses: [
        {
          ...{ name: 'init', ready: true, restartCount: 1, image: 'i', imageID: '', started: true },
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
          lastState: { terminated: { exitCode: 1, reason: 'Error', signal: 0, finishedAt: 'x' } },
        },
      ],
    },
  },
  events: { ...clusterEvent('web', 'Unhealthy', 'Readiness probe failed: x', 3), series: {} },
  nodes: {
    metadata: { name: 'node-1', resourceVersion: '3' },
    spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: { kubeletVersion: 'v1.34.1' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    },
  },
};

type Path = readonly string[];

function pathsOf(node: unknown, path: Path = []): readonly Path[] {
  if (typeof node !== 'object' || node === null) return [path];
  const below = Object.entries(node).flatMap(([key, value]) => pathsOf(value, [...path, key]));
  return [path, ...below];
}

/** Returns a copy in which the value at a path is another one. */
function replaced(node: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = structuredClone(node) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}

/** `name` and `namespace` choose the object that is served. */
const FIELDS = pathsOf(OBJECTS).filter((path) => path.length > 1 && path[2] !== 'name');

const COMMANDS = [
  ['once', '--kube', 'pod/web', '--timeout', '1s'],
  ['watch', 'pod/web', '--plain', '--for', '1s'],
  ['run', '--kube', 'pod/web', '--plain', '--for', '1s'],
] as const;

async function attack(path: Path, value: unknown, command: readonly string[]): Promise<void> {
  const objects = replaced(OBJECTS, path, value) as typeof OBJECTS;
  const lists = Object.fromEntries(Object.entries(objects).map(([name, each]) => [name, [each]]));
  const cluster = await startWatchedCluster(lists);
  try {
    const end = await inProcess([...command, '-n', 'shop', '--server', cluster.url], {
      env: { KUBECONFIG: '/dev/null' },
    });
    expectNoRawBytes('standard output', end.stdout);
    expectNoRawBytes('standard error', end.stderr);
    expect(end.stderr).not.toMatch(/\bundefined\b|\[object /);
  } finally {
    cluster.close();
  }
}

it(`commands get through wrong values in what an API server serves (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...FIELDS),
    fc.constantFrom(...VALUES),
    fc.constantFrom(...COMMANDS),
    attack,
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
