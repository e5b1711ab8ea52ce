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
  shouldRestartOnFailure,
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
  const [one, two] = [onExit('Restart', 1), onExit('RestartAllContainers', 1, 2)];
  it.each<
    [string, readonly ContainerRestartRule[] | undefined, number, ContainerRestartRule | undefined]
  >([
    ['is none without rules', undefined, 1, undefined],
    ['is the one that lists it', [one], 1, one],
    ['is none that lists others', [one], 2, undefined],
    ['is the first that matches', [one, two], 1, one],
    ['is a later one where the first does not match', [one, two], 2, two],
    ['is one that excludes others', [notIn(1)], 2, notIn(1)],
    ['is none that excludes it', [notIn(1)], 1, undefined],
    ['is none without exit codes', [{ action: 'Restart' }], 1, undefined],
    ['is none that lists nothing', [onExit('Restart')], 1, undefined],
    ['is one that excludes nothing', [notIn()], 1, notIn()],
  ])('%s', (_, restartPolicyRules, code, expected) => {
    const container = buildContainer(
      restartPolicyRules === undefined ? {} : { restartPolicyRules },
    );
    expect(findMatchingContainerRestartRule(container, code)).toEqual(expected);
  });
});

describe('a container that ended', () => {
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
  ])('pod %s, container %s, code %d: comes again: %s', (policy, own, code, expected) => {
    const container = buildContainer(own === undefined ? {} : { restartPolicy: own });
    const { spec } = buildPod({ spec: { restartPolicy: policy } });
    expect(containerShouldRestart(container, spec, code)).toBe(expected);
  });

  it.each<[string, Partial<Container>, boolean]>([
    [
      'a rule to restart it',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('Restart', 7)] },
      true,
    ],
    [
      'a rule to restart all',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('RestartAllContainers', 7)] },
      true,
    ],
    [
      'a rule for another code',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('Restart', 8)] },
      false,
    ],
    ['a rule, but no policy of its own', { restartPolicyRules: [onExit('Restart', 7)] }, false],
  ])('with 7 and %s comes again: %s', (_, container, expected) => {
    const { spec } = buildPod({ spec: { restartPolicy: 'Never' } });
    expect(containerShouldRestart(buildContainer(container), spec, 7)).toBe(expected);
  });
});

describe('a container is to be started', () => {
  it.each<
    [string, Parameters<typeof buildRuntimeContainer>[0] | undefined, RestartPolicy, boolean]
  >([
    ['that was never there', undefined, 'Never', true],
    ['that runs', { state: 'running' }, 'Always', false],
    ['that is only made', { state: 'created' }, 'Never', true],
    ['that cannot be told', { state: 'unknown' }, 'Never', true],
    ['that exited', { state: 'exited' }, 'Always', true],
    ['that exited', { state: 'exited' }, 'OnFailure', false],
    ['that failed', { state: 'exited', exitCode: 1 }, 'OnFailure', true],
    ['that failed', { state: 'exited', exitCode: 1 }, 'Never', false],
  ])('%s, %j, policy %s: %s', (_, state, restartPolicy, expected) => {
    const containerStatuses = state === undefined ? [] : [buildRuntimeContainer(state)];
    const pod = buildPod({ spec: { restartPolicy } });
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(shouldContainerBeRestarted(buildContainer(), pod, podStatus)).toBe(expected);
    const deleted = buildPod({ spec: { restartPolicy }, metadata: { deletionTimestamp: 1 } });
    expect(shouldContainerBeRestarted(buildContainer(), deleted, podStatus)).toBe(false);
  });

  it('by its newest life', () => {
    const containerStatuses = [buildRuntimeContainer(), buildExited(1, { id: 'app-0' })];
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(shouldContainerBeRestarted(buildContainer(), buildPod(), podStatus)).toBe(false);
  });
});

describe('restarting all containers', () => {
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
    ['when nothing is known: no', pod, undefined, undefined, false],
    [
      'once it is under way: yes',
      pod,
      runtime(),
      { conditions: [condition('AllContainersRestarting', 'True')] },
      true,
    ],
    [
      'once it is over: no',
      pod,
      runtime(),
      { conditions: [condition('AllContainersRestarting', 'False')] },
      false,
    ],
    ['by an end that the runtime shows: yes', pod, runtime(buildExited(42)), undefined, true],
    ['by an end with another code: no', pod, runtime(buildExited(1)), undefined, false],
    ['while it runs: no', pod, runtime(buildRuntimeContainer()), undefined, false],
    ['by an end of an init container: yes', inInit, runtime(buildExited(42)), undefined, true],
    ['by an end that only the API shows: yes', pod, undefined, api(42), true],
    ['by another end that only the API shows: no', pod, undefined, api(1), false],
    [
      'by an end that the API shows beside another in the runtime: yes',
      pod,
      runtime(buildExited(1)),
      api(42),
      true,
    ],
    // The kubelet passes over a container that the runtime does not show as ended.
    [
      'by an end that the API shows of a container that is gone: no',
      pod,
      runtime(),
      api(42),
      false,
    ],
    [
      'by an end of another container: no',
      pod,
      undefined,
      { containerStatuses: [buildContainerStatus({ name: 'b', state: terminated(42) })] },
      false,
    ],
    [
      'of one that the API shows as running: no',
      pod,
      undefined,
      { containerStatuses: [buildContainerStatus({ state: RUNNING })] },
      false,
    ],
    [
      'by an init container whose end the API shows: yes',
      inInit,
      undefined,
      { initContainerStatuses: [buildContainerStatus({ state: terminated(42) })] },
      true,
    ],
    ['without a rule: no', buildPod(), runtime(buildExited(42)), api(42), false],
  ])('%s', (_, of, podStatus, apiStatus, expected) => {
    expect(shouldAllContainersRestart(of, podStatus, apiStatus)).toBe(expected);
  });

  it.each<[string, Parameters<typeof buildPod>[0], boolean]>([
    ['a container', { spec: { containers: [trigger] } }, true],
    ['an init container', { spec: { initContainers: [trigger] } }, true],
    ['none', {}, false],
    [
      'a rule for itself only',
      { spec: { containers: [buildContainer({ restartPolicyRules: [onExit('Restart', 1)] })] } },
      false,
    ],
  ])('it could come to that by %s: %#', (_, overrides, expected) => {
    expect(allContainersCouldRestart(buildPod(overrides).spec)).toBe(expected);
  });
});

it('a pod has a sidecar when an init container is kept running', () => {
  expect(hasRestartableInitContainer(buildPod())).toBe(false);
  expect(
    hasRestartableInitContainer(buildPod({ spec: { initContainers: [buildContainer()] } })),
  ).toBe(false);
  expect(
    hasRestartableInitContainer(buildPod({ spec: { initContainers: [buildSidecar()] } })),
  ).toBe(true);
});

it.each<[RestartPolicy, boolean]>([
  ['Always', true],
  ['OnFailure', true],
  ['Never', false],
])('a pod that is %s comes again after a failure: %s', (restartPolicy, expected) => {
  expect(shouldRestartOnFailure(buildPod({ spec: { restartPolicy } }))).toBe(expected);
});
