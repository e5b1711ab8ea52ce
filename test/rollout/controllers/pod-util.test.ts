import { expect, it } from 'vitest';

import {
  findMinNextPodAvailabilityCheck,
  isAvailable,
} from '../../../src/rollout/controllers/pod-util.js';
import { buildApiPod, running } from '../../helpers/controllers.js';

const NOW = 100_000;
const readyFor = (seconds: number) => buildApiPod('web', { status: running(NOW - seconds * 1000) });
const notReady = buildApiPod('web', { status: running() });

/** Rows of TestNextPodAvailabilityCheck and TestFindMinNextPodAvailability (pkg/controller/controller_utils_test.go). */
it.each([
  ['is not ready', [notReady], 1, undefined],
  ['is available at once', [readyFor(0)], 0, undefined],
  ['has just become ready', [readyFor(0)], 1, 1000],
  ['is ready for 20 s', [readyFor(20)], 30, 10_000],
  ['is available', [readyFor(51)], 50, undefined],
  ['is the first of several', [readyFor(5), notReady, readyFor(20), readyFor(60)], 30, 10_000],
])('the next check of a pod that %s', (_, pods, minReadySeconds, expected) => {
  expect(findMinNextPodAvailabilityCheck(pods, minReadySeconds, NOW)).toBe(expected);
});

it.each([
  ['not ready', notReady, 0, false],
  ['ready', readyFor(0), 0, true],
  ['ready for less than minReadySeconds', readyFor(9), 10, false],
  ['ready for minReadySeconds', readyFor(10), 10, true],
])('a pod that is %s is available: %#', (_, pod, minReadySeconds, expected) => {
  expect(isAvailable({ spec: { minReadySeconds } }, pod, NOW)).toBe(expected);
});
