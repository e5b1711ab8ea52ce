import { describe, expect, it } from 'vitest';

import type { Container, ContainerStatus } from '../../../src/api/index.js';
import { behaviorOf, DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
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
    behavior: DEFAULT_BEHAVIOR,
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

describe('a container that is not in the runtime', () => {
  it.each<[string, PodOverrides, readonly ContainerStatus[], string[]]>([
    [
      'waits with ContainerCreating',
      { spec: { containers: [a] } },
      [],
      ['a: waiting ContainerCreating #0'],
    ],
    [
      'waits with PodInitializing when there are init containers',
      { spec: { containers: [a], initContainers: [buildContainer({ name: 'i' })] } },
      [],
      ['a: waiting PodInitializing #0'],
    ],
    [
      'keeps its restart count and last termination while it waits',
      { spec: { containers: [a] } },
      [was('a', { state: waiting(), lastTerminationState: terminated(1), restartCount: 3 })],
      ['a: waiting ContainerCreating / terminated Error 1 #3'],
    ],
    [
      'has the last termination ContainerStatusUnknown and one more restart when it was running',
      two,
      [was('a', { state: RUNNING }), was('b', { state: RUNNING, restartCount: 2 })],
      [`a: waiting ContainerCreating / ${LOST} #1`, `b: waiting ContainerCreating / ${LOST} #3`],
    ],
    [
      'has the last termination ContainerStatusUnknown also with init containers',
      { spec: { containers: [a], initContainers: [buildContainer({ name: 'i' })] } },
      [was('a', { state: RUNNING })],
      [`a: waiting PodInitializing / ${LOST} #1`],
    ],
    [
      'does not count a restart while its pod is being deleted',
      { ...two, metadata: { deletionTimestamp: 1 } },
      [was('a', { state: RUNNING }), was('b', { state: RUNNING })],
      [`a: waiting ContainerCreating / ${LOST} #0`, `b: waiting ContainerCreating / ${LOST} #0`],
    ],
    [
      'keeps its last termination when it was running and had one',
      { spec: { containers: [a] } },
      [was('a', { state: RUNNING, lastTerminationState: terminated(2) })],
      ['a: waiting ContainerCreating / terminated Error 2 #0'],
    ],
    [
      'stays terminated',
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

  it('has a message that says it could not be located', () => {
    const [status] = convert({ previous: [buildContainerStatus({ state: RUNNING })] });
    expect(status?.lastTerminationState.terminated?.message).toBe(
      'The container could not be located when the pod was deleted.  The container used to be Running',
    );
  });

  it('has its volume mounts', () => {
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

describe('during RestartAllContainers', () => {
  const given = (
    runtime: Given['runtime'] & object,
    previous: readonly ContainerStatus[],
  ): Given => ({ pod: two, runtime, previous, podRestarting: true });
  const removed = { state: waiting('RestartingAllContainers'), restartCount: 1 };
  const end = terminated(137, { reason: 'RestartingAllContainers' });
  it.each<[string, Given, string[]]>([
    [
      'one container exits and triggers it',
      given(
        [buildRuntimeContainer({ name: 'a' }), buildExited(42, { name: 'b' })],
        [was('a', { state: RUNNING }), was('b', { state: RUNNING })],
      ),
      ['a: running #0', 'b: terminated Error 42 #0'],
    ],
    [
      'one container is removed, the other killed',
      given(
        [buildExited(137, { name: 'a' })],
        [was('a', { state: RUNNING }), was('b', { state: terminated(42) })],
      ),
      ['a: terminated Error 137 #0', `b: ${REMOVED} #1`],
    ],
    [
      'both containers are removed',
      given([], [was('a', { state: terminated(137) }), was('b', { state: terminated(42) })]),
      [`a: ${REMOVED} #1`, `b: ${REMOVED} #1`],
    ],
    [
      'one container is removed while it was running',
      given([], [was('a', { state: RUNNING }), was('b', { state: terminated(42) })]),
      [`a: ${REMOVED} #1`, `b: ${REMOVED} #1`],
    ],
    [
      'one container is removed while it was waiting',
      given([], [was('a', { state: waiting() }), was('b', { state: terminated(42) })]),
      ['a: waiting ContainerCreating #0', `b: ${REMOVED} #1`],
    ],
    [
      'one container runs again',
      given(
        [buildRuntimeContainer({ name: 'a', id: 'a-2' })],
        [was('a', { ...removed, lastTerminationState: end }), was('b', { state: terminated(42) })],
      ),
      ['a: running / terminated RestartingAllContainers 137 #1', `b: ${REMOVED} #1`],
    ],
    [
      'one container exits again',
      given(
        [buildExited(1, { name: 'a' })],
        [was('a', { state: RUNNING, restartCount: 1 }), was('b', { state: terminated(42) })],
      ),
      ['a: terminated Error 1 #1', `b: ${REMOVED} #1`],
    ],
  ])('%s', (_, each, expected) => {
    expect(show(each)).toEqual(expected);
  });

  it('a container that runs again has one more restart and its previous exit as last state', () => {
    const previous = [
      was('a', { containerID: 'test://a-1', state: terminated(9), restartCount: 5 }),
    ];
    const runtime = [buildRuntimeContainer({ name: 'a', id: 'a-2' })];
    expect(show({ pod: { spec: { containers: [a] } }, runtime, previous })).toEqual([
      'a: running / terminated Error 9 #6',
    ]);
  });
});

describe("the runtime's containers", () => {
  it('give the state from the newest of a name and the last state from the one before', () => {
    const runtime = [
      buildRuntimeContainer({ id: 'app-3', restartCount: 2 }),
      buildExited(2, { id: 'app-2', restartCount: 1 }),
      buildExited(1, { id: 'app-1' }),
    ];
    expect(show({ runtime })).toEqual(['app: running / terminated Error 2 #2']);
    expect(convert({ runtime })[0]?.containerID).toBe('test://app-3');
  });

  it('are ignored when the spec does not name them', () => {
    expect(show({ runtime: [buildRuntimeContainer({ name: 'other' })] })).toEqual([
      'app: waiting ContainerCreating #0',
    ]);
  });

  it('are sorted by name, and init containers in spec order', () => {
    const names = (containers: readonly ContainerStatus[]): string[] =>
      containers.map(({ name }) => name);
    const list: Container[] = [b, a];
    expect(names(convert({ pod: { spec: { containers: list } } }))).toEqual(['a', 'b']);
    const pod = { spec: { initContainers: list } };
    expect(names(convert({ pod, isInit: true }))).toEqual(['b', 'a']);
  });

  it.each<[string, RuntimeContainers, boolean | undefined]>([
    ['stay started while they run', [{ state: 'running' }], true],
    ['are not started when they have exited', [{ state: 'exited' }], undefined],
  ])('%s', (_, runtime, started) => {
    const previous = [buildContainerStatus({ started: true })];
    const [status] = convert({ runtime: runtime.map(buildRuntimeContainer), previous });
    expect(status?.started).toBe(started);
  });

  it('have the resources of the spec', () => {
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

describe('a start error', () => {
  const startErrors = { app: 'back-off 10s' };
  it('makes an exited container wait, with its exit as last state', () => {
    const runtime = [buildExited(1)];
    expect(show({ runtime, startErrors })).toEqual([
      'app: waiting CrashLoopBackOff / terminated Error 1 #0',
    ]);
    const [status] = convert({ runtime, startErrors });
    expect(status?.state.waiting?.message).toBe('back-off 10s');
  });

  it('makes a container wait that was never created', () => {
    expect(show({ startErrors })).toEqual(['app: waiting CrashLoopBackOff #0']);
  });

  it.each<[string, Given, string]>([
    ['runs', { runtime: [buildRuntimeContainer()] }, 'app: running #0'],
    [
      'has exited for good',
      { runtime: [buildExited(0)], pod: { spec: { restartPolicy: 'Never' } } },
      'app: terminated Completed 0 #0',
    ],
    [
      'has exited in a pod that is being deleted',
      { runtime: [buildExited(1)], pod: { metadata: { deletionTimestamp: 1 } } },
      'app: terminated Error 1 #0',
    ],
  ])('is ignored for a container that %s', (_, given, expected) => {
    expect(show({ ...given, startErrors })).toEqual([expected]);
  });
});

describe('an init container', () => {
  const pod = (init: Container): PodOverrides => ({ spec: { initContainers: [init] } });
  const init = pod(buildContainer({ name: 'i' }));
  const startErrors = { i: 'back-off 10s', sidecar: 'back-off 10s' };
  const regular = buildRuntimeContainer();
  it.each<[string, Given, string]>([
    [
      'stays completed',
      { runtime: [buildExited(0, { name: 'i' })] },
      'i: terminated Completed 0 #0',
    ],
    [
      'waits for its next start when it has failed',
      { runtime: [buildExited(1, { name: 'i' })] },
      'i: waiting CrashLoopBackOff / terminated Error 1 #0',
    ],
    [
      'counts as completed when it is gone and a regular container exists',
      { runtime: [regular] },
      'i: terminated Completed 0 #0',
    ],
    [
      'waits when it is gone and the regular container has an unknown state',
      { runtime: [buildRuntimeContainer({ state: 'unknown' })] },
      'i: waiting CrashLoopBackOff #0',
    ],
    [
      'keeps its last termination when it is gone',
      { runtime: [regular], previous: [was('i', { state: terminated(1) })] },
      'i: waiting CrashLoopBackOff / terminated Error 1 #0',
    ],
  ])('%s', (_, given, expected) => {
    expect(show({ pod: init, isInit: true, startErrors, ...given })).toEqual([expected]);
  });

  it('has a message when it is assumed to be completed', () => {
    const [status] = convert({ pod: init, isInit: true, runtime: [regular] });
    expect(status?.state.terminated?.message).toBe(
      'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
    );
  });

  it('waits when it is gone and a sidecar', () => {
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
  behavior = DEFAULT_BEHAVIOR,
): ContainerStatus {
  const oldStatus = old === undefined ? undefined : buildContainerStatus(old);
  return convertContainerStatus(container, ID, oldStatus, podRestarting, behavior);
}

describe('the container state', () => {
  it('is running since the start of the container', () => {
    const container = buildRuntimeContainer({ startedAt: 1_500 });
    expect(convertOne(container).state).toEqual({ running: { startedAt: 1_500 } });
  });

  it('is waiting when the container is only created', () => {
    expect(convertOne(buildRuntimeContainer({ state: 'created' })).state).toEqual({ waiting: {} });
  });

  it('is terminated when the container has exited', () => {
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
    ['there was no status', undefined],
    ['it was waiting', { state: waiting() }],
    ['it was terminated', { state: terminated(0) }],
  ])('is waiting when it is unknown and before that %s', (_, old) => {
    const container = buildRuntimeContainer({ state: 'unknown' });
    expect(convertOne(container, old).state).toEqual({ waiting: {} });
  });

  it.each<[boolean, string]>([
    [false, 'ContainerStatusUnknown'],
    [true, 'RestartingAllContainers'],
  ])(
    'is terminated when it is unknown and was running, pod restarting: %s: %s',
    (restarting, reason) => {
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
    },
  );
});

describe('the restart count', () => {
  it.each<[string, number, Partial<ContainerStatus> | undefined, number]>([
    ["is the runtime's at first", 4, undefined, 4],
    ["is the runtime's when that is higher", 4, { restartCount: 2 }, 4],
    ['never decreases', 0, { restartCount: 5 }, 5],
    [
      'increases when a terminated container runs again',
      0,
      { state: terminated(1), restartCount: 5 },
      6,
    ],
    ['increases also from 0', 0, { state: terminated(1), restartCount: 0 }, 1],
    [
      'does not increase when the runtime has counted',
      6,
      { state: terminated(1), restartCount: 5 },
      6,
    ],
    [
      'does not increase when the container was waiting',
      1,
      { state: waiting(), restartCount: 1 },
      1,
    ],
  ])('%s', (_, restartCount, old, expected) => {
    expect(convertOne(buildRuntimeContainer({ restartCount }), old).restartCount).toBe(expected);
  });

  it.each([
    ['1.35', undefined, 0],
    ['1.35', { RestartAllContainersOnContainerExits: true }, 6],
    ['1.36', undefined, 6],
  ])(
    'of %s with the gates %j never decreases once the gate is on',
    (version, featureGates, expected) => {
      const old = { state: terminated(1), restartCount: 5 };
      const behavior = behaviorOf({ version, featureGates });
      const container = buildRuntimeContainer({ restartCount: 0 });
      expect(convertOne(container, old, false, behavior).restartCount).toBe(expected);
    },
  );

  it('does not increase when the container has exited', () => {
    expect(convertOne(buildExited(1), { state: terminated(1), restartCount: 5 }).restartCount).toBe(
      5,
    );
  });
});

describe('the last state', () => {
  it.each<[string, Partial<ContainerStatus> | undefined, object]>([
    ['is empty at first', undefined, {}],
    ['is kept', { lastTerminationState: terminated(1) }, terminated(1)],
    [
      'is the termination of the previous container',
      { containerID: 'test://app-1', state: terminated(2), lastTerminationState: terminated(1) },
      terminated(2),
    ],
    [
      'is not the termination of the same container',
      { containerID: ID, state: terminated(2), lastTerminationState: terminated(1) },
      terminated(1),
    ],
    ['is not a waiting state', { containerID: 'test://app-1', state: waiting() }, {}],
  ])('%s', (_, old, expected) => {
    expect(convertOne(buildRuntimeContainer(), old).lastTerminationState).toEqual(expected);
  });
});

it('a converted status has name, image, ID and mounts, and is not ready', () => {
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
