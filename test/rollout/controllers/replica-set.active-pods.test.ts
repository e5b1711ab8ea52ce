import { describe, expect, it } from 'vitest';

import type { PodStatus } from '../../../src/api/index.js';
import type { ApiPod } from '../../../src/rollout/controllers/objects.js';
import { getPodsToDelete } from '../../../src/rollout/controllers/replica-set.js';
import { buildContainerStatus, buildSidecar } from '../../helpers/builders.js';
import { buildApiPod, running } from '../../helpers/controllers.js';

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
const NOW = 3 * MONTH;

interface Made {
  readonly node?: string | undefined;
  readonly status?: PodStatus;
  readonly restarts?: readonly [container: number, sidecar: number];
  readonly created?: number;
  readonly cost?: string;
  readonly uid?: string;
}

function pod(
  name: string,
  { node = 'node', status, restarts, created = NOW, cost, uid }: Made,
): ApiPod {
  const annotations =
    cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost };
  const counts = restarts && {
    containerStatuses: [buildContainerStatus({ restartCount: restarts[0] })],
    initContainerStatuses: [buildContainerStatus({ name: 'sidecar', restartCount: restarts[1] })],
  };
  const built = buildApiPod(name, {
    annotations,
    creationTimestamp: created,
    uid: uid ?? name,
    ...(node !== '' && { nodeName: node }),
    status: { phase: 'Pending', ...status, ...counts },
  });
  return { ...built, spec: { ...built.spec, initContainers: [buildSidecar()] } };
}

const unscheduled = pod('unscheduled', { node: '' });
const pending = pod('pending', {});
const unknown = pod('unknown', { status: { phase: 'Unknown' } });
const notReady = pod('not-ready', { status: running() });
const { conditions: _, ...runs } = running();
const noTime = pod('no-time', {
  status: { ...runs, conditions: [{ type: 'Ready', status: 'True' }] },
});
const readyNow = pod('ready-now', { status: running(NOW) });
const readyMonth = pod('ready-month', { status: running(NOW - MONTH), created: NOW - MONTH });
const restarted = pod('restarted', { status: running(NOW), restarts: [9001, 0] });
const sidecar = pod('sidecar', { status: running(NOW), restarts: [9001, 9001] });
const oldPod = pod('created-month', { status: running(NOW), created: NOW - MONTH });
const cheap = pod('cheap', { status: running(NOW), created: NOW - MONTH, cost: '10' });
const costly = pod('costly', { status: running(NOW), created: NOW - MONTH, cost: '100' });
const hours = (count: number, uid: string): ApiPod =>
  pod(`ready-${count}-hours`, { status: running(NOW - count * HOUR), created: NOW - MONTH, uid });

/** Rows of TestSortingActivePodsWithRanks (pkg/controller/controller_utils_test.go): the first is deleted. */
describe('of two pods', () => {
  it.each([
    ['one without a node', unscheduled, pending],
    ['a pending one', pending, unknown],
    ['one in an unknown phase', unknown, notReady],
    ['one that is not ready', notReady, noTime],
    ['one that is ready since an unknown time', noTime, readyNow],
    ['one that is ready for a shorter time', readyNow, readyMonth],
    ['one with more restarts', restarted, readyNow],
    ['one with more restarts of a sidecar', sidecar, restarted],
    ['the younger one', readyNow, oldPod],
    ['one with a lower deletion cost', cheap, costly],
    ['one that is ready for a fraction of the time', hours(2, 'b'), hours(5, 'a')],
    ['of about the same age the one with the lower UID', hours(8, 'a'), hours(5, 'b')],
  ])('%s goes first', (_, lesser, greater) => {
    const firstOf = (pods: readonly ApiPod[]) =>
      getPodsToDelete(pods, pods, 1, NOW).map(({ metadata }) => metadata.name);
    expect(firstOf([lesser, greater])).toEqual([lesser.metadata.name]);
    expect(firstOf([greater, lesser])).toEqual([lesser.metadata.name]);
  });

  it.each([
    ['ready since an unknown time', readyNow, noTime],
    ['ready for longer', readyNow, readyMonth],
    ['restarted more often', readyNow, restarted],
    ['younger', oldPod, readyNow],
  ])('one beside more related pods goes before one that is %s', (_, lesser, greater) => {
    const onNode = (own: ApiPod, nodeName: string): ApiPod => ({
      ...own,
      spec: { ...own.spec, nodeName },
    });
    const pods = [onNode(greater, 'node-1'), onNode(lesser, 'node-2')];
    const related = [...pods, pod('other', { node: 'node-2', status: running(NOW) })];
    expect(getPodsToDelete(pods, related, 1, NOW)).toEqual([pods[1]]);
  });

  it('one beside pods that have ended or terminate counts none of them', () => {
    const pods = [hours(2, 'b'), pod('on-2', { node: 'node-2', status: running(NOW - MONTH) })];
    const ended = pod('ended', { node: 'node-2', status: { phase: 'Failed' } });
    const doomed = buildApiPod('doomed', { nodeName: 'node-2', deletionTimestamp: NOW });
    const related = [...pods, ended, ended, doomed];
    expect(getPodsToDelete(pods, related, 1, NOW)).toEqual([pods[0]]);
  });
});

/** Rows of TestGetPodsToDelete (pkg/controller/replicaset/replica_set_test.go). */
describe('getPodsToDelete', () => {
  const on1 = pod('on-1', { node: 'node-1', status: running(NOW) });
  const on2 = pod('on-2', { node: 'node-2', status: running(NOW) });
  it.each([
    ['no pods', [], undefined, 0, []],
    ['all pods, in their order', [notReady, on1], undefined, 2, [notReady, on1]],
    ['the one that is not ready', [on1, notReady], undefined, 1, [notReady]],
    ['the unscheduled one', [pending, unscheduled], undefined, 1, [unscheduled]],
    ['the colocated one', [on1, on2], [on1, on2, on2], 1, [on2]],
    ['the pending one', [pending, notReady], undefined, 1, [pending]],
    [
      'the first three',
      [on1, on2, notReady, pending, unscheduled],
      undefined,
      3,
      [unscheduled, pending, notReady],
    ],
  ])('returns %s', (_, pods, related, diff, expected) => {
    expect(getPodsToDelete(pods, related ?? pods, diff, NOW)).toEqual(expected);
  });
});
