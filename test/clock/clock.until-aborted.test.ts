import { getEventListeners } from 'node:events';

import { expect, it } from 'vitest';

import { untilAborted } from '../../src/clock/clock.js';

const NEVER = new Promise<never>(() => undefined);

it('resolves with the work when that ends first', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, Promise.resolve(1), 'aborted')).toBe(1);
});

it('resolves otherwise when the signal aborts first', async () => {
  const controller = new AbortController();
  const end = untilAborted(controller.signal, NEVER, 'aborted');
  controller.abort();
  expect(await end).toBe('aborted');
});

it('resolves otherwise when the signal has aborted', async () => {
  expect(await untilAborted(AbortSignal.abort(), NEVER, 'aborted')).toBe('aborted');
});

it.each([
  ['is done', () => Promise.resolve(1)],
  ['fails', () => Promise.reject(new Error('no'))],
])('leaves no listener when the work %s', async (_, work) => {
  const { signal } = new AbortController();
  await untilAborted<unknown, string>(signal, work(), 'aborted').catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
