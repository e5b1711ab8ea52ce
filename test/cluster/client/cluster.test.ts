import type { ServerResponse } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { type Cluster, connect, type ReflectHandler } from '../../../src/cluster/client/cluster.js';
import {
  type FakeApiServer,
  json,
  podOf,
  startApiServer,
  statusOf,
  writeKubeconfig,
} from '../fake-api-server.js';

/** A server of pods whose watches are the test's. */
class PodServer {
  pods: object[] = [];
  version = 10;
  /** Watches from an older version have expired. */
  oldest = 0;
  readonly watches: { readonly url: URL; readonly response: ServerResponse }[] = [];
  server!: FakeApiServer;

  async start(port = 0): Promise<this> {
    this.server = await startApiServer(
      (request, response) => {
        const url = new URL(request.url ?? '', 'https://h');
        if (url.searchParams.get('watch') === null) {
          json(response, { metadata: { resourceVersion: String(this.version) }, items: this.pods });
        } else if (Number(url.searchParams.get('resourceVersion')) < this.oldest) {
          json(response, statusOf(410, 'too old'), 410);
        } else {
          response.writeHead(200);
          response.flushHeaders();
          this.watches.push({ url, response });
        }
      },
      undefined,
      port,
    );
    onTestFinished(() => this.server.close());
    return this;
  }

  send(type: string, object: object): void {
    this.watches.at(-1)?.response.write(`${JSON.stringify({ type, object })}\n`);
  }
}

async function connected(server: FakeApiServer): Promise<Cluster> {
  const { file, remove } = writeKubeconfig(server);
  // The wait of half a range is 1.2 s; the test moves the clock.
  const cluster = await connect({ kubeconfig: file }, {}, clock);
  onTestFinished(remove);
  onTestFinished(() => cluster.close());
  return cluster;
}

let clock: VirtualClock;
let told: string[];

function watch(cluster: Cluster): AbortController {
  const stop = new AbortController();
  const handler: ReflectHandler = {
    upsert: ({ kind, metadata }) =>
      void told.push(`${kind} ${metadata.name}@${metadata.resourceVersion}`),
    remove: ({ metadata }) => void told.push(`-${metadata.name}`),
    synced: () => void told.push('synced'),
    connection: (state) => void told.push(state.up ? 'up' : `down: ${state.error.code}`),
  };
  void cluster.reflect(
    'pods',
    { namespace: 'shop', labelSelector: 'app=web' },
    handler,
    stop.signal,
  );
  onTestFinished(() => stop.abort());
  return stop;
}

/** Moves the clock while real requests run, until `count` was told. */
async function until(count: number): Promise<string[]> {
  const limit = Date.now() + 60_000;
  while (told.length < count && Date.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(100);
  }
  return told;
}

async function begin(): Promise<{ pods: PodServer; cluster: Cluster; stop: AbortController }> {
  clock = new VirtualClock(() => 0.5);
  told = [];
  const pods = await new PodServer().start();
  pods.pods = [podOf('a', 5)];
  const cluster = await connected(pods.server);
  const stop = watch(cluster);
  await until(3);
  await eventually(() => pods.watches.length === 1);
  return { pods, cluster, stop };
}

async function eventually(condition: () => boolean): Promise<void> {
  const limit = Date.now() + 60_000;
  while (!condition() && Date.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(100);
  }
  expect(condition()).toBe(true);
}

describe('a cluster', () => {
  it('knows its names, gets one object and lists several', async () => {
    clock = new VirtualClock();
    const pods = await new PodServer().start();
    pods.pods = [podOf('a', 5), podOf('a', 5), podOf('b', 6)];
    const cluster = await connected(pods.server);
    expect(cluster).toMatchObject({ context: 'test', server: pods.server.url, namespace: 'shop' });
    const listed = await cluster.list('pods', { namespace: 'shop' });
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    await expect(cluster.get('/x')).resolves.toMatchObject({ items: pods.pods });
  });

  it('reports what a watch does', async () => {
    const { pods } = await begin();
    const { url, response } = pods.watches[0]!;
    expect(Object.fromEntries(url.searchParams)).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '10',
      timeoutSeconds: '450',
      labelSelector: 'app=web',
    });
    const line = `${JSON.stringify({ type: 'ADDED', object: podOf('käse', 12) })}\n`;
    // A chunk may end within a line, and within a character.
    const bytes = Buffer.from(line);
    const cut = bytes.indexOf(0xc3) + 1;
    response.write(bytes.subarray(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.write(bytes.subarray(cut));
    pods.send('BOOKMARK', { metadata: { resourceVersion: '20' } });
    pods.send('DELETED', podOf('a', 21));
    expect(await until(5)).toEqual(['Pod a@5', 'up', 'synced', 'Pod käse@12', '-a']);
  });

  it('reports nothing twice, and misses nothing, when the server starts again', async () => {
    const { pods } = await begin();
    pods.send('MODIFIED', podOf('a', 11));
    await until(4);
    const { port } = pods.server;
    await pods.server.close();
    await until(5);
    pods.pods = [podOf('a', 11), podOf('b', 30)];
    pods.version = 30;
    pods.oldest = 25;
    await pods.start(port);
    await until(7);
    await eventually(() => pods.watches.length === 2);
    pods.send('MODIFIED', podOf('b', 31));
    expect((await until(8)).slice(3)).toEqual([
      'Pod a@11',
      'down: unreachable',
      'Pod b@30',
      'up',
      'Pod b@31',
    ]);
  });

  it('lists again when a watch says that its version has expired', async () => {
    const { pods } = await begin();
    pods.pods = [podOf('b', 30)];
    pods.version = 30;
    pods.send('ERROR', statusOf(410, 'too old resource version: 10 (20)', 'Expired'));
    expect((await until(5)).slice(3)).toEqual(['Pod b@30', '-a']);
    await eventually(() => pods.watches.length === 2);
    expect(pods.watches[1]?.url.searchParams.get('resourceVersion')).toBe('30');
  });

  it.each([
    ['an event without an object', '{"type":"ADDED"}\n'],
    ['a line without an end', 'x'.repeat(17 * 1024 * 1024)],
    ['no JSON', '<html>\n'],
  ])('says that its connection is lost when a watch sends %s', async (_, text) => {
    const { pods } = await begin();
    pods.watches[0]!.response.write(text);
    expect((await until(4))[3]).toBe('down: failed');
  });

  it('closes its watch when it is aborted', async () => {
    const { pods, stop } = await begin();
    const closed = new Promise((resolve) => pods.watches[0]!.response.on('close', resolve));
    stop.abort();
    await closed;
    expect(told).toEqual(['Pod a@5', 'up', 'synced']);
  });
});
