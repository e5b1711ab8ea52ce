import { expect, it } from 'vitest';

import { apiPodStatus } from '../../../src/kubelet/status/api-status.js';
import { buildContainerStatus, condition, terminated } from '../../helpers/builders.js';

it('apiPodStatus has the form of the API, with sorted keys', () => {
  const shown = apiPodStatus({
    phase: 'Running',
    qosClass: 'BestEffort',
    hostIP: '192.168.0.1',
    hostIPs: ['192.168.0.1'],
    podIP: '10.0.0.1',
    podIPs: ['10.0.0.1', 'fd00::1'],
    startTime: 1_500,
    observedGeneration: 1,
    conditions: [
      condition('Ready', 'False', { reason: 'R', message: '', lastTransitionTime: 2_000 }),
    ],
    containerStatuses: [
      buildContainerStatus({
        started: true,
        imageID: '',
        resources: {},
        lastTerminationState: terminated(1, { message: '', finishedAt: 3_000, containerID: 'c' }),
      }),
    ],
    initContainerStatuses: [
      buildContainerStatus({ name: 'init', state: { waiting: { reason: 'PodInitializing' } } }),
    ],
  });
  expect(shown).toEqual({
    conditions: [
      {
        lastProbeTime: null,
        lastTransitionTime: '1970-01-01T00:00:02Z',
        reason: 'R',
        status: 'False',
        type: 'Ready',
      },
    ],
    containerStatuses: [
      {
        containerID: 'test://app-1',
        image: 'app:1',
        imageID: '',
        lastState: {
          terminated: {
            containerID: 'c',
            exitCode: 1,
            finishedAt: '1970-01-01T00:00:03Z',
            reason: 'Error',
            startedAt: null,
          },
        },
        name: 'app',
        ready: false,
        resources: {},
        restartCount: 0,
        started: true,
        state: { running: { startedAt: '1970-01-01T00:00:00Z' } },
      },
    ],
    hostIP: '192.168.0.1',
    hostIPs: [{ ip: '192.168.0.1' }],
    initContainerStatuses: [
      {
        containerID: 'test://init-1',
        image: 'app:1',
        imageID: 'app:1',
        lastState: {},
        name: 'init',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: 'PodInitializing' } },
      },
    ],
    observedGeneration: 1,
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
    qosClass: 'BestEffort',
    startTime: '1970-01-01T00:00:01Z',
  });
  expect(Object.keys(shown)).toEqual([...Object.keys(shown)].sort());
});

it('apiPodStatus omits unknown fields', () => {
  expect(apiPodStatus({ phase: 'Pending' })).toEqual({ phase: 'Pending' });
});
