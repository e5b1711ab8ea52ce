import { describe, expect, it } from 'vitest';

import { RuntimeError } from '../../src/kubelet/ports.js';
import {
  messageOf,
  type StartError,
  syncError,
  type SyncResult,
} from '../../src/kubelet/sync-result.js';
import { ReasonCache } from '../../src/kubelet/sync-result.js';

const step = (target: string, error?: StartError): SyncResult => ({
  action: 'StartContainer',
  target,
  ...(error === undefined ? {} : { error }),
});
const backOff = (backoffUntil: number): StartError => ({
  reason: 'CrashLoopBackOff',
  message: 'back-off 10s',
  backoffUntil,
});
const kill: SyncResult = {
  action: 'KillContainer',
  target: 'b',
  error: { reason: 'KillContainerError', message: 'said "no"' },
};

describe('the result of a sync', () => {
  it.each<[string, SyncResult[]]>([
    ['without steps', []],
    ['when every step was done', [step('a'), { action: 'KillContainer', target: 'b' }]],
  ])('is no error %s', (_, results) => {
    expect(syncError(results)).toBeUndefined();
  });

  it.each<[string, SyncResult[], string]>([
    [
      'one step that failed',
      [step('b'), kill],
      'failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""',
    ],
    [
      'two that failed',
      [step('a', backOff(1)), kill],
      '[failed to "StartContainer" for "a" with CrashLoopBackOff: "back-off 10s", failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""]',
    ],
    [
      'the same twice, once',
      [kill, kill],
      'failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""',
    ],
  ])('tells of %s', (_, results, expected) => {
    expect(syncError(results)?.message).toBe(expected);
  });

  it.each<[string, SyncResult[], number | undefined]>([
    ['the end of its back-off', [step('a', backOff(50))], 50],
    ['the first end of several', [step('a', backOff(50)), step('b', backOff(20)), kill], 20],
    [
      'no time without a back-off',
      [kill, step('a', { reason: 'RunContainerError', message: 'x' })],
      undefined,
    ],
  ])('is to be tried again at %s', (_, results, expected) => {
    expect(syncError(results)?.backoffUntil).toBe(expected);
  });
});

it('an error of the runtime is a message; a bug is thrown', () => {
  expect(messageOf(new RuntimeError('no'))).toBe('no');
  const bug = new TypeError('bug');
  expect(() => messageOf(bug)).toThrow(bug);
});

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
