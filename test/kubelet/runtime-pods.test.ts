import { expect, test } from 'vitest';

import type { Pod } from '../../src/api/index.js';
import { RuntimePods, statusOf } from '../../src/kubelet/runtime-pods.js';

const SPEC = { name: 'app', image: 'app:1' };
const POD = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { containers: [SPEC], restartPolicy: 'Always' },
  status: {},
} as unknown as Pod;

function container(id: string, sandboxID: string) {
  const config = {
    ...{ pod: POD, container: SPEC, sandboxID, restartCount: 0 },
    ...{ hash: 'h', imageRef: 'app:1', podIPs: [] },
  };
  const state = 'running' as const;
  return { id, config, state, status: () => statusOf({ id, config, state }, {}) };
}

function podsWithTwoSandboxes() {
  const pods = new RuntimePods<ReturnType<typeof container>>();
  const [first, second] = [pods.addSandbox(POD, 0), pods.addSandbox(POD, 1)];
  pods.add(container('c1', first));
  pods.add(container('c2', second));
  return { pods, first, second };
}

test('lists the sandboxes and containers of a pod, newest first', () => {
  const { pods, first, second } = podsWithTwoSandboxes();
  expect(pods.list()).toEqual([
    {
      uid: 'u1',
      containers: [
        { id: 'c2', name: 'app', state: 'running', sandboxID: second },
        { id: 'c1', name: 'app', state: 'running', sandboxID: first },
      ],
      sandboxes: [
        { id: second, state: 'ready' },
        { id: first, state: 'ready' },
      ],
    },
  ]);
});

test('a pod has no addresses while its latest sandbox is stopped', () => {
  const { pods, second } = podsWithTwoSandboxes();
  expect(pods.status('u1', ['10.0.0.1']).ips).toEqual(['10.0.0.1']);
  pods.stopSandbox(second);
  expect(pods.status('u1', ['10.0.0.1']).ips).toEqual([]);
});

test('stopping a sandbox returns only the containers in it', () => {
  const { pods, first } = podsWithTwoSandboxes();
  expect(pods.stopSandbox(first).map(({ id }) => id)).toEqual(['c1']);
});

test('a pod without sandboxes and containers is not listed', () => {
  const { pods, first, second } = podsWithTwoSandboxes();
  for (const id of [first, second]) pods.removeSandbox(id);
  for (const id of ['c1', 'c2']) pods.remove(id);
  expect(pods.list()).toEqual([]);
});

test('asking for a container that was removed throws its absence', () => {
  const { pods } = podsWithTwoSandboxes();
  pods.remove('c1');
  expect(() => pods.get('c1')).toThrow('container c1 not found');
});
