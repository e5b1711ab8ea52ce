import { describe, expect, it } from 'vitest';

import { RuntimeError } from '../../src/kubelet/ports.js';
import {
  runtimeErrorMessage,
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

describe('syncError', () => {
  it.each<[string, SyncResult[]]>([
    ['no steps', []],
    ['steps that all succeeded', [step('a'), { action: 'KillContainer', target: 'b' }]],
  ])('is undefined for %s', (_, results) => {
    expect(syncError(results)).toBeUndefined();
  });

  it.each<[string, SyncResult[], string]>([
    [
      'one step that failed',
      [step('b'), kill],
      'failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""',
    ],
    [
      'two steps that failed',
      [step('a', backOff(1)), kill],
      '[failed to "StartContainer" for "a" with CrashLoopBackOff: "back-off 10s", failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""]',
    ],
    [
      'the same failure only once',
      [kill, kill],
      'failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""',
    ],
  ])('lists %s', (_, results, expected) => {
    expect(syncError(results)?.message).toBe(expected);
  });

  it.each<[string, SyncResult[], number | undefined]>([
    ['the end of the back-off', [step('a', backOff(50))], 50],
    [
      'the earliest end of several back-offs',
      [step('a', backOff(50)), step('b', backOff(20)), kill],
      20,
    ],
    [
      'undefined without a back-off',
      [kill, step('a', { reason: 'RunContainerError', message: 'x' })],
      undefined,
    ],
  ])('has as backoffUntil %s', (_, results, expected) => {
    expect(syncError(results)?.backoffUntil).toBe(expected);
  });
});

it('runtimeErrorMessage returns the message of a runtime error and throws a bug', () => {
  expect(runtimeErrorMessage(new RuntimeError('no'))).toBe('no');
  const bug = new TypeError('bug');
  expect(() => runtimeErrorMessage(bug)).toThrow(bug);
});

const error: StartError = { reason: 'RunContainerError', message: 'no' };
const start = (target: string, failed: boolean): SyncResult => ({
  action: 'StartContainer',
  target,
  ...(failed ? { error } : {}),
});

it('ReasonCache keeps the error of a start until the next start succeeds', () => {
  const cache = new ReasonCache();
  cache.update('uid-1', [start('a', true), start('b', false)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([error, undefined]);
  cache.update('uid-1', [start('b', true)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([error, error]);
  cache.update('uid-1', [start('a', false)]);
  expect([cache.get('uid-1', 'a'), cache.get('uid-1', 'b')]).toEqual([undefined, error]);
});

it('ReasonCache keeps pods apart', () => {
  const cache = new ReasonCache();
  cache.update('uid-1', [start('a', true)]);
  expect(cache.get('uid-2', 'a')).toBeUndefined();
});

it('ReasonCache ignores other actions than starts', () => {
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
