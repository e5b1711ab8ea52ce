import { describe, expect, it } from 'vitest';

import type {
  Container,
  ContainerRestartRule,
  PodStatus,
  RestartPolicy,
} from '../../src/api/index.js';
import {
  allContainersCouldRestart,
  containerShouldRestart,
  findMatchingContainerRestartRule,
  hasRestartableInitContainer,
  shouldAllContainersRestart,
  shouldContainerBeRestarted,
} from '../../src/kubelet/restart-policy.js';
import {
  buildContainer,
  buildContainerStatus,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSidecar,
  condition,
  onExit,
  RUNNING,
  terminated,
} from '../helpers/builders.js';

describe('the rule for an exit code', () => {
  const notIn = (...values: number[]): ContainerRestartRule => ({
    action: 'Restart',
    exitCodes: { operator: 'NotIn', values },
  });
  const [first, second] = [onExit('Restart', 1), onExit('RestartAllContainers', 1, 2)];
  it.each<
    [string, readonly ContainerRestartRule[] | undefined, number, ContainerRestartRule | undefined]
  >([
    ['is undefined without rules', undefined, 1, undefined],
    ['is the rule that lists it', [first], 1, first],
    ['is undefined when the rule lists another code', [first], 2, undefined],
    ['is the first rule that matches', [first, second], 1, first],
    ['is a later rule when the first does not match', [first, second], 2, second],
    ['is a NotIn rule that lists another code', [notIn(1)], 2, notIn(1)],
    ['is undefined when a NotIn rule lists it', [notIn(1)], 1, undefined],
    ['is undefined when the rule has no exit codes', [{ action: 'Restart' }], 1, undefined],
    ['is undefined when the rule lists no code', [onExit('Restart')], 1, undefined],
    ['is a NotIn rule that lists no code', [notIn()], 1, notIn()],
  ])('%s', (_, restartPolicyRules, code, expected) => {
    const container = buildContainer(
      restartPolicyRules === undefined ? {} : { restartPolicyRules },
    );
    expect(findMatchingContainerRestartRule(container, code)).toEqual(expected);
  });
});

describe('a container that exited', () => {
  it.each<[RestartPolicy, Container['restartPolicy'], number, boolean]>([
    ['Always', undefined, 0, true],
    ['Always', undefined, 1, true],
    ['OnFailure', undefined, 0, false],
    ['OnFailure', undefined, 1, true],
    ['Never', undefined, 0, false],
    ['Never', undefined, 1, false],
    ['Never', 'Always', 0, true],
    ['Never', 'OnFailure', 0, false],
    ['Never', 'OnFailure', 1, true],
    ['Always', 'Never', 1, false],
  ])(
    'pod policy %s, own policy %s, exit code %d: is restarted: %s',
    (policy, containerPolicy, code, expected) => {
      const container = buildContainer(
        containerPolicy === undefined ? {} : { restartPolicy: containerPolicy },
      );
      const { spec } = buildPod({ spec: { restartPolicy: policy } });
      expect(containerShouldRestart(container, spec, code)).toBe(expected);
    },
  );

  it.each<[string, Partial<Container>, boolean]>([
    [
      'a Restart rule',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('Restart', 7)] },
      true,
    ],
    [
      'a RestartAllContainers rule',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('RestartAllContainers', 7)] },
      true,
    ],
    [
      'a rule for another exit code',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('Restart', 8)] },
      false,
    ],
    ['a rule, but no own restart policy', { restartPolicyRules: [onExit('Restart', 7)] }, false],
  ])('with exit code 7 and %s is restarted: %s', (_, container, expected) => {
    const { spec } = buildPod({ spec: { restartPolicy: 'Never' } });
    expect(containerShouldRestart(buildContainer(container), spec, 7)).toBe(expected);
  });
});

describe('shouldContainerBeRestarted, but never while the pod is being deleted', () => {
  it.each<
    [string, Parameters<typeof buildRuntimeContainer>[0] | undefined, RestartPolicy, boolean]
  >([
    ['a container that does not exist', undefined, 'Never', true],
    ['a running container', { state: 'running' }, 'Always', false],
    ['a container that is only created', { state: 'created' }, 'Never', true],
    ['a container of unknown state', { state: 'unknown' }, 'Never', true],
    ['a container that succeeded', { state: 'exited' }, 'Always', true],
    ['a container that succeeded', { state: 'exited' }, 'OnFailure', false],
    ['a container that failed', { state: 'exited', exitCode: 1 }, 'OnFailure', true],
    ['a container that failed', { state: 'exited', exitCode: 1 }, 'Never', false],
  ])('%s, %j, policy %s: %s', (_, state, restartPolicy, expected) => {
    const containerStatuses = state === undefined ? [] : [buildRuntimeContainer(state)];
    const pod = buildPod({ spec: { restartPolicy } });
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(shouldContainerBeRestarted(buildContainer(), pod, podStatus)).toBe(expected);
    const deleted = buildPod({ spec: { restartPolicy }, metadata: { deletionTimestamp: 1 } });
    expect(shouldContainerBeRestarted(buildContainer(), deleted, podStatus)).toBe(false);
  });

  it('looks at the newest container of the name', () => {
    const containerStatuses = [buildRuntimeContainer(), buildExited(1, { id: 'app-0' })];
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(shouldContainerBeRestarted(buildContainer(), buildPod(), podStatus)).toBe(false);
  });
});

describe('shouldAllContainersRestart', () => {
  const trigger = buildContainer({
    restartPolicy: 'Never',
    restartPolicyRules: [onExit('RestartAllContainers', 42)],
  });
  const pod = buildPod({ spec: { containers: [trigger] } });
  const inInit = buildPod({
    spec: { initContainers: [trigger], containers: [buildContainer({ name: 'b' })] },
  });
  const runtime = (...containerStatuses: ReturnType<typeof buildExited>[]) =>
    buildRuntimePodStatus({ containerStatuses });
  const api = (exitCode: number): PodStatus => ({
    containerStatuses: [buildContainerStatus({ state: terminated(exitCode) })],
  });
  it.each<
    [string, typeof pod, ReturnType<typeof runtime> | undefined, PodStatus | undefined, boolean]
  >([
    ['is false when no status is known', pod, undefined, undefined, false],
    [
      'is true while AllContainersRestarting is True',
      pod,
      runtime(),
      { conditions: [condition('AllContainersRestarting', 'True')] },
      true,
    ],
    [
      'is false when AllContainersRestarting is False',
      pod,
      runtime(),
      { conditions: [condition('AllContainersRestarting', 'False')] },
      false,
    ],
    [
      'is true when the runtime reports the exit code',
      pod,
      runtime(buildExited(42)),
      undefined,
      true,
    ],
    ['is false for another exit code', pod, runtime(buildExited(1)), undefined, false],
    ['is false while the container runs', pod, runtime(buildRuntimeContainer()), undefined, false],
    [
      'is true for the exit code of an init container',
      inInit,
      runtime(buildExited(42)),
      undefined,
      true,
    ],
    ['is true when only the API status has the exit code', pod, undefined, api(42), true],
    [
      'is false when only the API status has an exit code, and another one',
      pod,
      undefined,
      api(1),
      false,
    ],
    [
      'is true when the API status has the exit code and the runtime another one',
      pod,
      runtime(buildExited(1)),
      api(42),
      true,
    ],
    // The kubelet skips a container that the runtime does not report as exited.
    [
      'is false when the API status has the exit code but the container is removed',
      pod,
      runtime(),
      api(42),
      false,
    ],
    [
      'is false when another container exited with the code',
      pod,
      undefined,
      { containerStatuses: [buildContainerStatus({ name: 'b', state: terminated(42) })] },
      false,
    ],
    [
      'is false when the API status reports the container as running',
      pod,
      undefined,
      { containerStatuses: [buildContainerStatus({ state: RUNNING })] },
      false,
    ],
    [
      'is true when the API status of an init container has the exit code',
      inInit,
      undefined,
      { initContainerStatuses: [buildContainerStatus({ state: terminated(42) })] },
      true,
    ],
    ['is false without a rule', buildPod(), runtime(buildExited(42)), api(42), false],
  ])('%s', (_, of, podStatus, apiStatus, expected) => {
    expect(shouldAllContainersRestart(of, podStatus, apiStatus)).toBe(expected);
  });

  it.each<[string, Parameters<typeof buildPod>[0], boolean]>([
    ['a container with the rule', { spec: { containers: [trigger] } }, true],
    ['an init container with the rule', { spec: { initContainers: [trigger] } }, true],
    ['no rule', {}, false],
    [
      'only a Restart rule',
      { spec: { containers: [buildContainer({ restartPolicyRules: [onExit('Restart', 1)] })] } },
      false,
    ],
  ])('allContainersCouldRestart, with %s', (_, overrides, expected) => {
    expect(allContainersCouldRestart(buildPod(overrides).spec)).toBe(expected);
  });
});

it('hasRestartableInitContainer is true only with a sidecar', () => {
  expect(hasRestartableInitContainer(buildPod())).toBe(false);
  expect(
    hasRestartableInitContainer(buildPod({ spec: { initContainers: [buildContainer()] } })),
  ).toBe(false);
  expect(
    hasRestartableInitContainer(buildPod({ spec: { initContainers: [buildSidecar()] } })),
  ).toBe(true);
});
