import { describe, expect, it } from 'vitest';

import {
  deploymentComplete,
  deploymentProgressing,
  deploymentTimedOut,
  getReplicaSetProportion,
  MAX_REPLICAS,
  maxSurge,
  maxUnavailable,
  newRSNewReplicas,
} from '../../../src/rollout/controllers/deployment-util.js';
import { rolling, storedDeployment, storedReplicaSet } from '../../helpers/controllers.js';

const RECREATE = { type: 'Recreate' } as const;
const INFINITE = 2 ** 31 - 1;
const ANY = 1000;

/** Rows of pkg/controller/deployment/util/deployment_util_test.go. */
describe('of a Deployment', () => {
  it.each([
    ['39%', '39%', 4, 3],
    [0, '39%', 0, 3],
    ['39%', 0, 4, 0],
    [0, 0, 0, 1],
    ['0%', '0%', 0, 1],
    // No API server accepts these, but `--no-validate` does.
    ['x', '', 0, 1],
  ])('maxSurge %s and maxUnavailable %s are %d and %d of 10 replicas', (surge, down, up, least) => {
    const deployment = storedDeployment({ strategy: rolling(surge, down) });
    expect([maxSurge(deployment), maxUnavailable(deployment)]).toEqual([up, least]);
  });

  it.each([
    [10, rolling(1, 5), 5],
    [10, rolling(1, 10), 10],
    [5, rolling(1, 10), 5],
    [0, rolling(1, 10), 0],
    [10, RECREATE, 0],
    // No API server accepts it, but `--no-validate` does.
    [10, { type: 'Rolling' } as unknown as typeof RECREATE, 0],
    [10, rolling(1, '50%'), 5],
    [10, rolling(1, '100%'), 10],
    [5, rolling(1, '100%'), 5],
  ])('%d replicas with %j have a maxUnavailable of %d', (replicas, strategy, expected) => {
    expect(maxUnavailable(storedDeployment({ replicas, strategy }))).toBe(expected);
  });

  it.each([
    ['cannot be scaled up beyond its surge', 1, rolling(1, 1), 5, 5],
    ['is scaled up to the replicas', 6, rolling(10, 1), 2, 6],
    ['is scaled up to the replicas by Recreate', 3, RECREATE, 1, 3],
  ])('the new ReplicaSet %s', (_, replicas, strategy, before, expected) => {
    const deployment = storedDeployment({ replicas, strategy });
    const all = [storedReplicaSet('old', 5)];
    expect(newRSNewReplicas(deployment, all, storedReplicaSet('new', before))).toBe(expected);
  });

  it.each([
    ['no replicas scales to 0', 0, 0, 0, 10, undefined, -10],
    ['no annotation and no status does not scale', 10, 0, 0, 5, undefined, 0],
    ['an annotation of 0 does not scale', 10, 0, 0, 5, '0', 0],
    ['no annotation scales by its status', 120, 100, 0, 50, undefined, 10],
    ['an annotation of 0 scales by its status', 120, 100, 0, 50, '0', 10],
    ['a fifth more scales up by a fifth', 120, 0, 0, 50, '100', 10],
    ['a surge scales up by less', 120, 0, 10, 50, '110', 9],
    ['a sixth less scales down by a sixth', 10, 0, 0, 6, '12', -1],
    ['a surge scales down by about a sixth', 100, 0, 10, 50, '130', -8],
  ])('%s', (_, replicas, before, surge, size, annotation, fraction) => {
    const deployment = storedDeployment(
      { replicas, strategy: rolling(surge, 1) },
      { replicas: before },
    );
    const annotations = annotation === undefined ? {} : { [MAX_REPLICAS]: annotation };
    const rs = storedReplicaSet('new', size, { annotations });
    const room = fraction < 0 ? -ANY : ANY;
    expect(getReplicaSetProportion(rs, deployment, room, 0)).toBe(fraction);
  });

  it.each([
    [4, 1, 3],
    [4, 4, 0],
    [0, 0, 0],
  ])('of %d replicas to add and %d added, at most %d are added', (toAdd, added, most) => {
    const deployment = storedDeployment({ replicas: 120 });
    const rs = storedReplicaSet('new', 50, { annotations: { [MAX_REPLICAS]: '100' } });
    expect(getReplicaSetProportion(rs, deployment, toAdd, added)).toBe(most);
  });
});

type Counts = readonly [replicas: number, updated: number, ready: number, available: number];

function statusOf([replicas, updatedReplicas, readyReplicas, availableReplicas]: Counts) {
  return storedDeployment({}, { replicas, updatedReplicas, readyReplicas, availableReplicas })
    .status;
}

describe('the progress of a Deployment', () => {
  it.each<[string, boolean, Counts, Counts]>([
    ['more updated pods', true, [10, 4, 4, 4], [10, 6, 4, 4]],
    ['no change', false, [10, 4, 4, 4], [10, 4, 4, 4]],
    ['old pods that are gone', true, [10, 4, 6, 6], [8, 4, 6, 6]],
    ['fewer new pods', false, [10, 7, 3, 3], [10, 6, 3, 3]],
    ['fewer pods, but more new ones', true, [10, 4, 7, 7], [8, 8, 5, 5]],
    ['more ready pods', true, [10, 10, 9, 8], [10, 10, 10, 8]],
    ['more available pods', true, [10, 10, 10, 9], [10, 10, 10, 10]],
  ])('with %s is %s', (_, expected, before, after) => {
    const deployment = storedDeployment({}, statusOf(before));
    expect(deploymentProgressing(deployment, statusOf(after))).toBe(expected);
  });

  it.each<[string, boolean, number, Counts]>([
    ['one pod is not available', false, 5, [5, 5, 4, 4]],
    ['two pods are not available', false, 5, [5, 5, 3, 3]],
    ['all pods are new and available', true, 5, [5, 5, 5, 5]],
    ['one pod is not updated', false, 5, [5, 4, 5, 5]],
    ['an old pod still runs', false, 1, [2, 1, 1, 1]],
    ['the only pod never comes up', false, 1, [1, 1, 0, 0]],
  ])('where %s is complete: %s', (_, expected, replicas, counts) => {
    expect(deploymentComplete(storedDeployment({ replicas }), statusOf(counts))).toBe(expected);
  });

  it('is not complete while the controller has not seen the last change', () => {
    const status = { ...statusOf([5, 5, 5, 5]), observedGeneration: 0 };
    expect(deploymentComplete(storedDeployment({ replicas: 5 }), status)).toBe(false);
  });

  it.each([
    ['without a deadline', undefined, 11, '', false],
    ['with an infinite deadline', INFINITE, 11, '', false],
    ['11 s after its last sign, with a deadline of 10 s', 10, 11, '', true],
    ['10 s after it', 10, 10, '', false],
    ['9 s after it', 10, 9, '', false],
    ['when it was complete before', 10, 11, 'NewReplicaSetAvailable', false],
    ['when it was timed out before', 10, 0, 'ProgressDeadlineExceeded', true],
  ])('%s has timed out: %#', (_, progressDeadlineSeconds, seconds, reason, expected) => {
    const times = { lastUpdateTime: 0, lastTransitionTime: 0 };
    const condition = {
      type: 'Progressing',
      status: 'True',
      reason,
      ...times,
    } as const;
    const deployment = storedDeployment({ progressDeadlineSeconds }, { conditions: [condition] });
    expect(deploymentTimedOut(deployment, deployment.status, seconds * 1000)).toBe(expected);
  });
});
