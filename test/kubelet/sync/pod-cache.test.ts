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

/** What a look that is newer than `time` gave, once it did. */
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

it('has an empty status of a pod that it does not know', () => {
  expect(new PodCache(clock).get('a')).toEqual(EMPTY);
});

it('has the status, or the error, that was set last, until it is deleted', () => {
  const cache = new PodCache(clock);
  cache.set('a', a1, 1);
  expect(cache.get('a')).toBe(a1);
  const error: CachedPod = { kind: 'error', message: 'no' };
  cache.set('a', error, 2);
  expect(cache.get('a')).toBe(error);
  cache.delete('a');
  expect(cache.get('a')).toEqual(EMPTY);
});

describe('a status that is newer than a time', () => {
  it.each<[string, (cache: PodCache) => void, CachedPod | undefined]>([
    ['is not there before anything was seen', () => undefined, undefined],
    ['is there when the pod was set later', (cache) => cache.set('a', a1, 11), a1],
    ['is not when it was set then', (cache) => cache.set('a', a1, 10), undefined],
    [
      'is there when the pod was looked at later',
      (cache) => {
        cache.set('a', a1, 5);
        cache.setObservedTime('a', 11);
      },
      a1,
    ],
    [
      'is there when all were looked at later',
      (cache) => {
        cache.set('a', a1, 5);
        cache.updateTime(11);
      },
      a1,
    ],
    ['is there, empty, when all were looked at later', (cache) => cache.updateTime(11), EMPTY],
    ['is not when all were looked at then', (cache) => cache.updateTime(10), undefined],
    [
      'is not when another one was looked at later',
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
    ['comes when the pod is set', (cache) => cache.set('a', a2, 10), a2],
    ['does not come with an older one', (cache) => cache.set('a', a2, 9), undefined],
    ['comes when the pod is looked at', (cache) => cache.setObservedTime('a', 10), a1],
    ['comes when all are looked at', (cache) => cache.updateTime(10), a1],
    ['does not come with another pod', (cache) => cache.set('b', a2, 20), undefined],
    ["does not come with another pod's look", (cache) => cache.setObservedTime('b', 20), undefined],
    ['does not come with a deletion', (cache) => cache.delete('a'), undefined],
  ])('%s', async (_, happen, expected) => {
    const cache = new PodCache(clock);
    cache.set('a', a1, 1);
    const seen = await waitFor(cache, 'a', 10);
    happen(cache);
    await clock.advance(0);
    expect(seen()).toEqual(expected);
  });

  it('comes to all who wait for it, each when theirs is', async () => {
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
