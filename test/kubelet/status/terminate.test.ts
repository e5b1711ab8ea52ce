import { describe, expect, it } from 'vitest';

import type { ContainerStatus, Pod, PodPhase, PodStatus } from '../../../src/api/index.js';
import { terminatedStatus } from '../../../src/kubelet/status/terminate.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildSidecar,
  buildStaticPod,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

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

it('what the API server knew decides whether the pod was initialized, not what is cached', () => {
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
