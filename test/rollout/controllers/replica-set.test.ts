import { describe, expect, it } from 'vitest';

import type { ApiServer } from '../../../src/rollout/api-server.js';
import type {
  ApiPod,
  ReplicaSet,
  ReplicaSetStatus,
} from '../../../src/rollout/controllers/objects.js';
import { syncReplicaSet } from '../../../src/rollout/controllers/replica-set.js';
import { buildApiPod, running, storedReplicaSet } from '../../helpers/controllers.js';

const NOW = 100_000;

interface Synced {
  created: number;
  readonly deleted: string[];
  readonly delays: number[];
  status?: ReplicaSetStatus;
}

function synced(rs: ReplicaSet, pods: readonly ApiPod[]): Synced {
  const found: Synced = { created: 0, deleted: [], delays: [] };
  const api: Partial<ApiServer> = {
    createPod() {
      found.created++;
      return buildApiPod('created');
    },
    deletePod: ({ metadata }) => void found.deleted.push(metadata.name),
    updateStatus: ({ status }) => void (found.status = status as ReplicaSetStatus),
  };
  syncReplicaSet({
    rs,
    pods,
    relatedPods: () => pods,
    now: NOW,
    api: api as ApiServer,
    enqueueAfter: (_, delay) => void found.delays.push(delay),
  });
  return found;
}

const ready = (name: string, more = {}) =>
  buildApiPod(name, { status: running(NOW - 10_000), ...more });
const podsOf = (count: number): ApiPod[] =>
  Array.from({ length: count }, (_, index) => ready(`web-${index}`));

describe('a ReplicaSet', () => {
  // All pods are admitted, so that the batches of a slow start (1, 2, 4, …) follow each other at once.
  it.each([
    [0, 0, 0, 0],
    [1, 0, 1, 0],
    [10, 0, 10, 0],
    [10, 7, 3, 0],
    [3, 3, 0, 0],
    [3, 5, 0, 2],
    [0, 4, 0, 4],
    [1200, 0, 500, 0],
    [0, 501, 0, 500],
  ])(
    'of %d replicas with %d pods creates %d and deletes %d',
    (replicas, pods, created, deleted) => {
      const found = synced(storedReplicaSet('new', replicas), podsOf(pods));
      expect([found.created, found.deleted.length]).toEqual([created, deleted]);
    },
  );

  it('replaces pods that terminate or have ended, and counts only those that terminate', () => {
    const pods = [
      ready('web-0'),
      ready('web-1', { deletionTimestamp: NOW }),
      buildApiPod('web-2', { status: { phase: 'Failed' } }),
    ];
    const found = synced(storedReplicaSet('new', 3), pods);
    expect(found.created).toBe(2);
    expect(found.status).toMatchObject({ replicas: 1, terminatingReplicas: 1 });
  });

  it('deletes pods that are not ready first', () => {
    const pods = [...podsOf(2), buildApiPod('web-9', { status: running() })];
    expect(synced(storedReplicaSet('new', 2), pods).deleted).toEqual(['web-9']);
  });

  /** Rows of TestCalculateStatus (pkg/controller/replicaset/replica_set_utils_test.go). */
  it.each([
    ['labeled and ready ones', 'new', 0, [ready('a'), ready('b')], [2, 2, 2, 2]],
    ['one without a label of the template', 'old', 0, [ready('a')], [1, 0, 1, 1]],
    [
      'one that is not ready',
      'new',
      0,
      [ready('a'), buildApiPod('b', { status: running() })],
      [2, 2, 1, 1],
    ],
    ['one that is not ready for long enough', 'new', 3600, [ready('a')], [1, 1, 1, 0]],
    ['one that is ready for minReadySeconds', 'new', 10, [ready('a')], [1, 1, 1, 1]],
  ])('counts %s', (_, version, minReadySeconds, pods, expected) => {
    const { status } = synced(storedReplicaSet(version, 9, { minReadySeconds }), pods);
    expect([
      status?.replicas,
      status?.fullyLabeledReplicas,
      status?.readyReplicas,
      status?.availableReplicas,
    ]).toEqual(expected);
  });

  it.each([
    [30, [20_000]],
    [10, []],
    [0, []],
  ])('with minReadySeconds %d is synced again after %j ms', (minReadySeconds, delays) => {
    const rs = storedReplicaSet('new', 1, { minReadySeconds });
    expect(synced(rs, [ready('a')]).delays).toEqual(delays);
  });
});
