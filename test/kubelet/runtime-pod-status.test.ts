import { describe, expect, it } from 'vitest';

import type { RuntimeSandboxStatus } from '../../src/kubelet/ports.js';
import {
  activeContainerStatuses,
  emptyRuntimePodStatus,
  findContainerStatusByName,
  hasAnyActiveRegularContainerStarted,
  hasAnyRegularContainerCreated,
  isPodStatusCacheTerminal,
  podSandboxChanged,
} from '../../src/kubelet/runtime-pod-status.js';
import {
  buildContainer,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSandbox,
} from '../helpers/builders.js';

const ready = buildSandbox();
const gone = buildSandbox({ state: 'notReady' });

describe('a pod needs a new sandbox', () => {
  const hostNetwork = { spec: { hostNetwork: true } };
  const [kept, next] = [
    { changed: false, attempt: 0, sandboxID: 'sandbox-1' },
    { changed: true, attempt: 1, sandboxID: 'sandbox-1' },
  ];
  it.each<[string, Parameters<typeof buildPod>[0], RuntimeSandboxStatus[], object]>([
    ['when there is none: yes', {}, [], { changed: true, attempt: 0, sandboxID: '' }],
    ['when one is ready: no', {}, [ready], kept],
    ['when the latest is not ready: yes', {}, [gone, buildSandbox({ id: 'sandbox-0' })], next],
    ['when two are ready: yes', {}, [ready, buildSandbox({ id: 'sandbox-0' })], next],
    [
      'when an older one is not ready: no',
      {},
      [ready, buildSandbox({ id: 'sandbox-0', state: 'notReady' })],
      kept,
    ],
    ['when it has no address: yes', {}, [buildSandbox({ ips: [] })], next],
    [
      "when it is on the node's network: yes",
      {},
      [buildSandbox({ hostNetwork: true })],
      { ...next, sandboxID: '' },
    ],
    [
      "when it should be on the node's network: yes",
      hostNetwork,
      [ready],
      { ...next, sandboxID: '' },
    ],
    [
      'when it is, and has no address: no',
      hostNetwork,
      [buildSandbox({ hostNetwork: true, ips: [] })],
      kept,
    ],
    [
      'counting its attempts',
      {},
      [buildSandbox({ state: 'notReady', attempt: 4 })],
      { ...next, attempt: 5 },
    ],
  ])('%s', (_, pod, sandboxStatuses, expected) => {
    const podStatus = buildRuntimePodStatus({ sandboxStatuses });
    expect(podSandboxChanged(buildPod(pod), podStatus)).toEqual(expected);
  });
});

describe('containers', () => {
  it('of a name: the newest is found', () => {
    const containerStatuses = [buildExited(2, { id: 'new' }), buildExited(1, { id: 'old' })];
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(findContainerStatusByName(podStatus, 'app')?.id).toBe('new');
    expect(findContainerStatusByName(podStatus, 'other')).toBeUndefined();
  });

  it('of the sandbox that is ready are the active ones', () => {
    const old = buildExited(1, { id: 'old', sandboxID: 'sandbox-0' });
    const containerStatuses = [buildRuntimeContainer(), old];
    expect(activeContainerStatuses(buildRuntimePodStatus({ containerStatuses }))).toEqual([
      buildRuntimeContainer(),
    ]);
    expect(
      activeContainerStatuses(
        buildRuntimePodStatus({ sandboxStatuses: [gone], containerStatuses }),
      ),
    ).toEqual([]);
    expect(
      activeContainerStatuses(buildRuntimePodStatus({ sandboxStatuses: [], containerStatuses })),
    ).toEqual([]);
  });

  it.each<[string, ReturnType<typeof buildRuntimeContainer>[], boolean, boolean]>([
    ['none', [], false, false],
    ['a regular one that runs', [buildRuntimeContainer()], true, true],
    ['a regular one that is only made', [buildRuntimeContainer({ state: 'created' })], true, true],
    ['a regular one that has ended', [buildExited(0)], true, true],
    [
      'a regular one that cannot be told',
      [buildRuntimeContainer({ state: 'unknown' })],
      false,
      true,
    ],
    [
      'a regular one of an older sandbox',
      [buildExited(0, { sandboxID: 'sandbox-0' })],
      true,
      false,
    ],
    ['an init container', [buildExited(0, { name: 'init' })], false, false],
  ])(
    'with %s: a regular one was ever made: %s; one stands in the sandbox: %s',
    (_, containerStatuses, made, stands) => {
      const pod = buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } });
      const podStatus = buildRuntimePodStatus({ containerStatuses });
      expect(hasAnyRegularContainerCreated(pod, podStatus)).toBe(made);
      expect(hasAnyActiveRegularContainerStarted(pod, podStatus)).toBe(stands);
    },
  );
});

it.each<[string, RuntimeSandboxStatus[], ReturnType<typeof buildRuntimeContainer>[], boolean]>([
  ['nothing', [], [], true],
  ['a sandbox that is ready', [ready], [], false],
  ['a sandbox that is not', [gone], [buildExited(0)], true],
  ['a container that runs', [gone], [buildRuntimeContainer()], false],
])(
  'of a pod with %s nothing runs any more: %s',
  (_, sandboxStatuses, containerStatuses, expected) => {
    const podStatus = buildRuntimePodStatus({ sandboxStatuses, containerStatuses });
    expect(isPodStatusCacheTerminal(podStatus)).toBe(expected);
  },
);

it('a pod that the runtime has never seen has nothing', () => {
  expect(emptyRuntimePodStatus('uid-1')).toEqual({
    uid: 'uid-1',
    ips: [],
    sandboxStatuses: [],
    containerStatuses: [],
  });
});
