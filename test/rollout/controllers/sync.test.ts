import { describe, expect, it } from 'vitest';

import {
  DESIRED_REPLICAS,
  MAX_REPLICAS,
} from '../../../src/rollout/controllers/deployment-util.js';
import { syncScale } from '../../../src/rollout/controllers/sync.js';
import {
  fakeSync,
  rolling,
  storedDeployment,
  storedReplicaSet,
} from '../../helpers/controllers.js';

/** Names of ReplicaSets, the oldest first. */
const NAMES = ['v1', 'v2', 'v3'];
type Sizes = readonly [fresh: number | undefined, ...old: number[]];

interface Row {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly before: Sizes;
  readonly after: Sizes;
  readonly surge?: readonly [before: number, after: number];
  /** Replicas that the ReplicaSets have been scaled for, where it is not `from`. */
  readonly desired?: readonly number[];
}

/** Rows of TestScale (pkg/controller/deployment/sync_test.go): the new ReplicaSet, then old ones from the latest on. */
const ROWS: readonly Row[] = [
  { name: 'up', from: 10, to: 12, before: [10], after: [12] },
  { name: 'down', from: 10, to: 5, before: [10], after: [5] },
  { name: 'up in proportion', from: 5, to: 10, before: [2, 3], after: [4, 6] },
  { name: 'down in proportion', from: 5, to: 3, before: [2, 3], after: [1, 2] },
  { name: 'an old one to 0', from: 9, to: 4, before: [8, 1], after: [4, 0] },
  { name: 'three up', from: 7, to: 10, before: [2, 3, 2], after: [3, 4, 3] },
  { name: 'three down', from: 13, to: 8, before: [2, 8, 3], after: [1, 5, 2] },
  { name: 'the newest up for the rest', from: 3, to: 4, before: [1, 1, 1], after: [2, 1, 1] },
  { name: 'the oldest down for the rest', from: 3, to: 2, before: [1, 1, 1], after: [1, 1, 0] },
  {
    name: 'the latest up without a new one',
    from: 4,
    to: 5,
    before: [undefined, 2, 2],
    after: [undefined, 3, 2],
  },
  { name: 'all to 0', from: 6, to: 0, before: [3, 2, 1], after: [0, 0, 0] },
  { name: 'the new one up from 0', from: 6, to: 6, before: [0, 0, 0], after: [6, 0, 0] },
  {
    name: 'the one whose update failed',
    from: 5,
    to: 5,
    before: [2, 1, 1],
    after: [2, 2, 1],
    desired: [5, 3, 5],
  },
  { name: 'surging ones', from: 10, to: 20, before: [6, 6], after: [11, 11], surge: [2, 2] },
  {
    name: 'after a change of surge and size',
    from: 10,
    to: 50,
    before: [5, 8],
    after: [22, 34],
    surge: [3, 6],
  },
  {
    name: 'after a change of template and size',
    from: 10,
    to: 14,
    before: [undefined, 7, 3],
    after: [undefined, 10, 4],
  },
  {
    name: 'no old one for a new one that is not available',
    from: 2,
    to: 2,
    before: [2, 1],
    after: [2, 1],
    surge: [1, 1],
  },
];

describe('a change of the size scales', () => {
  it.each(ROWS)(
    '$name: $from → $to',
    ({ from, to, before, after, surge = [0, 0], desired = [] }) => {
      const [fresh, ...old] = before;
      const sizes = [...(fresh === undefined ? [] : [fresh]), ...old];
      const sets = sizes.map((replicas, index) => {
        const name =
          index === 0 && fresh !== undefined ? 'new' : (NAMES[sizes.length - 1 - index] ?? '');
        const wanted = desired[index] ?? from;
        const annotations = {
          [DESIRED_REPLICAS]: String(wanted),
          [MAX_REPLICAS]: String(wanted + surge[0]),
        };
        return storedReplicaSet(name, replicas, {
          available: 0,
          annotations,
          created: 9000 - 1000 * index,
        });
      });
      const strategy = rolling(surge[1], surge[1]);
      const sync = fakeSync(storedDeployment({ replicas: to, strategy }), sets);
      syncScale(sync);
      const known = new Map(sets.map(({ metadata, spec }) => [metadata.name, spec.replicas]));
      for (const size of sync.sizes) {
        const [name = '', replicas = ''] = size.split(' ');
        known.set(name, Number(replicas));
      }
      expect([...known.values()]).toEqual(after.filter((size) => size !== undefined));
    },
  );

  it('old ReplicaSets to 0 once all new replicas are available', () => {
    const annotations = { [DESIRED_REPLICAS]: '2', [MAX_REPLICAS]: '3' };
    const sync = fakeSync(storedDeployment({ replicas: 2 }), [
      storedReplicaSet('new', 2, { annotations, created: 2000 }),
      storedReplicaSet('old', 1, { annotations, created: 1000 }),
    ]);
    syncScale(sync);
    expect(sync.sizes).toEqual(['old 0']);
  });
});
