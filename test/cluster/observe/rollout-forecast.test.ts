import { expect, it } from 'vitest';

import { forecastText } from '../../../src/cluster/observe/rollout-forecast.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { PodSummary } from '../../../src/trace/summary/summary.js';
import { buildPod } from '../../helpers/builders.js';

/** A pod by when it was created, and after how many seconds it was ready. */
const pod = (addedAt: number, took?: number): PodSummary => ({
  ...newPodSummary('default/web', buildPod(), addedAt),
  ...(took !== undefined && {
    firstReadyAt: addedAt + took,
    conditions: { Ready: { status: 'True', reason: '' } },
  }),
});

it.each([
  ['no new pod is ready yet', [pod(0)], undefined],
  ['no new pod is there yet', [], undefined],
  [
    'the next pod has just begun',
    [pod(0, 12), pod(12)],
    'about 36s left if each new pod takes 12s',
  ],
  [
    'two start at a time',
    [pod(0, 9), pod(0, 9), pod(9), pod(9)],
    'about 6s left if each new pod takes 9s',
  ],
  ['none starts now', [pod(0, 3), pod(3, 3)], 'about 6s left if each new pod takes 3s'],
  [
    'each pod was made 5 s after the one before',
    [pod(0, 3), pod(8, 3)],
    'about 15s left if each new pod takes 3s, and each old one 5s to end',
  ],
  ['a pod takes longer than those before', [pod(0, 3), pod(3)], undefined],
])('forecasts the end of a rollout of 4 replicas where %s', (_, pods, text) => {
  const t = 12;
  expect(forecastText(pods, { desired: 4, minReadySeconds: 0, t })).toBe(text);
});

it('counts minReadySeconds to the time of each pod', () => {
  expect(forecastText([pod(0, 3)], { desired: 2, minReadySeconds: 10, t: 5 })).toBe(
    'about 21s left if each new pod takes 13s with its minReadySeconds of 10 s',
  );
});
