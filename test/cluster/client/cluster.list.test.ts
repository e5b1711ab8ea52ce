import { describe, expect, it } from 'vitest';

import { listPages, queryOf } from '../../../src/cluster/client/cluster.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { KubeObject, Selection } from '../../../src/cluster/types.js';
import { podOf } from '../fake-api-server.js';

/** Answers page after page; an error is thrown. */
function pages(...answers: (object | Error)[]) {
  const paths: string[] = [];
  return {
    paths,
    base: new URL('http://127.0.0.1:6443'),
    json: (path: string): Promise<unknown> => {
      paths.push(path);
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

const page = (next: string, ...items: object[]): object => ({
  metadata: { resourceVersion: '7', continue: next },
  items,
});

async function listed(connection: ReturnType<typeof pages>, selection: Selection) {
  const items: KubeObject[] = [];
  const version = await listPages(connection, 'pods', selection, (some) => items.push(...some));
  return { version, names: items.map(({ metadata }) => metadata.name), items };
}

describe('a list', () => {
  it('comes in pages of 500', async () => {
    const connection = pages(page('a=b', podOf('a', 1)), page('', podOf('b', 2)));
    const { version, names } = await listed(connection, { namespace: 'shop' });
    expect({ version, names }).toEqual({ version: '7', names: ['a', 'b'] });
    const root = '/api/v1/namespaces/shop/pods?limit=500';
    expect(connection.paths).toEqual([root, `${root}&continue=a%3Db`]);
  });

  it('comes whole when a page has expired', async () => {
    const expired = new ClusterError('expired', 'too old');
    const connection = pages(
      page('x', podOf('a', 1)),
      expired,
      page('', podOf('a', 1), podOf('b', 2)),
    );
    expect((await listed(connection, {})).names).toEqual(['a', 'a', 'b']);
    expect(connection.paths.at(-1)).toBe('/api/v1/pods?limit=0');
  });

  it('fails when it has no end', async () => {
    const answers = Array.from({ length: 2000 }, (_, index) => page(`token-${index}`));
    const connection = pages(...answers);
    const message = 'http://127.0.0.1:6443: a list of pods has more than 1000 pages';
    await expect(listed(connection, {})).rejects.toThrow(new ClusterError('failed', message));
    expect(connection.paths).toHaveLength(1000);
  });

  it('fails when its first page has expired', async () => {
    const expired = new ClusterError('expired', 'too old');
    await expect(listed(pages(expired), {})).rejects.toBe(expired);
  });

  it('may be empty, and its objects have their kind and no managedFields', async () => {
    const empty = pages({ metadata: { resourceVersion: '7' }, items: null });
    expect((await listed(empty, {})).names).toEqual([]);
    const metadata = { ...(podOf('a', 1) as KubeObject).metadata, managedFields: [{}] };
    const { items } = await listed(pages(page('', { metadata, spec: {} })), {});
    expect(items).toEqual([{ apiVersion: 'v1', kind: 'Pod', ...podOf('a', 1), spec: {} }]);
  });

  it.each([
    [{}, 'limit=1'],
    [{ name: 'web' }, 'limit=1&fieldSelector=metadata.name%3Dweb'],
    [
      { name: 'web', fieldSelector: 'spec.nodeName=n', labelSelector: 'app in (a, b)' },
      'limit=1&fieldSelector=spec.nodeName%3Dn%2Cmetadata.name%3Dweb&labelSelector=app+in+%28a%2C+b%29',
    ],
  ])('of %j asks %s', (selection, query) => {
    expect(queryOf(selection, { limit: '1' })).toBe(query);
  });
});
