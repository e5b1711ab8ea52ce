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

describe('the grace period of a pod that ends', () => {
  it.each<[string, number, number | undefined, number | undefined, number | undefined, number]>([
    ["is the spec's", 0, 30, undefined, undefined, 30],
    ["is the deletion's", 0, 30, 5, undefined, 5],
    ["is the caller's", 0, 30, 5, 2, 2],
    ['is 1 after a deletion without any', 0, 30, 0, undefined, 1],
    ['is 1 when the caller gives none', 0, 30, 5, 0, 1],
    ['only shortens', 10, 30, 20, undefined, 10],
    ['shortens by a deletion', 10, 30, 5, undefined, 5],
    ['does not go back to the spec', 10, 30, undefined, undefined, 10],
    ['is 1 where nobody says', 0, undefined, undefined, undefined, 1],
    ["may be longer than the spec's", 0, 30, 60, undefined, 60],
  ])('%s', (_, current, spec, deletion, override, expected) => {
    const pod = buildPod({
      spec: spec === undefined ? {} : { terminationGracePeriodSeconds: spec },
      metadata: deletion === undefined ? {} : { deletionGracePeriodSeconds: deletion },
    });
    expect(calculateEffectiveGracePeriod(current, pod, override)).toBe(expected);
  });
});

describe('an update', () => {
  const note = (
    status: PodSyncStatus,
    options: Omit<Partial<UpdatePodOptions>, 'pod'> = {},
    pod: PodOverrides = {},
  ) => notePendingUpdate(status, { updateType: 'update', pod: buildPod(pod), ...options }, NOW);

  it('of a pod that lives is handed on as it is', () => {
    const status = statusOf();
    expect(note(status, { gracePeriodOverride: 5 })).toEqual({
      updateType: 'update',
      pod: buildPod(),
    });
    expect(status.terminatingAt).toBeUndefined();
  });

  const deleted = { metadata: { deletionTimestamp: 1, deletionGracePeriodSeconds: 15 } };
  it.each<[string, Omit<Partial<UpdatePodOptions>, 'pod'>, PodOverrides, boolean]>([
    ['that deletes it', {}, deleted, true],
    ['that kills it', { updateType: 'kill' }, {}, false],
    ['that shows it Failed', {}, { status: { phase: 'Failed' } }, false],
    ['that shows it Succeeded', {}, { status: { phase: 'Succeeded' } }, false],
  ])('%s has it end', (_, options, pod, isDeleted) => {
    const status = statusOf();
    note(status, options, pod);
    expect([status.terminatingAt, status.deleted]).toEqual([NOW, isDeleted]);
  });

  it('of a pod that ends carries the shortest grace period, and moves its begin no more', () => {
    const status = statusOf({ terminatingAt: 500, gracePeriod: 20 });
    expect(note(status, {}, deleted).gracePeriodOverride).toBe(15);
    expect(note(status, { gracePeriodOverride: 30 }).gracePeriodOverride).toBe(15);
    expect([status.terminatingAt, status.gracePeriod, status.deleted]).toEqual([500, 15, false]);
  });

  it('of a pod that has ended has no grace period any more', () => {
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
])('the work of a pod with %j is %s', (overrides, expected) => {
  expect(workTypeOf(statusOf(overrides))).toBe(expected);
});

describe('a step that is done', () => {
  const active: UpdatePodOptions = { updateType: 'sync', pod: buildPod() };
  const waits: UpdatePodOptions = { updateType: 'update', pod: buildPod() };

  it('of a pod that goes on leads nowhere', () => {
    const status = statusOf({ activeUpdate: active });
    expect(completeStep(status, 'SyncPod', false, NOW)).toBe(false);
    expect(status.pendingUpdate).toBeUndefined();
  });

  it('of a pod that has reached its end leads to its termination, with the last update', () => {
    const status = statusOf({ activeUpdate: active });
    expect(completeStep(status, 'SyncPod', true, NOW)).toBe(true);
    expect(status).toMatchObject({
      terminatingAt: NOW,
      startedTerminating: true,
      pendingUpdate: active,
    });
  });

  it('of a pod whose end was asked for meanwhile does not move that', () => {
    const status = statusOf({ activeUpdate: active, terminatingAt: 500, pendingUpdate: waits });
    completeStep(status, 'SyncPod', true, NOW);
    expect([status.terminatingAt, status.pendingUpdate]).toEqual([500, waits]);
  });

  it('of a termination leads to the last step', () => {
    const status = statusOf({ activeUpdate: active, terminatingAt: 500 });
    expect(completeStep(status, 'TerminatingPod', false, NOW)).toBe(true);
    expect(status).toMatchObject({ terminatedAt: NOW, pendingUpdate: active });
  });
});
