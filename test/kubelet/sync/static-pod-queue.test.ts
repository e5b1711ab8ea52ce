import { expect, it } from 'vitest';

import { StaticPodQueue } from '../../../src/kubelet/sync/static-pod-queue.js';

const running = (): boolean => false;

it('the first pod of a name may start, and the next one when the first has ended', () => {
  const queue = new StaticPodQueue();
  queue.add('web', 'a');
  queue.add('web', 'b');
  expect([queue.allowStart('web', 'b', running), queue.allowStart('web', 'a', running)]).toEqual([
    false,
    true,
  ]);
  expect([queue.allowStart('web', 'b', running), queue.allowStart('web', 'a', running)]).toEqual([
    false,
    true,
  ]);
  queue.remove('web', 'b');
  expect(queue.allowStart('web', 'b', running)).toBe(false);
  queue.remove('web', 'a');
  expect(queue.allowStart('web', 'b', running)).toBe(true);
});

it('pods with different names do not wait for each other', () => {
  const queue = new StaticPodQueue();
  queue.add('web', 'a');
  queue.add('api', 'b');
  expect([queue.allowStart('web', 'a', running), queue.allowStart('api', 'b', running)]).toEqual([
    true,
    true,
  ]);
});

it('pods that have ended before their turn are skipped', () => {
  const queue = new StaticPodQueue();
  for (const uid of ['x', 'y', 'a', 'b']) queue.add('web', uid);
  const ended = (uid: string): boolean => uid === 'x' || uid === 'y';
  expect(queue.allowStart('web', 'b', ended)).toBe(false);
  expect(queue.allowStart('web', 'a', ended)).toBe(true);
  queue.remove('web', 'a');
  expect(queue.allowStart('web', 'b', ended)).toBe(true);
});

it('a pod may start when no other pod waits before it', () => {
  const queue = new StaticPodQueue();
  expect(queue.allowStart('web', 'a', running)).toBe(true);
  const behindTerminated = new StaticPodQueue();
  behindTerminated.add('web', 'x');
  expect(behindTerminated.allowStart('web', 'a', () => true)).toBe(true);
});
