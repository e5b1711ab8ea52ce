import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { KubeObject, ReflectHandler, ResourceKind } from '../../../src/cluster/types.js';
import { startSpan } from '../../../src/diagnosis/outlook.js';
import { behaviorOf, KUBERNETES_RELEASES, nearestKubelet } from '../../../src/kubelet/release.js';
import { WatchSession } from '../../../src/session/cluster/watch-session.js';
import type { WatchTarget } from '../../../src/session/cluster/watch-target.js';
import { reached, verdictOf } from '../../../src/trace/summary/verdict.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { clusterEvent, clusterPod } from '../../helpers/watched-cluster.js';

const PODS = { pods: { namespace: 'shop' }, text: 'pods' };
const TARGET: WatchTarget = { parts: [PODS], events: {} };
const denied = new ClusterError('forbidden', 'user "ci" may not list events', {
  rule: '- apiGroups: [""]\n  resources: ["events"]\n  verbs: ["list"]\n',
});

/** A session of a cluster that says what the test tells it to. */
function watching(
  target = TARGET,
  refused: Partial<Record<ResourceKind, ClusterError>> = {},
  nodes?: (path: string) => object,
  log = () => Promise.resolve('config: DB_URL is not set\n'),
) {
  const clock = new VirtualClock(1, Date.now());
  const handlers = new Map<ResourceKind, ReflectHandler>();
  const followed: { readonly kind: ResourceKind; readonly handler: ReflectHandler }[] = [];
  const lines: TraceLine[] = [];
  const session = new WatchSession({
    clock,
    target,
    cluster: {
      server: 'https://cluster',
      reflect(kind, _, handler) {
        const error = refused[kind];
        if (error !== undefined) return Promise.reject(error);
        handlers.set(kind, handler);
        followed.push({ kind, handler });
        return new Promise(() => undefined);
      },
      log,
      followLog: () => Readable.from([`${new Date().toISOString()} listening`]),
      get: (path) =>
        nodes === undefined
          ? Promise.reject(new ClusterError('forbidden', 'may not get nodes'))
          : Promise.resolve(path).then((asked) => nodes(asked) as KubeObject),
      probeCounts: () => Promise.reject(new ClusterError('untrusted', 'certificate')),
      close: () => Promise.resolve(),
    },
  });
  session.onLine((line) => lines.push(line));
  const of = (kind: ResourceKind): ReflectHandler => handlers.get(kind)!;
  const every = (kind: ResourceKind, act: (handler: ReflectHandler) => void): void => {
    for (const each of followed) if (each.kind === kind) act(each.handler);
  };
  const listed = session.list();
  const begin = async (): Promise<void> => {
    of('pods').synced();
    of('events').synced();
    await listed;
    session.begin();
  };
  return { session, clock, lines, listed, of, every, begin };
}

const object = (one: object): KubeObject => one as KubeObject;
const OF_A_DEPLOYMENT = ['pods', 'events', 'replicasets', 'endpointslices', 'deployments'] as const;
const kinds = (lines: readonly TraceLine[]): string[] => lines.map(({ kind }) => kind);

it('tells of nothing before it begins, and of events before their pods', async () => {
  const { session, lines, listed, of } = watching();
  of('pods').upsert(object(clusterPod('web', { ready: false })));
  of('pods').synced();
  of('events').upsert(
    object(
      clusterEvent(
        'web',
        'Unhealthy',
        'Readiness probe failed: HTTP probe failed with statuscode: 503',
      ),
    ),
  );
  of('events').synced();
  await listed;
  expect(lines).toEqual([]);
  session.begin();
  expect(kinds(lines)).toEqual(expect.arrayContaining(['pod', 'event', 'status']));
  expect(session.summary.pods).toMatchObject([{ key: 'shop/web', phase: 'Running' }]);
  await session.end();
});

it('goes on without what it may not read, and says which rule to add', async () => {
  const { session, listed, of } = watching(TARGET, { events: denied });
  of('pods').upsert(object(clusterPod('web')));
  of('pods').synced();
  await listed;
  session.begin();
  expect(session.summary.notes).toMatchObject([
    {
      level: 'warning',
      text: 'user "ci" may not list events; add this rule: - {apiGroups: [""], resources: ["events"], verbs: ["list"]}',
    },
  ]);
  expect(session.summary.pods).toHaveLength(1);
  await session.end();
});

it('rejects when the pods cannot be listed', async () => {
  await expect(watching(TARGET, { pods: denied }).listed).rejects.toBe(denied);
  const { listed, of } = watching();
  const error = new ClusterError('unreachable', 'connection refused');
  of('pods').connection({ up: false, error });
  await expect(listed).rejects.toBe(error);
});

it('knows pods by their UID, and leaves out those that are gone', async () => {
  const { session, lines, of, begin } = watching();
  of('pods').upsert(object(clusterPod('web')));
  await begin();
  of('pods').remove(object(clusterPod('web')));
  expect(session.summary.pods).toEqual([]);
  expect(kinds(lines).at(-1)).toBe('gone');
  expect(kinds(lines)).toContain('action');
  of('pods').upsert(object(clusterPod('web', { uid: 'another', ready: false })));
  expect(session.summary.pods).toMatchObject([
    { key: 'shop/web', object: { metadata: { uid: 'another' } } },
  ]);
  await session.end();
});

it.each([
  ['namespaces "shop" not found: there are', false],
  ['there are', true],
])('says that %s no pods yet', async (text, isThere) => {
  const missing = new ClusterError('notFound', 'namespaces "shop" not found');
  const { session, begin } = watching(TARGET, {}, () => {
    if (isThere) return {};
    throw missing;
  });
  await begin();
  expect(session.summary.notes).toMatchObject([{ text: `${text} no pods yet: waiting for them` }]);
  await session.end();
});

it('says once that the connection is lost, and once that it is back', async () => {
  const { session, lines, of, begin } = watching();
  await begin();
  expect(session.summary.notes).toMatchObject([
    { text: 'there are no pods yet: waiting for them' },
  ]);
  const error = new ClusterError('unreachable', 'https://cluster cannot be reached');
  for (const kind of ['pods', 'events'] as const) of(kind).connection({ up: false, error });
  expect(session.summary.runtimeError).toBe('https://cluster cannot be reached');
  for (const kind of ['pods', 'events'] as const) of(kind).connection({ up: true });
  expect(lines.filter(({ kind }) => kind === 'runtime')).toMatchObject([
    { up: false, server: 'https://cluster' },
    { up: true },
  ]);
  await session.end();
});

it('follows the pods of a deployment by their owners', async () => {
  const workload = object({
    metadata: { name: 'web', uid: 'deployment', resourceVersion: '1', generation: 1 },
    spec: { replicas: 3 },
    status: { observedGeneration: 1, replicas: 3, updatedReplicas: 2 },
  });
  const { session, clock, listed, of } = watching({
    ...TARGET,
    parts: [{ ...PODS, workload: { kind: 'deployments', object: workload } }],
  });
  const ownedBy = (kind: string, uid: string) => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: uid, uid, controller: true }],
  });
  const replicaSet = (uid: string, owner: string) =>
    object({ metadata: { name: uid, uid, resourceVersion: '1', ...ownedBy('Deployment', owner) } });
  of('pods').upsert(object(clusterPod('own', { metadata: ownedBy('ReplicaSet', 'rs-1') })));
  of('pods').upsert(object(clusterPod('other', { metadata: ownedBy('ReplicaSet', 'rs-2') })));
  of('pods').upsert(object(clusterPod('bare')));
  of('replicasets').upsert(replicaSet('rs-1', 'deployment'));
  of('replicasets').upsert(replicaSet('rs-2', 'another'));
  of('deployments').upsert(workload);
  for (const kind of OF_A_DEPLOYMENT) of(kind).synced();
  await listed;
  session.begin();
  of('pods').upsert(object(clusterPod('new', { metadata: ownedBy('ReplicaSet', 'rs-3') })));
  expect(session.summary.pods.map(({ key }) => key)).toEqual(['shop/own', 'shop/new']);
  await clock.runUntil(clock.now() + 1500);
  expect(session.summary.workloads).toMatchObject([{ workload: 'deployment/web', done: false }]);
  await session.end();
});

it('counts the pods and endpoints of each of several workloads', async () => {
  const workload = (name: string) =>
    object({ metadata: { name, uid: name, resourceVersion: '1' }, spec: {}, status: {} });
  const part = (name: string) => ({
    ...{ ...PODS, workload: { kind: 'statefulsets', object: workload(name) } as const },
  });
  const { session, clock, listed, every } = watching({
    ...{ ...TARGET, parts: [part('web'), part('api')] },
  });
  const owned = (owner: string) => ({
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: owner, uid: owner, controller: true },
    ],
  });
  const endpoints = ['web-0', 'api-0', 'api-1'].map((name) => ({
    ...{ targetRef: { uid: `uid-${name}` }, conditions: { ready: name !== 'web-0' } },
  }));
  every('pods', (handler) => {
    for (const name of ['web-0', 'api-0', 'api-1', 'other-0']) {
      const metadata = { ...owned(name.split('-')[0] ?? ''), uid: `uid-${name}` };
      handler.upsert(object(clusterPod(name, { metadata })));
    }
  });
  every('endpointslices', (handler) =>
    handler.upsert(object({ metadata: { name: 'slice', uid: 'slice' }, endpoints })),
  );
  for (const kind of ['pods', 'events', 'endpointslices', 'statefulsets'] as const) {
    every(kind, (handler) => handler.synced());
  }
  await listed;
  session.begin();
  await clock.runUntil(clock.now() + 1500);
  expect(session.summary.pods.map(({ key }) => key)).toEqual([
    'shop/web-0',
    'shop/api-0',
    'shop/api-1',
  ]);
  expect(session.summary.workloads).toMatchObject([
    { workload: 'statefulset/web', replicas: { endpoints: 0 } },
    { workload: 'statefulset/api', replicas: { endpoints: 2 } },
  ]);
  await session.end();
});

it('fails when its workload is deleted, and goes on with one of the same name', async () => {
  const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  const workload = (uid: string) =>
    object({
      metadata: { name: 'web', uid, resourceVersion: '1', generation: 1 },
      ...{ spec: { replicas: 1 }, status },
    });
  const { session, clock, listed, of } = watching({
    ...TARGET,
    parts: [{ ...PODS, workload: { kind: 'deployments', object: workload('one') } }],
  });
  for (const kind of OF_A_DEPLOYMENT) of(kind).synced();
  await listed;
  session.begin();
  expect(reached(session.summary, 'ready')).toMatchObject({ kind: 'holds' });
  of('deployments').remove(workload('one'));
  await clock.runUntil(clock.now() + 20_000);
  const sentence = 'web: the Deployment was deleted';
  expect(reached(session.summary, 'ready')).toEqual({ kind: 'doesNotHold', sentence });
  expect(verdictOf(session.summary)).toEqual({ kind: 'doesNotHold', sentence });
  of('deployments').upsert(workload('two'));
  expect(reached(session.summary, 'ready')).toMatchObject({ kind: 'holds' });
  await session.end();
});

it('says why a DaemonSet has no pods, which its status leaves out', async () => {
  const status = { desiredNumberScheduled: 1 };
  const workload = object({ metadata: { name: 'web', uid: 'one' }, status });
  const parts = [{ ...PODS, workload: { kind: 'daemonsets', object: workload } as const }];
  const { session, clock, listed, of, every } = watching({ ...TARGET, parts });
  const message = '(combined from similar events): Error creating: exceeded quota: few';
  of('events').upsert(object(clusterEvent('web', 'FailedCreate', message)));
  for (const kind of ['pods', 'events', 'daemonsets', 'endpointslices'] as const) {
    every(kind, (handler) => handler.synced());
  }
  await listed;
  session.begin();
  await clock.runUntil(clock.now() + 2000);
  expect(session.summary.workloads[0]?.sentence).toContain(
    'pods cannot be created: exceeded quota: few. Correct what its pods ask for or the ResourceQuota',
  );
  await session.end();
});

it('says once that counts and nodes may not be read', async () => {
  const { session, clock, of, begin } = watching();
  const pod = clusterPod('web');
  of('pods').upsert(object({ ...pod, status: { ...pod.status, hostIP: '10.0.0.1' } }));
  await begin();
  await clock.runUntil(clock.now() + 60_000);
  expect(session.summary.notes.map(({ text }) => text)).toEqual([
    'without the nodes: may not get nodes',
    "without the kubelets' probe counts: certificate",
  ]);
  await session.end();
});

it.each<[string, () => Promise<string>, number, string[], number?]>([
  ['after its log', () => Promise.resolve('no config\n'), 0, ['output', 'exited']],
  ['with 0 after its log', () => Promise.resolve('press q\n'), 0, ['output', 'exited'], 0],
  ['as silent, where its log is empty', () => Promise.resolve(''), 0, ['silent']],
  ['after 1 s, where its log does not come', () => new Promise<string>(() => 0), 1000, ['exited']],
])('tells of the end of a container that crashed %s, and then of its status', async (...row) => {
  const [, log, wait, expected, exitCode = 1] = row;
  const { session, clock, lines, of, begin } = watching(TARGET, {}, undefined, log);
  const time = new Date(Date.now() - 5000).toISOString().replace(/\.\d+/, '');
  const pod = clusterPod('web', { ready: false });
  const [status] = pod.status.containerStatuses;
  const terminated = { exitCode, reason: 'Error', startedAt: time, finishedAt: time };
  of('pods').upsert(
    object({
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: [
          {
            ...status,
            started: false,
            restartCount: 1,
            lastState: { terminated },
            state: { waiting: { reason: 'CrashLoopBackOff' } },
          },
        ],
      },
    }),
  );
  await begin();
  if (wait > 0) await clock.advance(wait - 1);
  // Before its status, the pod would be Pending.
  if (wait > 0) expect(session.summary.pods).toEqual([]);
  await clock.advance(1);
  const told = lines.map((line) =>
    line.kind === 'exited' && line.wroteNothing === true ? 'silent' : line.kind,
  );
  const isTold = (kind: string): boolean => [...expected, 'status'].includes(kind);
  expect(told.filter(isTold)).toEqual([...expected, 'status']);
  await session.end();
});

it('knows a Job before its failed pod, which the Job replaces: it can still complete', async () => {
  const metadata = { name: 'import', namespace: 'shop', uid: 'job' };
  const workload = object({ metadata, spec: {}, status: { failed: 1 } });
  const parts = [{ ...PODS, workload: { kind: 'jobs', object: workload } as const }];
  const { session, clock, listed, of, every } = watching({ ...TARGET, parts });
  const time = new Date(Date.now() - 5000).toISOString();
  const ownerReferences = [{ controller: true, kind: 'Job', uid: 'job' }];
  const pod = clusterPod('import-1', { ready: false, metadata: { ownerReferences } });
  const [container] = pod.status.containerStatuses;
  const terminated = { exitCode: 4, reason: 'Error', startedAt: time, finishedAt: time };
  const containerStatuses = [{ ...container, started: false, state: { terminated } }];
  const spec = { ...pod.spec, restartPolicy: 'Never' };
  const status = { ...pod.status, phase: 'Failed', containerStatuses };
  of('pods').upsert(object({ ...pod, spec, status }));
  for (const kind of ['pods', 'events', 'jobs'] as const) every(kind, (each) => each.synced());
  await listed;
  const verdicts: unknown[] = [];
  session.onLine((_, summary) => verdicts.push(reached(summary, 'ready')));
  session.begin();
  await clock.advance(500);
  expect(session.summary.pods[0]?.phase).toBe('Failed');
  expect(verdicts.filter((verdict) => verdict !== undefined)).toEqual([]);
  await session.end();
});

it('tells of a log that comes too late for the end of its container', async () => {
  let answer: (log: string) => void = () => undefined;
  const late = () => new Promise<string>((resolve) => (answer = resolve));
  const { session, clock, lines, of, begin } = watching(TARGET, {}, undefined, late);
  const time = new Date(Date.now() - 5000).toISOString().replace(/\.\d+/, '');
  const pod = clusterPod('web', { ready: false });
  const [status] = pod.status.containerStatuses;
  const terminated = { exitCode: 1, reason: 'Error', startedAt: time, finishedAt: time };
  const ended = { ...status, started: false, state: { terminated } };
  of('pods').upsert(object({ ...pod, status: { ...pod.status, containerStatuses: [ended] } }));
  await begin();
  await clock.advance(1500);
  expect(kinds(lines)).toContain('exited');
  answer('no config\n');
  await clock.advance(1);
  expect(lines.at(-1)).toMatchObject({ kind: 'output', run: 0, text: 'no config' });
  await session.end();
});

it('follows the log of a container that runs, once', async () => {
  const { session, clock, lines, of, begin } = watching();
  of('pods').upsert(object(clusterPod('web')));
  await begin();
  await Promise.all([
    session.followLog('shop/web', 'app'),
    session.followLog('shop/web', 'app'),
    session.followLog('shop/web', 'other'),
  ]);
  await clock.advance(1);
  expect(lines.filter(({ kind }) => kind === 'output')).toMatchObject([
    { pod: 'shop/web', container: 'app', run: 0, text: 'listening' },
  ]);
  await session.end();
});

it('reads once what an init container has written that runs for 4 s', async () => {
  const { session, clock, lines, of, begin } = watching();
  const pod = clusterPod('web', { ready: false });
  const [status] = pod.status.containerStatuses;
  const startedAt = new Date(Date.now() - 1000).toISOString();
  const init = { ...status, name: 'wait-db', state: { running: { startedAt } } };
  const waiting = { ...status, started: false, state: { waiting: { reason: 'PodInitializing' } } };
  of('pods').upsert(
    object({
      ...pod,
      spec: { ...pod.spec, initContainers: [{ name: 'wait-db', image: 'db:1' }] },
      status: {
        ...pod.status,
        phase: 'Pending',
        initContainerStatuses: [init],
        containerStatuses: [waiting],
      },
    }),
  );
  await begin();
  await clock.runUntil(clock.now() + 2000);
  expect(kinds(lines)).not.toContain('output');
  await clock.runUntil(clock.now() + 20_000);
  expect(lines.filter(({ kind }) => kind === 'output')).toMatchObject([
    { container: 'wait-db', run: 0, text: 'config: DB_URL is not set' },
  ]);
  await session.end();
});

it('reads what a container has written when its probe begins to fail', async () => {
  const { session, clock, lines, of, begin } = watching();
  const pod = clusterPod('web', { ready: false });
  of('pods').upsert(object(pod));
  await begin();
  await clock.runUntil(clock.now() + 20_000);
  expect(kinds(lines)).not.toContain('output');
  const at = new Date(Date.now() + 20_000).toISOString();
  of('events').upsert(
    object({
      metadata: { name: 'e', uid: 'e', namespace: 'shop' },
      involvedObject: { uid: pod.metadata.uid, fieldPath: 'spec.containers{app}' },
      ...{ type: 'Warning', reason: 'Unhealthy', count: 1, firstTimestamp: at, lastTimestamp: at },
      message: 'Readiness probe failed: HTTP probe failed with statuscode: 500',
    }),
  );
  await clock.runUntil(clock.now() + 5000);
  expect(lines.filter(({ kind }) => kind === 'output')).toMatchObject([
    { container: 'app', run: 0, text: 'config: DB_URL is not set' },
  ]);
  await session.end();
});

it('says once what a mesh has rewritten, and which kubelet runs', async () => {
  const pod = clusterPod('web');
  const probers = {
    '/app-health/app/readyz': { httpGet: { path: '/ready', port: 8080 }, timeoutSeconds: 1 },
  };
  const spec = {
    ...pod.spec,
    containers: [
      {
        name: 'app',
        image: 'a:1',
        readinessProbe: { httpGet: { path: '/app-health/app/readyz', port: 15020 } },
      },
      {
        name: 'istio-proxy',
        image: 'b:1',
        env: [{ name: 'ISTIO_KUBE_APP_PROBERS', value: JSON.stringify(probers) }],
      },
    ],
  };
  const node = { status: { nodeInfo: { kubeletVersion: 'v1.33.1' } } };
  const { session, clock, of, begin } = watching(TARGET, {}, () => node);
  for (const name of ['web-1', 'web-2']) {
    of('pods').upsert(object({ ...clusterPod(name), spec }));
  }
  await begin();
  await clock.advance(0);
  expect(session.summary.notes.map(({ text }) => text)).toEqual([
    'Istio rewrites the readiness probe of app: the kubelet asks http :15020/app-health/app/readyz, and the sidecar then asks http :8080/ready',
    'a node runs kubelet v1.33.1; kprobe decides as v1.33',
  ]);
  await session.end();
});

it('decides for each pod as the kubelet of its node, and names each version once', async () => {
  const versions = ['v1.34.4', 'v1.34.4', 'v1.36.3', 'v1.99.0', 'v1.20.1'];
  const { session, clock, of, begin } = watching(TARGET, {}, (path) => {
    const kubeletVersion = versions[Number(path.at(-1))];
    return { status: { nodeInfo: { kubeletVersion } } };
  });
  for (const index of versions.keys()) {
    const pod = clusterPod(`web-${index}`);
    of('pods').upsert(object({ ...pod, spec: { ...pod.spec, nodeName: `node-${index}` } }));
  }
  await begin();
  await clock.advance(0);
  const { pods, notes } = session.summary;
  expect(pods.map(({ behavior }) => behavior)).toEqual(
    versions.map((version) => behaviorOf(nearestKubelet(version))),
  );
  const latest = pods.map((pod) => startSpan(pod, { until: 80, delay: 80 }, 0).to);
  const [before135, from135] = [96, 92];
  expect(latest).toEqual([before135, before135, from135, from135, before135]);
  const newest = KUBERNETES_RELEASES.at(-1);
  expect(notes.map(({ text }) => text)).toEqual([
    'a node runs kubelet v1.34.4; kprobe decides as v1.34',
    'a node runs kubelet v1.36.3; kprobe decides as v1.36',
    `a node runs kubelet v1.99.0, which kprobe does not know; kprobe decides as v${newest}`,
    'a node runs kubelet v1.20.1, which kprobe does not know; kprobe decides as v1.32',
  ]);
  await session.end();
});
