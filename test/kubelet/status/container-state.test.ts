import { describe, expect, it } from 'vitest';

import type { ContainerStatus } from '../../../src/api/index.js';
import { convertContainerStatus } from '../../../src/kubelet/status/container-state.js';
import {
  buildContainerStatus,
  buildExited,
  buildRuntimeContainer,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

const ID = 'test://app-2';

function convert(
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
    expect(convert(container).state).toEqual({ running: { startedAt: 1_500 } });
  });

  it('of one that is only made is waiting', () => {
    expect(convert(buildRuntimeContainer({ state: 'created' })).state).toEqual({ waiting: {} });
  });

  it('of one that has ended is how it ended', () => {
    const container = buildExited(3, { startedAt: 10, finishedAt: 20, message: 'oops' });
    expect(convert(container).state).toEqual({
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
    expect(convert(container, old).state).toEqual({ waiting: {} });
  });

  it.each<[boolean, string]>([
    [false, 'ContainerStatusUnknown'],
    [true, 'RestartingAllContainers'],
  ])('of one that ran and cannot be told, pod restarting: %s: %s', (restarting, reason) => {
    const container = buildRuntimeContainer({ state: 'unknown', restartCount: 7 });
    const status = convert(container, { state: RUNNING, restartCount: 2 }, restarting);
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
    expect(convert(buildRuntimeContainer({ restartCount }), old).restartCount).toBe(expected);
  });

  it('of a container that has ended does not count on', () => {
    expect(convert(buildExited(1), { state: terminated(1), restartCount: 5 }).restartCount).toBe(5);
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
    expect(convert(buildRuntimeContainer(), old).lastTerminationState).toEqual(expected);
  });
});

it('names, image, id and mounts are taken over; readiness is for the probes to say', () => {
  const container = buildRuntimeContainer({ image: 'app:1', imageRef: 'app@sha256:1' });
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  expect(convert(container, { volumeMounts, ready: true })).toMatchObject({
    name: 'app',
    image: 'app:1',
    imageID: 'app@sha256:1',
    containerID: ID,
    ready: false,
    volumeMounts,
  });
  expect(convert(container, {})).not.toHaveProperty('volumeMounts');
});
