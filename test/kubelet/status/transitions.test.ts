import { describe, expect, it } from 'vitest';

import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodPhase,
  PodStatus,
} from '../../../src/api/index.js';
import {
  checkContainerStateTransition,
  updateLastTransitionTimes,
} from '../../../src/kubelet/status/transitions.js';
import { terminatedStatus } from '../../../src/kubelet/status/transitions.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildSidecar,
  buildStaticPod,
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

describe('a terminated container may run again only with', () => {
  it.each<[string, Partial<Pod['spec']>, number, boolean]>([
    ['Always', {}, 0, true],
    ['Never', never, 1, false],
    ['OnFailure, failed', onFailure, 1, true],
    ['OnFailure, succeeded', onFailure, 0, false],
    [
      'container Always in a pod with Never',
      { ...never, containers: [buildContainer({ restartPolicy: 'Always' })] },
      0,
      true,
    ],
    [
      'a rule for the exit code',
      { ...never, containers: [buildContainer(restartsOn(42))] },
      42,
      true,
    ],
    [
      'a rule for another exit code',
      { ...never, containers: [buildContainer(restartsOn(42))] },
      1,
      false,
    ],
    [
      'a RestartAllContainers rule of another container',
      {
        ...never,
        containers: [
          buildContainer(),
          buildContainer({ name: 'b', restartPolicyRules: [onExit('RestartAllContainers', 9)] }),
        ],
      },
      0,
      true,
    ],
  ])('%s', (_, spec, exitCode, expected) => {
    const pod = buildPod({ spec });
    for (const state of [RUNNING, waiting()]) {
      const old = app(terminated(exitCode));
      expect(checkContainerStateTransition(old, app(state), pod.spec)).toBe(expected);
    }
  });
});

describe('a terminated init container may run again only with', () => {
  it.each<[string, Partial<Pod['spec']>, number, boolean]>([
    ['Always', withInit, 0, true],
    ['Never', { ...never, ...withInit }, 1, false],
    ['OnFailure, failed', { ...onFailure, ...withInit }, 1, true],
    ['OnFailure, succeeded', { ...onFailure, ...withInit }, 0, false],
    [
      'a sidecar in a pod with Never',
      { ...never, initContainers: [buildSidecar({ name: 'init' })] },
      0,
      true,
    ],
    [
      'a rule for the exit code',
      { ...never, initContainers: [buildContainer({ name: 'init', ...restartsOn(42) })] },
      42,
      true,
    ],
    ['an entry in the spec', never, 0, false],
  ])('%s', (_, spec, exitCode, expected) => {
    const old = init(terminated(exitCode));
    expect(checkContainerStateTransition(old, init(RUNNING), buildPod({ spec }).spec)).toBe(
      expected,
    );
  });
});

it.each<[string, PodStatus, PodStatus]>([
  ['stays terminated', app(terminated(0)), app(terminated(0))],
  ['was not terminated', app(RUNNING), app(waiting())],
  ['is new', {}, app(RUNNING)],
  ['is removed', app(terminated(0)), {}],
])('checkContainerStateTransition allows a container that %s', (_, old, next) => {
  expect(checkContainerStateTransition(old, next, buildPod({ spec: never }).spec)).toBe(true);
});

describe('the last transition time', () => {
  it.each<[string, ReturnType<typeof condition>[], number]>([
    ['is now for a new condition', [], 50],
    [
      'is now when the status changes',
      [condition('Ready', 'False', { lastTransitionTime: 10 })],
      50,
    ],
    [
      'is kept when the status stays the same',
      [condition('Ready', 'True', { lastTransitionTime: 10 })],
      10,
    ],
  ])('%s', (_, old, expected) => {
    const [updated] = updateLastTransitionTimes([condition('Ready', 'True')], old, 50);
    expect(updated?.lastTransitionTime).toBe(expected);
  });

  it('of conditions of others is not touched', () => {
    const gate = condition('example.com/gate', 'True', { lastTransitionTime: 20 });
    const old = condition('example.com/gate', 'False', { lastTransitionTime: 10 });
    expect(updateLastTransitionTimes([gate], [old], 50)).toEqual([gate]);
  });
});

/** Container states by the words in the tables. */
const STATES = {
  waiting: { state: waiting() },
  running: { state: RUNNING, started: true },
  unstarted: { state: RUNNING, started: false },
  failed: { state: terminated(1) },
  done: { state: terminated(0) },
  again: { state: waiting(), lastTerminationState: terminated(0) },
  ran: { state: waiting(), lastTerminationState: terminated(2) },
} satisfies Record<string, Partial<ContainerStatus>>;

const statuses = (prefix: string, words: string): ContainerStatus[] =>
  words === ''
    ? []
    : words
        .split(' ')
        .map((word, n) =>
          buildContainerStatus({ name: `${prefix}${n}`, ...STATES[word as keyof typeof STATES] }),
        );

function podWith(inits: string, main: string): Pod {
  const status: PodStatus = {
    phase: 'Running',
    initContainerStatuses: statuses('i', inits),
    containerStatuses: statuses('c', main),
  };
  const initContainers = status.initContainerStatuses!.map(({ name }) => buildContainer({ name }));
  const containers = status.containerStatuses!.map(({ name }) => buildContainer({ name }));
  return buildPod({ spec: { initContainers, containers }, status });
}

/** States in a word each; `lost` stands for ContainerStatusUnknown. */
const words = (list: readonly ContainerStatus[] | undefined): string =>
  (list ?? [])
    .map(({ state }) => {
      if (state.terminated?.reason === 'ContainerStatusUnknown') return 'lost';
      if (state.terminated !== undefined) return `exit${state.terminated.exitCode}`;
      return state.running === undefined ? 'waiting' : 'running';
    })
    .join(' ');

it.each<[string, string, string, string, string]>([
  ['a terminated container keeps its state', '', 'failed done', '', 'exit1 exit0'],
  ['a running container is lost', '', 'running', '', 'lost'],
  ['a container that ran before is lost', '', 'ran', '', 'lost'],
  ['a container that never ran is lost', '', 'waiting', '', 'lost'],
  [
    'the first init container is lost when none has started',
    'waiting',
    'waiting',
    'lost',
    'waiting',
  ],
  [
    'only the first of two init containers is lost',
    'waiting waiting',
    'waiting',
    'lost waiting',
    'waiting',
  ],
  [
    'init containers before a terminated one are lost, later ones wait',
    'waiting waiting failed waiting',
    'waiting',
    'lost lost exit1 waiting',
    'waiting',
  ],
  [
    'containers wait when the last init container failed',
    'waiting failed',
    'waiting',
    'lost exit1',
    'waiting',
  ],
  [
    'containers are lost when the last init container completed',
    'waiting done',
    'waiting',
    'lost exit0',
    'lost',
  ],
  [
    'containers are lost when the last init container had completed before, and it is lost too',
    'waiting again',
    'waiting',
    'lost lost',
    'lost',
  ],
  ['a running container proves that the pod was initialized', 'waiting', 'running', 'lost', 'lost'],
  ['a terminated container proves it too', 'waiting', 'done', 'lost', 'exit0'],
  ['so does a container that had terminated before', 'waiting', 'ran', 'lost', 'lost'],
])('%s', (_, inits, main, expectedInits, expectedMain) => {
  const pod = podWith(inits, main);
  const status = terminatedStatus(pod, pod.status);
  expect(words(status.initContainerStatuses)).toBe(expectedInits);
  expect(words(status.containerStatuses)).toBe(expectedMain);
});

it.each<[string, string, string]>([
  ['is lost when the sidecar has started', 'running', 'lost'],
  ['waits when the sidecar has not started', 'unstarted', 'waiting'],
  ['waits when the sidecar has only run before', 'again', 'waiting'],
])('a container after a sidecar %s', (_, word, expected) => {
  const pod = podWith(word, 'waiting');
  const spec = { ...pod.spec, initContainers: [buildSidecar({ name: 'i0' })] };
  expect(words(terminatedStatus({ ...pod, spec }, pod.status).containerStatuses)).toBe(expected);
});

it("the API server's status decides whether the pod was initialized, not the cached one", () => {
  const pod = podWith('waiting', 'waiting');
  const cached = podWith('done', 'running').status;
  expect(words(terminatedStatus(pod, cached).containerStatuses)).toBe('running');
});

it('a lost container has ContainerStatusUnknown and keeps its last state', () => {
  const pod = podWith('', 'ran');
  expect(terminatedStatus(pod, pod.status).containerStatuses?.[0]).toMatchObject({
    state: {
      terminated: {
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be located when the pod was terminated',
        exitCode: 137,
      },
    },
    lastTerminationState: terminated(2),
  });
});

describe('the phase of a terminated pod', () => {
  it.each<[PodPhase | undefined, PodPhase]>([
    ['Pending', 'Failed'],
    ['Running', 'Failed'],
    ['Succeeded', 'Succeeded'],
    ['Failed', 'Failed'],
    ['Unknown', 'Failed'],
    [undefined, 'Failed'],
  ])('%s becomes %s', (phase, expected) => {
    const status = phase === undefined ? {} : { phase };
    expect(terminatedStatus(buildPod(), status).phase).toBe(expected);
  });

  it('does not change for a static pod', () => {
    expect(terminatedStatus(buildStaticPod(), { phase: 'Running' }).phase).toBe('Running');
  });
});
