import { expect, it } from 'vitest';

import { ReasonCache } from '../../../src/kubelet/sync/reason-cache.js';
import type { StartError, SyncResult } from '../../../src/kubelet/sync-result.js';

const error: StartError = { reason: 'RunContainerError', message: 'no' };
const start = (target: string, failed: boolean): SyncResult => ({
  action: 'StartContainer',
  target,
  ...(failed ? { error } : {}),
});

it('keeps why a start failed until one succeeds', () => {
  const cache = new ReasonCache();
  cache.update('uid-1', [start('a', true), start('b', false)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([error, undefined]);
  cache.update('uid-1', [start('b', true)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([error, error]);
  cache.update('uid-1', [start('a', false)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([undefined, error]);
});

it('keeps pods apart', () => {
  const cache = new ReasonCache();
  cache.update('uid-1', [start('a', true)]);
  expect(cache.get('uid-2', 'a')).toBeUndefined();
});

it('does not listen to what else was done', () => {
  const cache = new ReasonCache();
  cache.update('uid-1', [start('a', true)]);
  cache.update('uid-1', [
    { action: 'KillContainer', target: 'a' },
    {
      action: 'KillContainer',
      target: 'b',
      error: { reason: 'KillContainerError', message: 'no' },
    },
  ]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([error, undefined]);
});
