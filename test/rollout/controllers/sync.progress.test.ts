import { describe, expect, it } from 'vitest';

import { getDeploymentCondition } from '../../../src/rollout/controllers/deployment-util.js';
import type { Condition } from '../../../src/rollout/controllers/objects.js';
import { syncRolloutStatus } from '../../../src/rollout/controllers/sync.js';
import { fakeSync, storedDeployment, storedReplicaSet } from '../../helpers/controllers.js';

/** Milliseconds. */
const BEFORE = 1_000_000;
const NOW = BEFORE + 61_000;

function condition(reason: string, status: Condition['status'] = 'True'): Condition {
  const times = { lastUpdateTime: BEFORE, lastTransitionTime: BEFORE };
  return { type: 'Progressing', status, reason, ...times };
}
const UPDATED = condition('ReplicaSetUpdated');
const AVAILABLE = condition('NewReplicaSetAvailable');
const TIMED_OUT = condition('ProgressDeadlineExceeded', 'False');

interface Row {
  readonly name: string;
  readonly deadline?: number | undefined;
  readonly before?: Condition;
  /** Replicas in the status of the Deployment, all of them updated. */
  readonly replicas: number;
  readonly old?: boolean;
  readonly available?: number;
  readonly expected?: Partial<Condition>;
}

/** Rows of TestSyncRolloutStatus (pkg/controller/deployment/progress_test.go); the deadline is over since 1 s. */
const ROWS: readonly Row[] = [
  { name: 'goes without a deadline', deadline: undefined, before: UPDATED, replicas: 2, old: true },
  {
    name: 'stays after the rollout is complete',
    before: AVAILABLE,
    replicas: 3,
    available: 3,
    expected: AVAILABLE,
  },
  {
    name: 'keeps its transition while it progresses',
    before: UPDATED,
    replicas: 1,
    expected: { reason: 'ReplicaSetUpdated', lastTransitionTime: BEFORE, lastUpdateTime: NOW },
  },
  {
    name: 'turns true again with progress after the deadline',
    before: TIMED_OUT,
    replicas: 1,
    expected: { reason: 'ReplicaSetUpdated', status: 'True', lastTransitionTime: NOW },
  },
  {
    name: 'begins with progress',
    replicas: 1,
    expected: { reason: 'ReplicaSetUpdated', status: 'True', lastTransitionTime: NOW },
  },
  {
    name: 'keeps its transition when the rollout is complete',
    before: UPDATED,
    replicas: 3,
    available: 3,
    expected: { reason: 'NewReplicaSetAvailable', lastTransitionTime: BEFORE },
  },
  {
    name: 'turns true when it is complete after the deadline',
    before: TIMED_OUT,
    replicas: 3,
    available: 3,
    expected: { reason: 'NewReplicaSetAvailable', status: 'True', lastTransitionTime: NOW },
  },
  {
    name: 'turns false at the deadline',
    before: UPDATED,
    replicas: 2,
    expected: { reason: 'ProgressDeadlineExceeded', status: 'False', lastTransitionTime: NOW },
  },
  {
    name: 'stays as it is after the deadline',
    before: TIMED_OUT,
    replicas: 2,
    expected: TIMED_OUT,
  },
];

describe('the Progressing condition', () => {
  it.each(ROWS)('$name', (row) => {
    const { before, replicas, available = 2, expected } = row;
    const progressDeadlineSeconds = 'deadline' in row ? row.deadline : 60;
    const size = available === 3 ? 3 : 2;
    const newRS = storedReplicaSet('new', size, { available });
    const deployment = storedDeployment(
      { replicas: 3, progressDeadlineSeconds },
      {
        ...{ replicas, updatedReplicas: replicas },
        ...{ readyReplicas: available, availableReplicas: available },
        conditions: before === undefined ? [] : [before],
      },
    );
    const sync = fakeSync(deployment, [newRS], { now: NOW });
    syncRolloutStatus(sync, [newRS], newRS);
    const found = getDeploymentCondition(sync.deployment.status, 'Progressing');
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it('is complete without a new ReplicaSet', () => {
    const deployment = storedDeployment({ replicas: 0 }, { conditions: [UPDATED] });
    const sync = fakeSync(deployment, []);
    syncRolloutStatus(sync, [], undefined);
    const found = getDeploymentCondition(sync.deployment.status, 'Progressing');
    expect(found?.reason).toBe('NewReplicaSetAvailable');
  });
});

describe('a stuck Deployment', () => {
  const newRS = storedReplicaSet('new', 3, { available: 1 });

  /** Milliseconds after which it is synced again, that long after its last progress. */
  function delaysAfter(seconds: number, progressDeadlineSeconds?: number): readonly number[] {
    const deployment = storedDeployment(
      { replicas: 3, progressDeadlineSeconds },
      { replicas: 3, updatedReplicas: 3, readyReplicas: 1, availableReplicas: 1 },
    );
    const first = fakeSync(deployment, [newRS], { now: BEFORE });
    syncRolloutStatus(first, [newRS], newRS);
    const conditions = [
      ...first.deployment.status.conditions.filter(({ type }) => type !== 'Progressing'),
      UPDATED,
    ];
    const status = { ...first.deployment.status, conditions };
    const now = BEFORE + seconds * 1000;
    const sync = fakeSync({ ...first.deployment, status }, [newRS], { now });
    syncRolloutStatus(sync, [newRS], newRS);
    return sync.delays;
  }

  it.each([
    [30, [31_000]],
    [59, [2000]],
    [59.001, [5]],
    [60, [5]],
  ])('%d s after its last progress is synced again after %j ms', (seconds, delays) => {
    expect(delaysAfter(seconds, 60)).toEqual(delays);
  });

  it.each([undefined, 2 ** 31 - 1])('is not synced again with a deadline of %s', (deadline) => {
    expect(delaysAfter(30, deadline)).toEqual([]);
  });
});
