import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type Size } from '../helpers/terminal.js';
import {
  clusterEvent,
  clusterPod,
  startWatchedCluster,
  type WatchedCluster,
} from '../helpers/watched-cluster.js';

const BIN = join(ROOT, 'bin/kprobe.js');
const SIZES: readonly Size[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 300, rows: 80 },
];

const PROBED = clusterPod('probed', { ready: false });
const GATED = clusterPod('gated');
const SEQUEL = clusterPod('skipped-init');
const CRASHED = clusterPod('crashed', { ready: false });
const ENDED = clusterPod('ended', { ready: false });
const TIME = CRASHED.metadata.creationTimestamp;

/** Pods that are not ready for different reasons. */
const PODS = [
  PROBED,
  {
    ...clusterPod('unschedulable'),
    status: {
      phase: 'Pending',
      conditions: [
        {
          ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
          ...{ message: '0/3 nodes are available: 3 Insufficient cpu.', lastTransitionTime: TIME },
        },
      ],
    },
  },
  {
    ...GATED,
    spec: { ...GATED.spec, readinessGates: [{ conditionType: 'example.com/lb' }] },
    status: {
      ...GATED.status,
      conditions: [
        {
          ...{ type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' },
          lastTransitionTime: TIME,
        },
      ],
    },
  },
  {
    ...CRASHED,
    status: {
      ...CRASHED.status,
      containerStatuses: [
        {
          ...CRASHED.status.containerStatuses[0],
          ...{ started: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 3, startedAt: TIME, finishedAt: TIME } },
        },
      ],
    },
  },
  {
    ...ENDED,
    status: {
      ...ENDED.status,
      containerStatuses: [
        {
          ...ENDED.status.containerStatuses[0],
          ...{ started: false, restartCount: 5 },
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 0, startedAt: TIME, finishedAt: TIME } },
        },
      ],
    },
  },
  {
    ...SEQUEL,
    spec: { ...SEQUEL.spec, initContainers: [{ name: 'migrate', image: 'web:1' }] },
  },
];

const EVENTS = [
  clusterEvent('probed', 'Unhealthy', 'Readiness probe failed: connection refused', 4),
];

describe.each(SIZES)('the pods of a cluster at $columns×$rows', (size) => {
  it('have the reason why each is not ready', async () => {
    const cluster = await startWatchedCluster({ pods: PODS, events: EVENTS });
    await using terminal = await openTerminal(size);
    const { tmux } = terminal;
    tmux.enter(`'${process.execPath}' '${BIN}' watch -n shop --server ${cluster.url}`);
    await tmux.shows(
      /^6 pods/m,
      /^ {2}probed .*readiness \d × refused/m,
      /^ {2}unschedulable .*no node takes it: 3/m,
      /^ {2}gated .*all containers are ready/m,
      /^ {2}crashed .*crashed \d × \(exit 3\)/m,
      /^ {2}ended .*exited \d × \(exit 0\)/m,
      // As wide as the longest name.
      /^ {2}POD {11}READY/m,
    );
    // The skipped init container.
    tmux.press(':');
    tmux.type('pod skipped');
    tmux.press('Enter');
    await tmux.shows(/migrate +init container +skipped/, /\[1 pod\]/);
    cluster.close();
  });
});

it('have their node beside the other columns at 300×80', async () => {
  const cluster = await startWatchedCluster({ pods: PODS, events: EVENTS });
  await using terminal = await openTerminal({ columns: 300, rows: 80 });
  const { tmux } = terminal;
  tmux.enter(`'${process.execPath}' '${BIN}' watch -n shop --server ${cluster.url}`);
  await tmux.shows(
    /^ +POD +READY +STATUS +RESTARTS +TROUBLE ↓ +NEXT +LATENCY +NODE +AGE /m,
    /^. probed +0\/1 .* node-1 +\d+[sm]/m,
  );
  cluster.close();
});

it('shows the trouble of pods at 40×12', async () => {
  const cluster = await startWatchedCluster({ pods: PODS, events: EVENTS });
  await using terminal = await openTerminal({ columns: 40, rows: 12 });
  const { tmux } = terminal;
  tmux.enter(`'${process.execPath}' '${BIN}' watch -n shop --server ${cluster.url}`);
  await tmux.shows(/^6 pods/m, /TROUBLE/, /probed .*readiness/);
  cluster.close();
});

describe('a rollout of a cluster', () => {
  let cluster: WatchedCluster;

  const labels = { app: 'web' };
  const metadata = (name: string) => ({ name, namespace: 'shop', uid: name, resourceVersion: '1' });
  const replicaSet = (name: string, revision: string, replicas: number, readyReplicas: number) => ({
    metadata: {
      ...metadata(name),
      labels: { ...labels, 'pod-template-hash': name.slice(4) },
      annotations: { 'deployment.kubernetes.io/revision': revision },
      ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'web', controller: true }],
    },
    spec: { replicas },
    status: { replicas, readyReplicas, availableReplicas: readyReplicas },
  });
  const replica = (name: string, set: string, ready: boolean) =>
    clusterPod(name, {
      ready,
      metadata: {
        labels: { ...labels, 'pod-template-hash': set.slice(4) },
        ownerReferences: [{ kind: 'ReplicaSet', name: set, uid: set, controller: true }],
      },
    });

  beforeAll(async () => {
    const web = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { ...metadata('web'), generation: 2 },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: replica('x', 'web-2', true).spec.containers },
        },
      },
      status: {
        ...{ observedGeneration: 2, replicas: 3, updatedReplicas: 1 },
        ...{ readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 1 },
      },
    };
    const db = {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { ...metadata('db'), generation: 1 },
      spec: { replicas: 1, selector: { matchLabels: { app: 'db' } }, template: web.spec.template },
      status: { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    };
    cluster = await startWatchedCluster({
      web,
      db,
      deployments: [web],
      statefulsets: [db],
      replicasets: [replicaSet('web-1', '1', 2, 2), replicaSet('web-2', '2', 1, 0)],
      pods: [
        replica('web-1-a', 'web-1', true),
        replica('web-1-b', 'web-1', true),
        replica('web-2-c', 'web-2', false),
        clusterPod('db-0', {
          metadata: {
            labels: { app: 'db' },
            ownerReferences: [{ kind: 'StatefulSet', name: 'db', uid: 'db', controller: true }],
          },
        }),
      ],
      events: [clusterEvent('web-2-c', 'Unhealthy', 'Readiness probe failed: connection refused')],
    });
  });

  afterAll(() => cluster.close());

  it('chooses among several workloads with :deploy and :sts, and shows all again on 0', async () => {
    await using terminal = await openTerminal({ columns: 120, rows: 40 });
    const { tmux } = terminal;
    tmux.enter(
      `'${process.execPath}' '${BIN}' watch deploy/web sts/db -n shop --server ${cluster.url}`,
    );
    await tmux.shows(/^4 pods {2}/m, /deployment\/web/, /db-0/);
    for (const { command, shows } of [
      { command: 'sts db', shows: /^1 pod of statefulset\/db/m },
      { command: 'deploy web', shows: /^3 pods of deployment\/web/m },
    ]) {
      tmux.press(':');
      await tmux.shows(/enter jumps/);
      tmux.type(command);
      tmux.press('Enter');
      await tmux.shows(shows);
      tmux.press('0');
      await tmux.shows(/^4 pods {2}/m);
    }
  });

  it.each([...SIZES, { columns: 40, rows: 12 }])(
    'names the pod that blocks it, and counts its replicas: $columns×$rows',
    async (size) => {
      await using terminal = await openTerminal(size);
      const { tmux } = terminal;
      tmux.enter(`'${process.execPath}' '${BIN}' watch deploy/web -n shop --server ${cluster.url}`);
      const screen = await tmux.shows(/web: 1 of 2 updated/, /web-2-c/);
      expect(screen).toMatch(size.rows < 20 ? /new 1\/2|new +1 of 2/ : /new +1 of 2 .*old +2/s);
      await tmux.shows(/waiting for\s+readiness of\s+web-2-c/);
    },
  );
});
