import { describe, expect, it } from 'vitest';

import { isSelected, podToEndpoint } from '../../../src/rollout/controllers/endpoint-slice.js';
import type { Service } from '../../../src/rollout/controllers/objects.js';
import { buildApiPod, running } from '../../helpers/controllers.js';

const { metadata } = buildApiPod('web');
const serviceOf = (spec: Service['spec']): Service => ({ kind: 'Service', metadata, spec });

const selector = { app: 'web' };
const pod = (isReady: boolean, deletionTimestamp?: number) =>
  buildApiPod('web', {
    status: running(isReady ? 0 : undefined),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  });

describe('the endpoint of a pod', () => {
  /** Rows of TestPodToEndpoint (k8s.io/endpointslice/utils_test.go). */
  it.each([
    ['a ready pod', pod(true), false, [true, true, false]],
    ['a ready pod of publishNotReadyAddresses', pod(true), true, [true, true, false]],
    ['a pod that is not ready', pod(false), false, [false, false, false]],
    ['such a pod of publishNotReadyAddresses', pod(false), true, [true, false, false]],
    ['a ready pod that terminates', pod(true, 1), false, [false, true, true]],
    ['a terminating pod that is not ready', pod(false, 1), false, [false, false, true]],
    ['a terminating pod of publishNotReadyAddresses', pod(true, 1), true, [true, true, true]],
  ])('%s', (_, own, publishNotReadyAddresses, [ready, serving, terminating]) => {
    const service = serviceOf({ selector, publishNotReadyAddresses });
    expect(podToEndpoint(own, service)).toEqual({ ready, serving, terminating });
  });

  it.each([
    ['has no address', buildApiPod('web', { status: { phase: 'Pending' } })],
    ['has failed', buildApiPod('web', { status: { ...running(), phase: 'Failed' } })],
    ['has succeeded', buildApiPod('web', { status: { ...running(), phase: 'Succeeded' } })],
    ['is not selected', buildApiPod('web', { status: running(0), labels: { app: 'api' } })],
  ])('is missing when the pod %s', (_, own) => {
    expect(podToEndpoint(own, serviceOf({ selector }))).toBeUndefined();
  });

  it.each([
    [{ app: 'web' }, true],
    [{ app: 'web', tier: 'front' }, false],
    [{}, false],
    [undefined, false],
  ])('is selected by %j: %s', (labels, expected) => {
    expect(isSelected(pod(true), labels)).toBe(expected);
  });
});
