import { expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';

const NOW = Date.UTC(2026, 0, 1);

function observer(): PodObserver {
  const observer = new PodObserver();
  const object = {
    metadata: { name: 'web', namespace: 'default', uid: '1', resourceVersion: '1' },
    spec: { nodeName: 'one', containers: [{ name: 'app', image: 'app' }] },
    status: { phase: 'Running' },
  };
  observer.pod(object, NOW);
  return observer;
}

const node = (status: string, reason: string, message: string) => ({
  metadata: { name: 'one' },
  status: {
    nodeInfo: { kubeletVersion: 'v1.36.3' },
    conditions: [{ type: 'Ready', status, reason, message }],
  },
});

const SILENT = node('Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.');
const READY = node('True', 'KubeletReady', 'kubelet is posting ready status');

it('a node that is not ready is named once, and again after it was ready', () => {
  const pod = observer();
  const named = {
    kind: 'divergence',
    pod: 'default/web',
    expected: 'reports from the kubelet of node one',
    happened: 'the node is not ready: NodeStatusUnknown: Kubelet stopped posting node status',
    cause: 'its kubelet is stopped or paused, or cannot reach the API server',
  };
  const kubelet = { kind: 'kubelet', pod: 'default/web', version: 'v1.36.3' };
  expect(pod.node(READY, NOW)).toEqual([kubelet]);
  expect(pod.node(SILENT, NOW)).toEqual([named]);
  expect(pod.node(SILENT, NOW)).toEqual([]);
  expect(pod.node(READY, NOW)).toEqual([{ ...named, over: true }]);
  expect(pod.node(READY, NOW)).toEqual([]);
  expect(pod.node(SILENT, NOW)).toEqual([named]);
});

it('without the right to read nodes, the event of the node controller names it', () => {
  const event = {
    metadata: { uid: 'e' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'default', uid: '1' },
    type: 'Warning',
    reason: 'NodeNotReady',
    message: 'Node is not ready',
    count: 1,
    lastTimestamp: new Date(NOW).toISOString(),
  };
  const happened = 'Node is not ready';
  expect(observer().event(event, NOW)).toMatchObject([{ kind: 'event' }, { happened }]);
});
