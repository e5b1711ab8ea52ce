import { expect, it } from 'vitest';

import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { Cluster, KubeObject, ResourceKind } from '../../../src/cluster/types.js';
import { watchTarget } from '../../../src/session/cluster/watch-target.js';

const objects: Partial<Record<ResourceKind, readonly object[]>> = {
  pods: ['web-1', 'web-2', 'api-1'].map((name) => ({ metadata: { name } })),
  deployments: [
    {
      metadata: { name: 'web' },
      spec: {
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [
            { key: 'tier', operator: 'In', values: ['a', 'b'] },
            { key: 'old', operator: 'DoesNotExist' },
          ],
        },
      },
    },
  ],
};
const cluster: Pick<Cluster, 'list' | 'get'> = {
  get: (path) =>
    path.endsWith('/shop')
      ? Promise.resolve({} as KubeObject)
      : Promise.reject(new ClusterError('notFound', 'namespaces "nowhere" not found')),
  list: (kind, { name }) =>
    Promise.resolve(
      ((objects[kind] ?? []) as KubeObject[]).filter(
        ({ metadata }) => name === undefined || metadata.name === name,
      ),
    ),
};
const find = (...resources: readonly (readonly [ResourceKind, string])[]) =>
  watchTarget(cluster, {
    resources: resources.map(([kind, name]) => ({ kind, name })),
    namespace: 'shop',
  });

it('selects one pod and its events by their name', async () => {
  expect(await find(['pods', 'api-1'])).toMatchObject({
    parts: [{ pods: { namespace: 'shop', name: 'api-1' } }],
    events: { fieldSelector: 'involvedObject.kind=Pod,involvedObject.name=api-1' },
  });
});

it('selects the pods of a workload by its selector', async () => {
  const pods = { namespace: 'shop', labelSelector: 'app=web,tier in (a,b),!old' };
  expect(await find(['deployments', 'web'])).toMatchObject({
    parts: [{ pods, workload: { kind: 'deployments' } }],
  });
});

it('takes for a CronJob the job that it has made last', async () => {
  const made = (name: string, uid: string, minute: number) => ({
    metadata: {
      name,
      creationTimestamp: `2026-11-30T10:0${minute}:00Z`,
      ownerReferences: [{ uid, kind: 'CronJob', controller: true }],
    },
    spec: { selector: { matchLabels: { job: name } } },
  });
  const jobs = [made('nightly-2', 'a', 1), made('by-hand', 'a', 2), made('other-3', 'b', 3)];
  const all: typeof objects = { cronjobs: [{ metadata: { name: 'nightly', uid: 'a' } }], jobs };
  const list = (kind: ResourceKind): Promise<KubeObject[]> =>
    Promise.resolve((all[kind] ?? []) as KubeObject[]);
  const resources = [{ kind: 'cronjobs', name: 'nightly' }] as const;
  const watched = () => watchTarget({ ...cluster, list }, { resources });
  expect(await watched()).toMatchObject({
    parts: [{ text: 'pods of job by-hand', workload: { kind: 'jobs' } }],
  });
  all.jobs = [made('other-3', 'b', 3)];
  await expect(watched()).rejects.toThrow('cronjob "nightly" has made no job that is there');
});

it('selects the pods of several resources one by one, and the events of all pods', async () => {
  expect(await find(['pods', 'web-1'], ['deployments', 'web'])).toMatchObject({
    parts: [{ text: 'pod web-1' }, { text: 'pods of deployment web' }],
    events: { namespace: 'shop', fieldSelector: 'involvedObject.kind=Pod' },
  });
});

it('selects pods by labels and fields, in all namespaces too', async () => {
  const words = { labelSelector: 'app=web', fieldSelector: 'spec.nodeName=a' };
  const chosen = await watchTarget(cluster, { resources: [], namespace: 'shop', ...words });
  expect(chosen.parts).toMatchObject([{ pods: { namespace: 'shop', ...words } }]);
  const { parts } = await watchTarget(cluster, { resources: [] });
  expect(parts).toEqual([{ pods: {}, text: 'pods in all namespaces' }]);
});

it('names what was probably meant when nothing has the name', async () => {
  await expect(find(['pods', 'web'])).rejects.toThrow(
    'no pod "web" in the namespace shop; did you mean deployment/web, web-1, web-2?',
  );
  await expect(find(['pods', 'ap-1'])).rejects.toThrow('did you mean api-1?');
  await expect(find(['deployments', 'wbe'])).rejects.toThrow('did you mean web?');
  await expect(find(['jobs', 'x'])).rejects.toThrow(/in the namespace shop$/);
});

it('says that the namespace is missing', async () => {
  const resources = [{ kind: 'jobs', name: 'x' }] as const;
  await expect(watchTarget(cluster, { resources, namespace: 'nowhere' })).rejects.toThrow(
    /^namespaces "nowhere" not found$/,
  );
});
