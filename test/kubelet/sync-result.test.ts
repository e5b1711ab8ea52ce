import { describe, expect, it } from 'vitest';

import { RuntimeError } from '../../src/kubelet/ports.js';
import {
  messageOf,
  type StartError,
  syncError,
  type SyncResult,
} from '../../src/kubelet/sync-result.js';

const start = (target: string, error?: StartError): SyncResult => ({
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

describe('what a sync came to', () => {
  it.each<[string, SyncResult[]]>([
    ['without steps', []],
    ['when every step was done', [start('a'), { action: 'KillContainer', target: 'b' }]],
  ])('is no error %s', (_, results) => {
    expect(syncError(results)).toBeUndefined();
  });

  it.each<[string, SyncResult[], string]>([
    [
      'one step that failed',
      [start('b'), kill],
      'failed to "KillContainer" for "b" with KillContainerError: "said \\"no\\""',
    ],
    [
      'two that failed',
      [start('a', backOff(1)), kill],
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
    ['the end of its back-off', [start('a', backOff(50))], 50],
    ['the first end of several', [start('a', backOff(50)), start('b', backOff(20)), kill], 20],
    [
      'no time without a back-off',
      [kill, start('a', { reason: 'RunContainerError', message: 'x' })],
      undefined,
    ],
  ])('is to be tried again at %s', (_, results, expected) => {
    expect(syncError(results)?.backoffUntil).toBe(expected);
  });
});

it('what a runtime says is a message; a bug is thrown on', () => {
  expect(messageOf(new RuntimeError('no'))).toBe('no');
  const bug = new TypeError('bug');
  expect(() => messageOf(bug)).toThrow(bug);
});
