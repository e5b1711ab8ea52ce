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

/** States by the words that the tables use. */
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

/** States in a word: `lost` is the one that is made up. */
const words = (list: readonly ContainerStatus[] | undefined): string =>
  (list ?? [])
    .map(({ state }) => {
      if (state.terminated?.reason === 'ContainerStatusUnknown') return 'lost';
      if (state.terminated !== undefined) return `exit${state.terminated.exitCode}`;
      return state.running === undefined ? 'waiting' : 'running';
    })
    .join(' ');

it.each<[string, string, string, string, string]>([
  ['a container that ended keeps its end', '', 'failed done', '', 'exit1 exit0'],
  ['a container that ran is lost', '', 'running', '', 'lost'],
  ['a container that ran before is lost', '', 'ran', '', 'lost'],
  ['a container that never ran is lost', '', 'waiting', '', 'lost'],
  ['the first init container is lost when none began', 'waiting', 'waiting', 'lost', 'waiting'],
  ['only the first one', 'waiting waiting', 'waiting', 'lost waiting', 'waiting'],
  [
    'init containers before one that ended are lost, those after wait',
    'waiting waiting failed waiting',
    'waiting',
    'lost lost exit1 waiting',
    'waiting',
  ],
  [
    'a last one that failed initializes nothing',
    'waiting failed',
    'waiting',
    'lost exit1',
    'waiting',
  ],
  ['a last one that is done does', 'waiting done', 'waiting', 'lost exit0', 'lost'],
  [
    'a last one that was done before does, and is lost',
    'waiting again',
    'waiting',
    'lost lost',
    'lost',
  ],
  [
    'a container that runs shows that the pod was initialized',
    'waiting',
    'running',
    'lost',
    'lost',
  ],
  ['so does one that has ended', 'waiting', 'done', 'lost', 'exit0'],
  ['and one that ended before', 'waiting', 'ran', 'lost', 'lost'],
])('%s', (_, inits, main, expectedInits, expectedMain) => {
  const pod = podWith(inits, main);
  const status = terminatedStatus(pod, pod.status);
  expect(words(status.initContainerStatuses)).toBe(expectedInits);
  expect(words(status.containerStatuses)).toBe(expectedMain);
});

it.each<[string, string, string]>([
  ['that has started', 'running', 'lost'],
  ['that has not', 'unstarted', 'waiting'],
  ['that was done before', 'again', 'waiting'],
])('a sidecar at the end of the init containers %s', (_, word, expected) => {
  const pod = podWith(word, 'waiting');
  const spec = { ...pod.spec, initContainers: [buildSidecar({ name: 'i0' })] };
  expect(words(terminatedStatus({ ...pod, spec }, pod.status).containerStatuses)).toBe(expected);
});

it("the API server's status decides whether the pod was initialized, not the cached one", () => {
  const pod = podWith('waiting', 'waiting');
  const cached = podWith('done', 'running').status;
  expect(words(terminatedStatus(pod, cached).containerStatuses)).toBe('running');
});

it('a lost container tells what became of it, and keeps its last end', () => {
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

describe('the phase', () => {
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

  it('of a static pod stays', () => {
    expect(terminatedStatus(buildStaticPod(), { phase: 'Running' }).phase).toBe('Running');
  });
});
