import { expect, it, onTestFinished } from 'vitest';

import { connect } from '../../../src/cluster/client/cluster.js';
import { json, startApiServer, statusOf, writeKubeconfig } from '../fake-api-server.js';

const APP = { namespace: 'shop', name: 'web', container: 'app' };

async function clusterOf(answer: Parameters<typeof startApiServer>[0]) {
  const server = await startApiServer(answer);
  const { file, remove } = writeKubeconfig(server);
  const cluster = await connect({ kubeconfig: file }, {});
  onTestFinished(async () => {
    await cluster.close();
    await server.close();
    remove();
  });
  return { server, cluster };
}

it.each([
  { since: undefined, begin: 'tailLines=100' },
  {
    since: Date.parse('2026-11-29T11:00:01.5Z'),
    begin: 'sinceTime=2026-11-29T11:00:01Z',
  },
])('yields the lines of a log as they come: $begin', async ({ since, begin }) => {
  const { server, cluster } = await clusterOf((_, response) => {
    response.write('first\nsec');
    response.end('ond\n');
  });
  const lines: string[] = [];
  const { signal } = new AbortController();
  for await (const line of cluster.followLog(APP, signal, since)) lines.push(line);
  expect(lines).toEqual(['first', 'second']);
  expect(server.seen.map(({ url }) => url)).toEqual([
    `/api/v1/namespaces/shop/pods/web/log?container=app&follow=true&${begin}&timestamps=true`,
  ]);
});

it('rejects with the answer of a server that refuses', async () => {
  const { cluster } = await clusterOf((_, response) =>
    json(response, statusOf(404, 'pods "web" not found', 'NotFound'), 404),
  );
  const { signal } = new AbortController();
  const lines = cluster.followLog(APP, signal)[Symbol.asyncIterator]();
  await expect(lines.next()).rejects.toMatchObject({ code: 'notFound' });
});
