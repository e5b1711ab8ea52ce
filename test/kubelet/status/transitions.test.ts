import { describe, expect, it } from 'vitest';

import type { ContainerState, Pod, PodStatus } from '../../../src/api/index.js';
import {
  checkContainerStateTransition,
  updateLastTransitionTimes,
} from '../../../src/kubelet/status/transitions.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildSidecar,
  condition,
  onExit,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

const app = (state: ContainerState): PodStatus => ({
  containerStatuses: [buildContainerStatus({ state })],
});
const init = (state: ContainerState): PodStatus => ({
  initContainerStatuses: [buildContainerStatus({ name: 'init', state })],
});

const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const withInit = { initContainers: [buildContainer({ name: 'init' })] };
const restartsOn = (code: number) => ({
  restartPolicy: 'Never' as const,
  restartPolicyRules: [onExit('Restart', code)],
});

describe('a container that had ended and runs again', () => {
  const ILLEGAL = 'terminated container app attempted illegal transition to non-terminated state';
  it.each<[string, Partial<Pod['spec']>, number, string | undefined]>([
    ['Always', {}, 0, undefined],
    ['Never', never, 1, ILLEGAL],
    ['OnFailure, failed', onFailure, 1, undefined],
    ['OnFailure, succeeded', onFailure, 0, ILLEGAL],
    [
      'container Always in a pod that is Never',
      { ...never, containers: [buildContainer({ restartPolicy: 'Always' })] },
      0,
      undefined,
    ],
    [
      'a rule for the code',
      { ...never, containers: [buildContainer(restartsOn(42))] },
      42,
      undefined,
    ],
    [
      'a rule for another code',
      { ...never, containers: [buildContainer(restartsOn(42))] },
      1,
      ILLEGAL,
    ],
    [
      'another container that restarts all',
      {
        ...never,
        containers: [
          buildContainer(),
          buildContainer({ name: 'b', restartPolicyRules: [onExit('RestartAllContainers', 9)] }),
        ],
      },
      0,
      undefined,
    ],
  ])('%s', (_, spec, exitCode, expected) => {
    const pod = buildPod({ spec });
    for (const state of [RUNNING, waiting()]) {
      const old = app(terminated(exitCode));
      expect(checkContainerStateTransition(old, app(state), pod.spec)).toBe(expected);
    }
  });
});

describe('an init container that had ended and runs again', () => {
  const ILLEGAL =
    'terminated init container init attempted illegal transition to non-terminated state';
  it.each<[string, Partial<Pod['spec']>, number, string | undefined]>([
    ['Always', withInit, 0, undefined],
    ['Never', { ...never, ...withInit }, 1, ILLEGAL],
    ['OnFailure, failed', { ...onFailure, ...withInit }, 1, undefined],
    ['OnFailure, succeeded', { ...onFailure, ...withInit }, 0, ILLEGAL],
    [
      'a sidecar in a pod that is Never',
      { ...never, initContainers: [buildSidecar({ name: 'init' })] },
      0,
      undefined,
    ],
    [
      'a rule for the code',
      { ...never, initContainers: [buildContainer({ name: 'init', ...restartsOn(42) })] },
      42,
      undefined,
    ],
    [
      'a spec that does not know it',
      never,
      0,
      'found mismatch between pod spec and status, container: init',
    ],
  ])('%s', (_, spec, exitCode, expected) => {
    const old = init(terminated(exitCode));
    expect(checkContainerStateTransition(old, init(RUNNING), buildPod({ spec }).spec)).toBe(
      expected,
    );
  });
});

it.each<[string, PodStatus, PodStatus]>([
  ['stays ended', app(terminated(0)), app(terminated(0))],
  ['had not ended', app(RUNNING), app(waiting())],
  ['is new', {}, app(RUNNING)],
  ['is not there any more', app(terminated(0)), {}],
])('a container that %s may do so', (_, old, next) => {
  expect(checkContainerStateTransition(old, next, buildPod({ spec: never }).spec)).toBeUndefined();
});

describe('the time of the last transition', () => {
  it.each<[string, ReturnType<typeof condition>[], number]>([
    ['is now without a condition before', [], 50],
    [
      'is now when the status changes',
      [condition('Ready', 'False', { lastTransitionTime: 10 })],
      50,
    ],
    ['stays while it does not', [condition('Ready', 'True', { lastTransitionTime: 10 })], 10],
  ])('%s', (_, old, expected) => {
    const [updated] = updateLastTransitionTimes([condition('Ready', 'True')], old, 50);
    expect(updated?.lastTransitionTime).toBe(expected);
  });

  it("of somebody else's condition is theirs", () => {
    const gate = condition('example.com/gate', 'True', { lastTransitionTime: 20 });
    const old = condition('example.com/gate', 'False', { lastTransitionTime: 10 });
    expect(updateLastTransitionTimes([gate], [old], 50)).toEqual([gate]);
  });
});
