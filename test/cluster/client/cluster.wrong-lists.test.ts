import { expect, it } from 'vitest';

import { listPages } from '../../../src/cluster/client/cluster.js';

it.each([
  null,
  5,
  {},
  { metadata: null },
  { metadata: {}, items: 'x' },
  { metadata: {}, items: [null] },
  { metadata: {}, items: [{ metadata: null }] },
  { metadata: {}, items: [{ metadata: { name: 5 } }] },
])('a list that a server answers with %j is an error of the server', async (answer) => {
  const base = new URL('http://127.0.0.1:6443');
  const server = { base, json: () => Promise.resolve(answer) };
  const listed = listPages(server, 'pods', {}, () => undefined);
  await expect(listed).rejects.toThrow(
    'http://127.0.0.1:6443 does not answer as an API server does',
  );
});

it('an item without a name has an empty one', async () => {
  const base = new URL('http://127.0.0.1:6443');
  const answer = { metadata: {}, items: [{ metadata: {} }] };
  const names: string[] = [];
  await listPages({ base, json: () => Promise.resolve(answer) }, 'pods', {}, (items) =>
    names.push(...items.map(({ metadata }) => metadata.name)),
  );
  expect(names).toEqual(['']);
});
