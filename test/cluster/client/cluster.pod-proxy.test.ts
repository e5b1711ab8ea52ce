import type { ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { proxyGet } from '../../../src/cluster/client/cluster.js';
import { json, startApiServer, statusOf } from '../fake-api-server.js';
import { rigOf, type StreamRig } from '../stream-rig.js';

let rig: StreamRig;
afterEach(() => rig.close());

async function get(answer: (response: ServerResponse) => unknown, path = '/healthz?deep=1') {
  rig = rigOf(await startApiServer((_, response) => void answer(response)));
  return proxyGet(
    rig.connection,
    { namespace: 'shop', name: 'web' },
    {
      scheme: 'https',
      port: 8443,
      path,
      headers: {
        'X-A': 'b',
        Authorization: 'Bearer of-the-probe',
        Host: 'web.example',
        'User-Agent': 'kube-probe/1.36',
      },
      timeout: 500,
      maxBody: 1000,
    },
    new AbortController().signal,
  );
}

describe('pods/proxy', () => {
  it.each(['/healthz?deep=1', 'healthz?deep=1'])('gets %s of the pod', async (path) => {
    const { status, body } = await get((response) => {
      response.writeHead(503);
      response.end('x'.repeat(1100));
    }, path);
    expect({ status, body: Buffer.from(body).toString() }).toEqual({
      status: 503,
      body: 'x'.repeat(1000),
    });
    const [seen] = rig.server.seen;
    expect(seen?.url).toBe('/api/v1/namespaces/shop/pods/https%3Aweb%3A8443/proxy/healthz?deep=1');
    expect(seen?.headers).toMatchObject({
      'x-a': 'b',
      'user-agent': 'kube-probe/1.36',
      authorization: 'Bearer token-of-the-user',
      host: `127.0.0.1:${rig.server.port}`,
    });
  });

  it.each([
    [
      503,
      'error trying to reach service: dial tcp 10.0.0.1:80: connect: connection refused',
      'busy',
    ],
    [404, 'pods "web" not found', 'notFound'],
    [401, 'Unauthorized', 'unauthorized'],
    [
      403,
      'x: User "u" cannot get resource "pods/proxy" in API group "" in the namespace "shop"',
      'forbidden',
    ],
  ])('fails with %i %s of the API server', async (status, message, code) => {
    const answer = get((response) => json(response, statusOf(status, message), status));
    await expect(answer).rejects.toMatchObject({ code });
  });

  it('takes a Status of a pod for its answer', async () => {
    const { status } = await get((response) => json(response, statusOf(500, 'of the pod'), 500));
    expect(status).toBe(500);
  });

  it('fails when no answer comes in time', async () => {
    await expect(get(() => undefined)).rejects.toMatchObject({ code: 'unreachable' });
  });
});
