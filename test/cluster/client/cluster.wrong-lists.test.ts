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
])('a list that a server answers with %j is an error of the server', async (answer) => {
  const base = new URL('http://127.0.0.1:6443');
  const server = { base, json: () => Promise.resolve(answer) };
  const listed = listPages(server, 'pods', {}, () => undefined);
  await expect(listed).rejects.toThrow(
    'http://127.0.0.1:6443 does not answer as an API server does',
  );
});
