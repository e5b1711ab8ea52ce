import { expect, it } from 'vitest';

import { StaticPodTurns } from '../../../src/kubelet/sync/pod-sync-status.js';

const lives = (): boolean => false;

it('the first pod of a name may start, and the next one when the first has ended', () => {
  const turns = new StaticPodTurns();
  turns.wait('web', 'a');
  turns.wait('web', 'b');
  expect([turns.allow('web', 'b', lives), turns.allow('web', 'a', lives)]).toEqual([false, true]);
  expect([turns.allow('web', 'b', lives), turns.allow('web', 'a', lives)]).toEqual([false, true]);
  turns.free('web', 'b');
  expect(turns.allow('web', 'b', lives)).toBe(false);
  turns.free('web', 'a');
  expect(turns.allow('web', 'b', lives)).toBe(true);
});

it('pods with different names do not wait for each other', () => {
  const turns = new StaticPodTurns();
  turns.wait('web', 'a');
  turns.wait('api', 'b');
  expect([turns.allow('web', 'a', lives), turns.allow('api', 'b', lives)]).toEqual([true, true]);
});

it('pods that have ended before their turn are skipped', () => {
  const turns = new StaticPodTurns();
  for (const uid of ['x', 'y', 'a', 'b']) turns.wait('web', uid);
  const ended = (uid: string): boolean => uid === 'x' || uid === 'y';
  expect(turns.allow('web', 'b', ended)).toBe(false);
  expect(turns.allow('web', 'a', ended)).toBe(true);
  turns.free('web', 'a');
  expect(turns.allow('web', 'b', ended)).toBe(true);
});

it('a pod may start when no other pod waits before it', () => {
  const turns = new StaticPodTurns();
  expect(turns.allow('web', 'a', lives)).toBe(true);
  const left = new StaticPodTurns();
  left.wait('web', 'x');
  expect(left.allow('web', 'a', () => true)).toBe(true);
});
