import { describe, expect, it } from 'vitest';

import type { Container, ContainerStatus } from '../../../src/api/index.js';
import {
  type ContainerStatusesInput,
  convertToAPIContainerStatuses,
} from '../../../src/kubelet/status/container-statuses.js';
import { convertContainerStatus } from '../../../src/kubelet/status/container-statuses.js';
import { stateText } from '../../../src/kubelet/status/status-event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSidecar,
  type PodOverrides,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

type RuntimeContainers = Parameters<typeof buildExited>[1][];

interface Given {
  readonly pod?: PodOverrides;
  readonly runtime?: readonly ReturnType<typeof buildRuntimeContainer>[];
  readonly previous?: readonly ContainerStatus[];
  readonly isInit?: boolean;
  readonly podRestarting?: boolean;
  readonly startErrors?: Readonly<Record<string, string>>;
}

function convert(given: Given): readonly ContainerStatus[] {
  const pod = buildPod(given.pod);
  const isInit = given.isInit ?? false;
  const input: ContainerStatusesInput = {
    pod,
    podStatus: buildRuntimePodStatus({ containerStatuses: given.runtime ?? [] }),
    runtimeName: 'test',
    previous: given.previous ?? [],
    containers: isInit ? (pod.spec.initContainers ?? []) : pod.spec.containers,
    isInit,
    podRestarting: given.podRestarting ?? false,
    startError: (name) => {
      const message = given.startErrors?.[name];
      return message === undefined ? undefined : { reason: 'CrashLoopBackOff', message };
    },
  };
  return convertToAPIContainerStatuses(input);
}

/** Each status as `a: state / last state #restarts`. */
const show = (given: Given): string[] =>
  convert(given).map((c) => {
    const last = stateText(c.lastTerminationState);
    return `${c.name}: ${stateText(c.state)}${last === '' ? '' : ` / ${last}`} #${c.restartCount}`;
  });

const a = buildContainer({ name: 'a' });
const b = buildContainer({ name: 'b' });
const two: PodOverrides = { spec: { containers: [a, b] } };
const was = (name: string, overrides: Partial<ContainerStatus>): ContainerStatus =>
  buildContainerStatus({ name, ...overrides });
const LOST = 'terminated ContainerStatusUnknown 137';
const REMOVED = 'waiting RestartingAllContainers / terminated RestartingAllContainers 137';

describe('a container that the runtime does not know', () => {
  it.each<[string, PodOverrides, readonly ContainerStatus[], string[]]>([
    ['is made', { spec: { containers: [a] } }, [], ['a: waiting ContainerCreating #0']],
    [
      'waits for init containers',
      { spec: { containers: [a], initContainers: [buildContainer({ name: 'i' })] } },
      [],
      ['a: waiting PodInitializing #0'],
    ],
    [
      'keeps its count and its last end while it waits',
      { spec: { containers: [a] } },
      [was('a', { state: waiting(), lastTerminationState: terminated(1), restartCount: 3 })],
      ['a: waiting ContainerCreating / terminated Error 1 #3'],
    ],
    [
      'was lost, and counts as restarted, when it ran',
      two,
      [was('a', { state: RUNNING }), was('b', { state: RUNNING, restartCount: 2 })],
      [`a: waiting ContainerCreating / ${LOST} #1`, `b: waiting ContainerCreating / ${LOST} #3`],
    ],
    [
      'was lost in a pod with init containers, too',
      { spec: { containers: [a], initContainers: [buildContainer({ name: 'i' })] } },
      [was('a', { state: RUNNING })],
      [`a: waiting PodInitializing / ${LOST} #1`],
    ],
    [
      'was lost, and is not restarted, in a pod that is deleted',
      { ...two, metadata: { deletionTimestamp: 1 } },
      [was('a', { state: RUNNING }), was('b', { state: RUNNING })],
      [`a: waiting ContainerCreating / ${LOST} #0`, `b: waiting ContainerCreating / ${LOST} #0`],
    ],
    [
      'keeps the end that is known when it ran',
      { spec: { containers: [a] } },
      [was('a', { state: RUNNING, lastTerminationState: terminated(2) })],
      ['a: waiting ContainerCreating / terminated Error 2 #0'],
    ],
    [
      'stays as it ended',
      two,
      [
        was('a', { state: terminated(1), restartCount: 5 }),
        was('b', { state: terminated(0), restartCount: 5 }),
      ],
      ['a: terminated Error 1 #5', 'b: terminated Completed 0 #5'],
    ],
  ])('%s', (_, pod, previous, expected) => {
    expect(show({ pod, previous })).toEqual(expected);
  });

  it('tells where it was lost', () => {
    const [status] = convert({ previous: [buildContainerStatus({ state: RUNNING })] });
    expect(status?.lastTerminationState.terminated?.message).toBe(
      'The container could not be located when the pod was deleted.  The container used to be Running',
    );
  });

  it('shows its mounts', () => {
    const volumeMounts = [
      { name: 'v', mountPath: '/v', subPath: 'x' },
      { name: 'w', mountPath: '/w', readOnly: true },
    ];
    const pod = { spec: { containers: [buildContainer({ volumeMounts })] } };
    expect(convert({ pod })[0]?.volumeMounts).toEqual([
      { name: 'v', mountPath: '/v' },
      { name: 'w', mountPath: '/w', readOnly: true, recursiveReadOnly: 'Disabled' },
    ]);
    expect(convert({})[0]).not.toHaveProperty('volumeMounts');
  });
});

describe('while all containers restart', () => {
  const given = (
    runtime: Given['runtime'] & object,
    previous: readonly ContainerStatus[],
  ): Given => ({ pod: two, runtime, previous, podRestarting: true });
  const removed = { state: waiting('RestartingAllContainers'), restartCount: 1 };
  const end = terminated(137, { reason: 'RestartingAllContainers' });
  it.each<[string, Given, string[]]>([
    [
      'one ends and calls for it',
      given(
        [buildRuntimeContainer({ name: 'a' }), buildExited(42, { name: 'b' })],
        [was('a', { state: RUNNING }), was('b', { state: RUNNING })],
      ),
      ['a: running #0', 'b: terminated Error 42 #0'],
    ],
    [
      'one is removed, the other killed',
      given(
        [buildExited(137, { name: 'a' })],
        [was('a', { state: RUNNING }), was('b', { state: terminated(42) })],
      ),
      ['a: terminated Error 137 #0', `b: ${REMOVED} #1`],
    ],
    [
      'both are removed',
      given([], [was('a', { state: terminated(137) }), was('b', { state: terminated(42) })]),
      [`a: ${REMOVED} #1`, `b: ${REMOVED} #1`],
    ],
    [
      'one is removed as it runs',
      given([], [was('a', { state: RUNNING }), was('b', { state: terminated(42) })]),
      [`a: ${REMOVED} #1`, `b: ${REMOVED} #1`],
    ],
    [
      'one is removed that waits',
      given([], [was('a', { state: waiting() }), was('b', { state: terminated(42) })]),
      ['a: waiting ContainerCreating #0', `b: ${REMOVED} #1`],
    ],
    [
      'one runs again',
      given(
        [buildRuntimeContainer({ name: 'a', id: 'a-2' })],
        [was('a', { ...removed, lastTerminationState: end }), was('b', { state: terminated(42) })],
      ),
      ['a: running / terminated RestartingAllContainers 137 #1', `b: ${REMOVED} #1`],
    ],
    [
      'one ended again',
      given(
        [buildExited(1, { name: 'a' })],
        [was('a', { state: RUNNING, restartCount: 1 }), was('b', { state: terminated(42) })],
      ),
      ['a: terminated Error 1 #1', `b: ${REMOVED} #1`],
    ],
  ])('%s', (_, each, expected) => {
    expect(show(each)).toEqual(expected);
  });

  it('one that runs again counts on, and shows how it ended before', () => {
    const previous = [
      was('a', { containerID: 'test://a-1', state: terminated(9), restartCount: 5 }),
    ];
    const runtime = [buildRuntimeContainer({ name: 'a', id: 'a-2' })];
    expect(show({ pod: { spec: { containers: [a] } }, runtime, previous })).toEqual([
      'a: running / terminated Error 9 #6',
    ]);
  });
});

describe('containers of one name in the runtime', () => {
  it('the newest is the state, the one before it the last state, and older ones do not count', () => {
    const runtime = [
      buildRuntimeContainer({ id: 'app-3', restartCount: 2 }),
      buildExited(2, { id: 'app-2', restartCount: 1 }),
      buildExited(1, { id: 'app-1' }),
    ];
    expect(show({ runtime })).toEqual(['app: running / terminated Error 2 #2']);
    expect(convert({ runtime })[0]?.containerID).toBe('test://app-3');
  });

  it('that the pod does not name are passed over', () => {
    expect(show({ runtime: [buildRuntimeContainer({ name: 'other' })] })).toEqual([
      'app: waiting ContainerCreating #0',
    ]);
  });

  it('come sorted by name, init containers in their order', () => {
    const names = (containers: readonly ContainerStatus[]): string[] =>
      containers.map(({ name }) => name);
    const list: Container[] = [b, a];
    expect(names(convert({ pod: { spec: { containers: list } } }))).toEqual(['a', 'b']);
    const pod = { spec: { initContainers: list } };
    expect(names(convert({ pod, isInit: true }))).toEqual(['b', 'a']);
  });

  it.each<[string, RuntimeContainers, boolean | undefined]>([
    ['a running container stays started', [{ state: 'running' }], true],
    ['one that has ended does not', [{ state: 'exited' }], undefined],
  ])('%s', (_, runtime, started) => {
    const previous = [buildContainerStatus({ started: true })];
    const [status] = convert({ runtime: runtime.map(buildRuntimeContainer), previous });
    expect(status?.started).toBe(started);
  });

  it('show the resources that they were given', () => {
    const resources = { requests: { cpu: '1' }, limits: { cpu: '2' } };
    const pod = { spec: { containers: [buildContainer({ resources })] } };
    const runtime = [buildRuntimeContainer()];
    expect(convert({ pod, runtime })[0]).toMatchObject({
      resources,
      allocatedResources: { cpu: '1' },
    });
    const [plain] = convert({ runtime });
    expect(plain?.resources).toEqual({});
    expect(plain).not.toHaveProperty('allocatedResources');
  });
});

describe('a start that failed', () => {
  const startErrors = { app: 'back-off 10s' };
  it('makes a container that is to be started wait, and its end the last one', () => {
    const runtime = [buildExited(1)];
    expect(show({ runtime, startErrors })).toEqual([
      'app: waiting CrashLoopBackOff / terminated Error 1 #0',
    ]);
    const [status] = convert({ runtime, startErrors });
    expect(status?.state.waiting?.message).toBe('back-off 10s');
  });

  it('is told of a container that was never made', () => {
    expect(show({ startErrors })).toEqual(['app: waiting CrashLoopBackOff #0']);
  });

  it.each<[string, Given, string]>([
    ['runs', { runtime: [buildRuntimeContainer()] }, 'app: running #0'],
    [
      'has ended for good',
      { runtime: [buildExited(0)], pod: { spec: { restartPolicy: 'Never' } } },
      'app: terminated Completed 0 #0',
    ],
    [
      'has ended in a pod that is deleted',
      { runtime: [buildExited(1)], pod: { metadata: { deletionTimestamp: 1 } } },
      'app: terminated Error 1 #0',
    ],
  ])('is not told of a container that %s', (_, given, expected) => {
    expect(show({ ...given, startErrors })).toEqual([expected]);
  });
});

describe('init containers', () => {
  const pod = (init: Container): PodOverrides => ({ spec: { initContainers: [init] } });
  const init = pod(buildContainer({ name: 'i' }));
  const startErrors = { i: 'back-off 10s', sidecar: 'back-off 10s' };
  const regular = buildRuntimeContainer();
  it.each<[string, Given, string]>([
    [
      'that is done stays so',
      { runtime: [buildExited(0, { name: 'i' })] },
      'i: terminated Completed 0 #0',
    ],
    [
      'that failed waits for its next start',
      { runtime: [buildExited(1, { name: 'i' })] },
      'i: waiting CrashLoopBackOff / terminated Error 1 #0',
    ],
    [
      'that is gone beside a regular one is taken to be done',
      { runtime: [regular] },
      'i: terminated Completed 0 #0',
    ],
    [
      'that is gone beside a regular one that cannot be told waits',
      { runtime: [buildRuntimeContainer({ state: 'unknown' })] },
      'i: waiting CrashLoopBackOff #0',
    ],
    [
      'that is gone keeps the end that is known',
      { runtime: [regular], previous: [was('i', { state: terminated(1) })] },
      'i: waiting CrashLoopBackOff / terminated Error 1 #0',
    ],
  ])('one %s', (_, given, expected) => {
    expect(show({ pod: init, isInit: true, startErrors, ...given })).toEqual([expected]);
  });

  it('tell that they were taken to be done', () => {
    const [status] = convert({ pod: init, isInit: true, runtime: [regular] });
    expect(status?.state.terminated?.message).toBe(
      'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
    );
  });

  it('that are sidecars wait when they are gone', () => {
    const given = { pod: pod(buildSidecar()), isInit: true, runtime: [regular] };
    expect(show(given)).toEqual(['sidecar: waiting PodInitializing #0']);
    expect(show({ ...given, startErrors })).toEqual(['sidecar: waiting CrashLoopBackOff #0']);
  });
});

const ID = 'test://app-2';

function convertOne(
  container: Parameters<typeof convertContainerStatus>[0],
  old?: Partial<ContainerStatus>,
  podRestarting = false,
): ContainerStatus {
  const oldStatus = old === undefined ? undefined : buildContainerStatus(old);
  return convertContainerStatus(container, ID, oldStatus, podRestarting);
}

describe('the state', () => {
  it('of a running container is when it began', () => {
    const container = buildRuntimeContainer({ startedAt: 1_500 });
    expect(convertOne(container).state).toEqual({ running: { startedAt: 1_500 } });
  });

  it('of one that is only made is waiting', () => {
    expect(convertOne(buildRuntimeContainer({ state: 'created' })).state).toEqual({ waiting: {} });
  });

  it('of one that has ended is how it ended', () => {
    const container = buildExited(3, { startedAt: 10, finishedAt: 20, message: 'oops' });
    expect(convertOne(container).state).toEqual({
      terminated: {
        exitCode: 3,
        reason: 'Error',
        message: 'oops',
        startedAt: 10,
        finishedAt: 20,
        containerID: ID,
      },
    });
  });

  it.each<[string, Partial<ContainerStatus> | undefined]>([
    ['nothing is known', undefined],
    ['waited', { state: waiting() }],
    ['had ended', { state: terminated(0) }],
  ])('of one that cannot be told is waiting when before %s', (_, old) => {
    const container = buildRuntimeContainer({ state: 'unknown' });
    expect(convertOne(container, old).state).toEqual({ waiting: {} });
  });

  it.each<[boolean, string]>([
    [false, 'ContainerStatusUnknown'],
    [true, 'RestartingAllContainers'],
  ])('of one that ran and cannot be told, pod restarting: %s: %s', (restarting, reason) => {
    const container = buildRuntimeContainer({ state: 'unknown', restartCount: 7 });
    const status = convertOne(container, { state: RUNNING, restartCount: 2 }, restarting);
    expect(status.state).toEqual({
      terminated: {
        reason,
        message: 'The container could not be located when the pod was terminated',
        exitCode: 137,
      },
    });
    expect(status.restartCount).toBe(3);
  });
});

describe('the restart count', () => {
  it.each<[string, number, Partial<ContainerStatus> | undefined, number]>([
    ["is the runtime's at first", 4, undefined, 4],
    ["is the runtime's when that is higher", 4, { restartCount: 2 }, 4],
    ['does not go back', 0, { restartCount: 5 }, 5],
    [
      'counts on when a container that had ended runs',
      0,
      { state: terminated(1), restartCount: 5 },
      6,
    ],
    ['counts on also from 0', 0, { state: terminated(1), restartCount: 0 }, 1],
    ['does not when the runtime counted', 6, { state: terminated(1), restartCount: 5 }, 6],
    ['does not when it waited before', 1, { state: waiting(), restartCount: 1 }, 1],
  ])('%s', (_, restartCount, old, expected) => {
    expect(convertOne(buildRuntimeContainer({ restartCount }), old).restartCount).toBe(expected);
  });

  it('of a container that has ended does not count on', () => {
    expect(convertOne(buildExited(1), { state: terminated(1), restartCount: 5 }).restartCount).toBe(
      5,
    );
  });
});

describe('the last state', () => {
  it.each<[string, Partial<ContainerStatus> | undefined, object]>([
    ['is nothing at first', undefined, {}],
    ['stays', { lastTerminationState: terminated(1) }, terminated(1)],
    [
      "is another container's end",
      { containerID: 'test://app-1', state: terminated(2), lastTerminationState: terminated(1) },
      terminated(2),
    ],
    [
      'is not the own end',
      { containerID: ID, state: terminated(2), lastTerminationState: terminated(1) },
      terminated(1),
    ],
    ['is no waiting', { containerID: 'test://app-1', state: waiting() }, {}],
  ])('%s', (_, old, expected) => {
    expect(convertOne(buildRuntimeContainer(), old).lastTerminationState).toEqual(expected);
  });
});

it('names, image, id and mounts are taken over; readiness is for the probes to say', () => {
  const container = buildRuntimeContainer({ image: 'app:1', imageRef: 'app@sha256:1' });
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  expect(convertOne(container, { volumeMounts, ready: true })).toMatchObject({
    name: 'app',
    image: 'app:1',
    imageID: 'app@sha256:1',
    containerID: ID,
    ready: false,
    volumeMounts,
  });
  expect(convertOne(container, {})).not.toHaveProperty('volumeMounts');
});
