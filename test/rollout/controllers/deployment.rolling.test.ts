import { describe, expect, it } from 'vitest';

import { rolloutRolling } from '../../../src/rollout/controllers/deployment.js';
import {
  fakeSync,
  rolling,
  storedDeployment,
  storedReplicaSet,
} from '../../helpers/controllers.js';

/** Rolls a Deployment of ten replicas out by one step; returns the sizes that it stores. */
function stored(
  strategy: ReturnType<typeof rolling>,
  old: readonly [replicas: number, available: number],
  fresh: readonly [replicas: number, available: number],
): readonly string[] {
  const sync = fakeSync(storedDeployment({ strategy }), [
    storedReplicaSet('old', old[0], { available: old[1] }),
    storedReplicaSet('new', fresh[0], { available: fresh[1] }),
  ]);
  rolloutRolling(sync);
  return sync.sizes;
}

/** Rows of pkg/controller/deployment/rolling_test.go; all Deployments have ten replicas. */
describe('a step of a rolling update', () => {
  it.each([
    [0, 10, 0, []],
    [2, 10, 0, ['new 2']],
    [2, 5, 0, ['new 7']],
    [2, 10, 2, []],
    [2, 2, 11, ['new 10']],
  ])('with maxSurge %d, %d old and %d new replicas stores %j', (surge, old, fresh, sizes) => {
    // A minimum of all replicas keeps old pods.
    const strategy = rolling(surge, surge === 0 ? 1 : 0);
    const ofNew = stored(strategy, [old, old], [fresh, 0]).filter((size) => size.startsWith('new'));
    expect(ofNew).toEqual(sizes);
  });

  it.each([
    ['takes one of 10 available ones', 0, 10, 10, 0, ['old 9']],
    ['takes maxUnavailable of 10 available ones', 2, 10, 10, 0, ['old 8']],
    ['takes unhealthy ones first', 2, 10, 8, 0, ['old 8']],
    ['takes an unhealthy one, then an available one', 2, 10, 9, 0, ['old 9', 'old 8']],
    ['takes none for new ones that are not available', 2, 8, 8, 2, []],
    ['takes no unhealthy one either for new ones that are not available', 2, 8, 7, 2, []],
  ])('%s', (_, unavailable, old, available, fresh, sizes) => {
    expect(stored(rolling(0, unavailable), [old, available], [fresh, 0])).toEqual(sizes);
  });

  it.each([
    ['some of the unhealthy ones', 1, 8, ['old 9']],
    ['all unhealthy ones', 3, 8, ['old 8', 'old 7']],
    ['none where all are available', 3, 10, ['old 7']],
    ['none where more are available than wanted', 3, 11, []],
  ])('cleans up %s', (_, unavailable, available, sizes) => {
    expect(stored(rolling(0, unavailable), [10, available], [0, 0])).toEqual(sizes);
  });

  it.each([
    [0, 10, 10, ['old 9']],
    [2, 10, 10, ['old 8']],
    [2, 8, 8, []],
    [2, 0, 0, []],
  ])('with maxUnavailable %d, scales %d old ones, %d available', (unavailable, old, up, sizes) => {
    const strategy = rolling(0, unavailable);
    expect(stored(strategy, [old, up], [10 - old, 0])).toEqual(sizes);
  });

  it('takes replicas of the oldest ReplicaSet first', () => {
    const sync = fakeSync(storedDeployment({ strategy: rolling(0, 4) }), [
      storedReplicaSet('second', 7, { created: 2000 }),
      storedReplicaSet('first', 3, { created: 1000 }),
      storedReplicaSet('new', 0),
    ]);
    rolloutRolling(sync);
    expect(sync.sizes).toEqual(['first 0', 'second 6']);
  });
});
