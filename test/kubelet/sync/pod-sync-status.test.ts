import { describe, expect, it } from 'vitest';

import {
  applyUpdate,
  calculateEffectiveGracePeriod,
  orphaned,
  type PodSyncStatus,
  type PodWorkType,
  SYNC_POD,
  terminated,
  terminating,
  type UpdatePodOptions,
  workTypeOf,
} from '../../../src/kubelet/sync/pod-sync-status.js';
import { buildPod, type PodOverrides } from '../../helpers/builders.js';

const ending = { deleted: false, restartRequested: false };
const terminatingPod = (gracePeriod: number) =>
  ({ kind: 'TerminatingPod', ...ending, gracePeriod }) as const;
const TERMINATED_POD = { kind: 'TerminatedPod', ...ending } as const;
const FINISHED = { kind: 'finished', ...ending } as const;

describe('the effective grace period', () => {
  it.each<[string, number, number | undefined, number | undefined, number | undefined, number]>([
    ["is the spec's", 0, 30, undefined, undefined, 30],
    ["is the deletion's", 0, 30, 5, undefined, 5],
    ["is the caller's", 0, 30, 5, 2, 2],
    ["is 1 when the deletion's is 0", 0, 30, 0, undefined, 1],
    ["is 1 when the caller's is 0", 0, 30, 5, 0, 1],
    ['never grows once set', 10, 30, 20, undefined, 10],
    ["shrinks to the deletion's", 10, 30, 5, undefined, 5],
    ["stays when the spec's is longer", 10, 30, undefined, undefined, 10],
    ['is 1 when none is set', 0, undefined, undefined, undefined, 1],
    ["can be longer than the spec's", 0, 30, 60, undefined, 60],
  ])('%s', (_, current, spec, deletion, override, expected) => {
    const pod = buildPod({
      spec: spec === undefined ? {} : { terminationGracePeriodSeconds: spec },
      metadata: deletion === undefined ? {} : { deletionGracePeriodSeconds: deletion },
    });
    expect(calculateEffectiveGracePeriod(current, pod, override)).toBe(expected);
  });
});

describe('an update', () => {
  const apply = (
    status: PodSyncStatus,
    options: Omit<Partial<UpdatePodOptions>, 'pod'> = {},
    pod: PodOverrides = {},
  ) => applyUpdate(status, { updateType: 'update', pod: buildPod(pod), ...options });
  const plain = { updateType: 'update', pod: buildPod() };

  it('of a running pod is passed on without a grace period', () => {
    const expected = { status: SYNC_POD, update: plain };
    expect(apply(SYNC_POD, { gracePeriodOverride: 5 })).toEqual(expected);
  });

  const deletion = { metadata: { deletionTimestamp: 1, deletionGracePeriodSeconds: 15 } };
  it.each<[string, Omit<Partial<UpdatePodOptions>, 'pod'>, PodOverrides, boolean]>([
    ['that deletes the pod', {}, deletion, true],
    ['that kills the pod', { updateType: 'kill' }, {}, false],
    ['that has phase Failed', {}, { status: { phase: 'Failed' } }, false],
    ['that has phase Succeeded', {}, { status: { phase: 'Succeeded' } }, false],
  ])('%s starts the termination', (_, options, pod, deleted) => {
    const { status } = apply(SYNC_POD, options, pod);
    expect(status).toMatchObject({ kind: 'TerminatingPod', deleted });
  });

  it('of a terminating pod has the shortest grace period and keeps the state', () => {
    const shorter = apply(terminatingPod(20), {}, deletion);
    expect(shorter.update.gracePeriodOverride).toBe(15);
    expect(shorter.status).toEqual(terminatingPod(15));
    const longer = apply(shorter.status, { gracePeriodOverride: 30 });
    expect(longer.update.gracePeriodOverride).toBe(15);
    expect(longer.status).toEqual(terminatingPod(15));
  });

  it('of a terminated pod has no grace period', () => {
    const expected = { status: TERMINATED_POD, update: plain };
    expect(apply(TERMINATED_POD, { gracePeriodOverride: 5 })).toEqual(expected);
  });
});

it.each<[PodSyncStatus, PodWorkType]>([
  [SYNC_POD, 'SyncPod'],
  [terminatingPod(30), 'TerminatingPod'],
  [TERMINATED_POD, 'TerminatedPod'],
  [FINISHED, 'TerminatedPod'],
])('the work type of %j is %s', (status, expected) => {
  expect(workTypeOf(status)).toBe(expected);
});

describe('terminating', () => {
  it.each<[string, PodSyncStatus, PodSyncStatus]>([
    ['starts the termination of a running pod', SYNC_POD, terminatingPod(0)],
    ['keeps a termination and its grace period', terminatingPod(20), terminatingPod(20)],
    ['leaves a terminated pod alone', TERMINATED_POD, TERMINATED_POD],
  ])('%s', (_, status, expected) => {
    expect(terminating(status)).toEqual(expected);
  });
});

describe('terminated', () => {
  it.each<[string, PodSyncStatus, PodSyncStatus]>([
    ['ends the termination', terminatingPod(20), TERMINATED_POD],
    [
      'keeps the deletion and the restart',
      { kind: 'TerminatingPod', deleted: true, restartRequested: true, gracePeriod: 1 },
      { kind: 'TerminatedPod', deleted: true, restartRequested: true },
    ],
    [
      'is the first status of a pod that ended before the kubelet started',
      SYNC_POD,
      TERMINATED_POD,
    ],
  ])('%s', (_, status, expected) => {
    expect(terminated(status)).toEqual(expected);
  });

  it('finishes a terminated pod', () => {
    expect(terminated(TERMINATED_POD, 'finished')).toEqual(FINISHED);
  });
});

describe('an orphaned pod', () => {
  const pod = buildPod({ spec: { terminationGracePeriodSeconds: 30 } });

  it.each<[string, PodSyncStatus, PodSyncStatus]>([
    [
      "that runs is terminated with the spec's grace period",
      SYNC_POD,
      { ...terminatingPod(30), deleted: true },
    ],
    [
      'that terminates keeps its grace period and counts as deleted',
      terminatingPod(20),
      { ...terminatingPod(20), deleted: true },
    ],
    ['that is terminated counts as deleted', TERMINATED_POD, { ...TERMINATED_POD, deleted: true }],
  ])('%s', (_, status, expected) => {
    expect(orphaned(status, pod)).toEqual(expected);
  });
});
