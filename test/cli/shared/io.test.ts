import { describe, expect, it } from 'vitest';

import { commandName, orAborted } from '../../../src/cli/shared/io.js';

const never = new Promise<number>(() => undefined);

describe('orAborted', () => {
  it('resolves to the value when it is not aborted', async () => {
    expect(await orAborted(new AbortController().signal, Promise.resolve('here'))).toBe('here');
  });

  it.each([
    ['before the wait', (abort: () => void) => abort()],
    ['during the wait', (abort: () => void) => void setImmediate(abort)],
  ])('rejects with AbortError when it is aborted %s', async (_, abortBy) => {
    const controller = new AbortController();
    abortBy(() => controller.abort(143));
    await expect(orAborted(controller.signal, never)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it.each([
  ['/usr/local/bin/kprobe', 'kprobe'],
  ['/srv/shop/node_modules/.bin/kprobe', 'npx kprobe'],
  ['/root/.npm/_npx/2142c1649d2cd67a/node_modules/.bin/kprobe', 'npx kprobe'],
  ['/srv/shop/node_modules/.bin/kubectl-kprobe', 'kubectl kprobe'],
  [String.raw`C:\bin\kubectl-kprobe.js`, 'kubectl kprobe'],
])('the program %s is the command %s', (program, name) => {
  expect(commandName(program)).toBe(name);
});
