import { describe, expect, it } from 'vitest';

import {
  calculateEffectiveGracePeriod,
  completeStep,
  newPodSyncStatus,
  notePendingUpdate,
  type PodSyncStatus,
  type PodWorkType,
  type UpdatePodOptions,
  workTypeOf,
} from '../../../src/kubelet/sync/pod-sync-status.js';
import { buildPod, type PodOverrides } from '../../helpers/builders.js';

const NOW = 1_000;
const statusOf = (overrides: Partial<PodSyncStatus> = {}): PodSyncStatus => ({
  ...newPodSyncStatus('default/web'),
  ...overrides,
});

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

describe('a pending update', () => {
  const note = (
    status: PodSyncStatus,
    options: Omit<Partial<UpdatePodOptions>, 'pod'> = {},
    pod: PodOverrides = {},
  ) => notePendingUpdate(status, { updateType: 'update', pod: buildPod(pod), ...options }, NOW);

  it('of a running pod is unchanged', () => {
    const status = statusOf();
    expect(note(status, { gracePeriodOverride: 5 })).toEqual({
      updateType: 'update',
      pod: buildPod(),
    });
    expect(status.terminatingAt).toBeUndefined();
  });

  const deleted = { metadata: { deletionTimestamp: 1, deletionGracePeriodSeconds: 15 } };
  it.each<[string, Omit<Partial<UpdatePodOptions>, 'pod'>, PodOverrides, boolean]>([
    ['that deletes the pod', {}, deleted, true],
    ['that kills the pod', { updateType: 'kill' }, {}, false],
    ['that has phase Failed', {}, { status: { phase: 'Failed' } }, false],
    ['that has phase Succeeded', {}, { status: { phase: 'Succeeded' } }, false],
  ])('%s starts the termination', (_, options, pod, isDeleted) => {
    const status = statusOf();
    note(status, options, pod);
    expect([status.terminatingAt, status.deleted]).toEqual([NOW, isDeleted]);
  });

  it('of a terminating pod has the shortest grace period and keeps terminatingAt', () => {
    const status = statusOf({ terminatingAt: 500, gracePeriod: 20 });
    expect(note(status, {}, deleted).gracePeriodOverride).toBe(15);
    expect(note(status, { gracePeriodOverride: 30 }).gracePeriodOverride).toBe(15);
    expect([status.terminatingAt, status.gracePeriod, status.deleted]).toEqual([500, 15, false]);
  });

  it('of a terminated pod has no grace period', () => {
    const status = statusOf({ terminatingAt: 500, terminatedAt: 600, gracePeriod: 20 });
    expect(note(status, { gracePeriodOverride: 5 })).toEqual({
      updateType: 'update',
      pod: buildPod(),
    });
  });
});

it.each<[Partial<PodSyncStatus>, PodWorkType]>([
  [{}, 'SyncPod'],
  [{ terminatingAt: 1 }, 'TerminatingPod'],
  [{ terminatingAt: 1, terminatedAt: 2 }, 'TerminatedPod'],
])('the work type with %j is %s', (overrides, expected) => {
  expect(workTypeOf(statusOf(overrides))).toBe(expected);
});

describe('a completed step', () => {
  const active: UpdatePodOptions = { updateType: 'sync', pod: buildPod() };
  const waits: UpdatePodOptions = { updateType: 'update', pod: buildPod() };

  it('of a running pod has no follow-up', () => {
    const status = statusOf({ activeUpdate: active });
    expect(completeStep(status, 'SyncPod', false, NOW)).toBe(false);
    expect(status.pendingUpdate).toBeUndefined();
  });

  it('of a pod that is terminal starts the termination with the last update', () => {
    const status = statusOf({ activeUpdate: active });
    expect(completeStep(status, 'SyncPod', true, NOW)).toBe(true);
    expect(status).toMatchObject({
      terminatingAt: NOW,
      pendingUpdate: active,
    });
  });

  it('keeps a pending termination and its update', () => {
    const status = statusOf({ activeUpdate: active, terminatingAt: 500, pendingUpdate: waits });
    completeStep(status, 'SyncPod', true, NOW);
    expect([status.terminatingAt, status.pendingUpdate]).toEqual([500, waits]);
  });

  it('of a termination is followed by the last step', () => {
    const status = statusOf({ activeUpdate: active, terminatingAt: 500 });
    expect(completeStep(status, 'TerminatingPod', false, NOW)).toBe(true);
    expect(status).toMatchObject({ terminatedAt: NOW, pendingUpdate: active });
  });
});
