import { expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import {
  type ContainerKillReason,
  setTerminationGracePeriod,
} from '../../../src/kubelet/containers/termination-grace-period.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const container = buildContainer({
  startupProbe: buildProbe({ terminationGracePeriodSeconds: 5 }),
  livenessProbe: buildProbe({ terminationGracePeriodSeconds: 50 }),
});
const plain = buildContainer({ startupProbe: buildProbe(), livenessProbe: buildProbe() });
const pod = buildPod({ spec: { terminationGracePeriodSeconds: 30 } });
const deleted = buildPod({
  metadata: { deletionGracePeriodSeconds: 0 },
  spec: { terminationGracePeriodSeconds: 30 },
});

it.each<[string, Pod, typeof container, ContainerKillReason, number]>([
  ["is the pod's", pod, container, 'Unknown', 30],
  ["is the pod's when the container changed", pod, container, '', 30],
  ["is the startup probe's when the startup probe failed", pod, container, 'StartupProbe', 5],
  [
    "is the liveness probe's when the liveness probe failed, even if longer",
    pod,
    container,
    'LivenessProbe',
    50,
  ],
  ["is the pod's when the failed probe has none", pod, plain, 'LivenessProbe', 30],
  ["is the pod's when the container has no such probe", pod, buildContainer(), 'StartupProbe', 30],
  ["is the deletion's, also when it is 0", deleted, container, 'LivenessProbe', 0],
  ['is 2 s when none is set', buildPod(), container, 'LivenessProbe', 2],
])('the grace period %s', (_, of, killed, reason, expected) => {
  expect(setTerminationGracePeriod(of, killed, reason)).toBe(expected);
});
