import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { type CachedPod, PodCache } from '../../../src/kubelet/sync/pod-cache.js';
import { buildRuntimePodStatus } from '../../helpers/builders.js';

const status = (uid: string, ip: string): CachedPod => ({
  kind: 'status',
  status: buildRuntimePodStatus({ uid, ips: [ip] }),
});
const [a1, a2] = [status('a', '10.0.0.1'), status('a', '10.0.0.2')];
const EMPTY: CachedPod = {
  kind: 'status',
  status: { uid: 'a', ips: [], sandboxStatuses: [], containerStatuses: [] },
};

const clock = new VirtualClock();

/** Waits for a status newer than `time`; the result returns it once it is there. */
async function waitFor(
  cache: PodCache,
  uid: string,
  time: number,
): Promise<() => CachedPod | undefined> {
  let seen: CachedPod | undefined;
  void Promise.resolve(cache.getNewerThan(uid, time)).then((pod) => (seen = pod));
  await Promise.resolve();
  return () => seen;
}

it('get returns an empty status for an unknown pod', () => {
  expect(new PodCache(clock).get('a')).toEqual(EMPTY);
});

it('get returns the last status or error until it is deleted', () => {
  const cache = new PodCache(clock);
  cache.set('a', a1, 1);
  expect(cache.get('a')).toBe(a1);
  const error: CachedPod = { kind: 'error', message: 'no' };
  cache.set('a', error, 2);
  expect(cache.get('a')).toBe(error);
  cache.delete('a');
  expect(cache.get('a')).toEqual(EMPTY);
});

describe('getNewerThan', () => {
  it.each<[string, (cache: PodCache) => void, CachedPod | undefined]>([
    ['waits before anything was set', () => undefined, undefined],
    ['returns the pod when it was set later', (cache) => cache.set('a', a1, 11), a1],
    ['waits when the pod was set at that time', (cache) => cache.set('a', a1, 10), undefined],
    [
      'returns the pod when it was observed later',
      (cache) => {
        cache.set('a', a1, 5);
        cache.setObservedTime('a', 11);
      },
      a1,
    ],
    [
      'returns the pod when all pods were observed later',
      (cache) => {
        cache.set('a', a1, 5);
        cache.updateTime(11);
      },
      a1,
    ],
    [
      'returns an empty status when all pods were observed later',
      (cache) => cache.updateTime(11),
      EMPTY,
    ],
    ['waits when all pods were observed at that time', (cache) => cache.updateTime(10), undefined],
    [
      'waits when only another pod was set later',
      (cache) => {
        cache.set('a', a1, 5);
        cache.set('b', a2, 11);
      },
      undefined,
    ],
  ])('%s', async (_, prepare, expected) => {
    const cache = new PodCache(clock);
    prepare(cache);
    const seen = await waitFor(cache, 'a', 10);
    expect(seen()).toEqual(expected);
  });

  it.each<[string, (cache: PodCache) => void, CachedPod | undefined]>([
    ['resolves when the pod is set', (cache) => cache.set('a', a2, 10), a2],
    ['does not resolve with an older status', (cache) => cache.set('a', a2, 9), undefined],
    ['resolves when the pod is observed', (cache) => cache.setObservedTime('a', 10), a1],
    ['resolves when all pods are observed', (cache) => cache.updateTime(10), a1],
    ['does not resolve when another pod is set', (cache) => cache.set('b', a2, 20), undefined],
    [
      'does not resolve when another pod is observed',
      (cache) => cache.setObservedTime('b', 20),
      undefined,
    ],
    ['does not resolve when the pod is deleted', (cache) => cache.delete('a'), undefined],
  ])('%s', async (_, happen, expected) => {
    const cache = new PodCache(clock);
    cache.set('a', a1, 1);
    const seen = await waitFor(cache, 'a', 10);
    happen(cache);
    await clock.advance(0);
    expect(seen()).toEqual(expected);
  });

  it('resolves each waiter at its own time', async () => {
    const cache = new PodCache(clock);
    cache.set('a', a1, 1);
    const waiting = await Promise.all([10, 20, 20].map((time) => waitFor(cache, 'a', time)));
    cache.set('a', a2, 15);
    await clock.advance(0);
    expect(waiting.map((seen) => seen() !== undefined)).toEqual([true, false, false]);
    cache.updateTime(25);
    await clock.advance(0);
    expect(waiting.map((seen) => seen())).toEqual([a2, a2, a2]);
  });
});
