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

describe('podSandboxChanged', () => {
  const changedNetwork = 'network namespace mode changed and sandbox needs to be recreated';
  const hostNetwork = { spec: { hostNetwork: true } };
  const [kept, next] = [
    { changed: false, attempt: 0, sandboxID: 'sandbox-1', reason: '' },
    { changed: true, attempt: 1, sandboxID: 'sandbox-1' },
  ];
  it.each<[string, Parameters<typeof buildPod>[0], RuntimeSandboxStatus[], object]>([
    [
      'is true when there is no sandbox',
      {},
      [],
      { changed: true, attempt: 0, sandboxID: '', reason: 'no pod sandbox exists' },
    ],
    ['is false when one sandbox is ready', {}, [ready], kept],
    [
      'is true when the latest sandbox is not ready',
      {},
      [gone, buildSandbox({ id: 'sandbox-0' })],
      { ...next, reason: 'pod sandbox is not ready' },
    ],
    [
      'is true when two sandboxes are ready',
      {},
      [ready, buildSandbox({ id: 'sandbox-0' })],
      { ...next, reason: 'multiple pod sandboxes are ready and need to be reconciled' },
    ],
    [
      'is false when only an older sandbox is not ready',
      {},
      [ready, buildSandbox({ id: 'sandbox-0', state: 'notReady' })],
      kept,
    ],
    [
      'is true when the sandbox has no IP',
      {},
      [buildSandbox({ ips: [] })],
      { ...next, reason: 'pod sandbox has no IP address' },
    ],
    [
      'is true when the sandbox uses the host network and the pod does not',
      {},
      [buildSandbox({ hostNetwork: true })],
      { ...next, sandboxID: '', reason: changedNetwork },
    ],
    [
      'is true when the pod uses the host network and the sandbox does not',
      hostNetwork,
      [ready],
      { ...next, sandboxID: '', reason: changedNetwork },
    ],
    [
      'is false when the host network is used and there is no IP',
      hostNetwork,
      [buildSandbox({ hostNetwork: true, ips: [] })],
      kept,
    ],
    [
      'returns the next attempt',
      {},
      [buildSandbox({ state: 'notReady', attempt: 4 })],
      { ...next, attempt: 5, reason: 'pod sandbox is not ready' },
    ],
  ])('%s', (_, pod, sandboxStatuses, expected) => {
    const podStatus = buildRuntimePodStatus({ sandboxStatuses });
    expect(podSandboxChanged(buildPod(pod), podStatus)).toEqual(expected);
  });
});

describe('containers', () => {
  it('are found by name, the newest first', () => {
    const containerStatuses = [buildExited(2, { id: 'new' }), buildExited(1, { id: 'old' })];
    const podStatus = buildRuntimePodStatus({ containerStatuses });
    expect(findContainerStatusByName(podStatus, 'app')?.id).toBe('new');
    expect(findContainerStatusByName(podStatus, 'other')).toBeUndefined();
  });

  it('are active when they belong to the ready sandbox', () => {
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
    ['no container', [], false, false],
    ['a running regular container', [buildRuntimeContainer()], true, true],
    [
      'a regular container that is only created',
      [buildRuntimeContainer({ state: 'created' })],
      true,
      true,
    ],
    ['a regular container that exited', [buildExited(0)], true, true],
    [
      'a regular container of unknown state',
      [buildRuntimeContainer({ state: 'unknown' })],
      false,
      true,
    ],
    [
      'a regular container of an older sandbox',
      [buildExited(0, { sandboxID: 'sandbox-0' })],
      true,
      false,
    ],
    ['an exited init container', [buildExited(0, { name: 'init' })], false, false],
  ])(
    'with %s: any regular container created: %s, any active one started: %s',
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
  ['a ready sandbox', [ready], [], false],
  ['a sandbox that is not ready', [gone], [buildExited(0)], true],
  ['a running container', [gone], [buildRuntimeContainer()], false],
])(
  'isPodStatusCacheTerminal, for a pod with %s: %s',
  (_, sandboxStatuses, containerStatuses, expected) => {
    const podStatus = buildRuntimePodStatus({ sandboxStatuses, containerStatuses });
    expect(isPodStatusCacheTerminal(podStatus)).toBe(expected);
  },
);

it('emptyRuntimePodStatus has no sandboxes and no containers', () => {
  expect(emptyRuntimePodStatus('uid-1')).toEqual({
    uid: 'uid-1',
    ips: [],
    sandboxStatuses: [],
    containerStatuses: [],
  });
});
