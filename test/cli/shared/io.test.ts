import { Writable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { commandName, orAborted, write } from '../../../src/cli/shared/io.js';

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

describe('write', () => {
  it('writes no empty text to a stream that has nothing to write', async () => {
    const writes: string[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _, done) => done(void writes.push(chunk.toString())),
    });
    await write(stream, '');
    await write(stream, 'a');
    expect(writes).toEqual(['a']);
  });

  it('waits with an empty text for all that was written before', async () => {
    const events: string[] = [];
    const stream = new Writable({
      write: (_chunk, _, done) =>
        void setImmediate(() => {
          events.push('written');
          done();
        }),
    });
    stream.write('a');
    await write(stream, '');
    expect(events).toContain('written');
  });
});
