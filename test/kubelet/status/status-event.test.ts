import { expect, it } from 'vitest';

import type { ContainerState } from '../../../src/api/index.js';
import { stateText, statusEvent } from '../../../src/kubelet/status/status-event.js';
import {
  buildContainerStatus,
  buildPod,
  condition,
  NOTHING,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

it('a status event has the status in short form and in full', () => {
  const status = {
    phase: 'Running' as const,
    reason: 'Test',
    conditions: [
      condition('Ready', 'False', { reason: 'ContainersNotReady', message: 'unready: [app]' }),
      condition('Initialized', 'True', { reason: '', message: '' }),
      condition('ContainersReady', 'False', { reason: 'PodFailed' }),
    ],
    containerStatuses: [
      buildContainerStatus({
        started: true,
        ready: true,
        restartCount: 2,
        lastTerminationState: terminated(1),
      }),
    ],
    initContainerStatuses: [
      buildContainerStatus({ name: 'init', state: waiting('PodInitializing') }),
    ],
  };
  expect(statusEvent(buildPod(), status)).toEqual({
    kind: 'status',
    pod: 'default/web',
    phase: 'Running',
    reason: 'Test',
    conditions: {
      Ready: 'False ContainersNotReady: unready: [app]',
      Initialized: 'True',
      ContainersReady: 'False PodFailed',
    },
    containers: [
      {
        name: 'app',
        ready: true,
        started: true,
        restartCount: 2,
        state: 'running',
        lastState: 'terminated Error 1',
      },
    ],
    initContainers: [
      {
        name: 'init',
        ready: false,
        restartCount: 0,
        state: 'waiting PodInitializing',
        lastState: '',
      },
    ],
    podStatus: status,
  });
});

it('the status event of an empty status has empty fields', () => {
  expect(statusEvent(buildPod(), {})).toMatchObject({
    phase: '',
    reason: '',
    conditions: {},
    containers: [],
    initContainers: [],
  });
});

it.each<[ContainerState, string]>([
  [RUNNING, 'running'],
  [waiting('CrashLoopBackOff'), 'waiting CrashLoopBackOff'],
  [waiting(), 'waiting'],
  [{ waiting: {} }, 'waiting'],
  [terminated(3), 'terminated Error 3'],
  [{ terminated: { exitCode: 0 } }, 'terminated  0'],
  [NOTHING, ''],
])('stateText of %j is %j', (state, text) => {
  expect(stateText(state)).toBe(text);
});
