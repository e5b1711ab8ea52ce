import { describe, expect, it } from 'vitest';

import type { PodPhase, PodStatus } from '../../../src/api/index.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import {
  generateAPIPodStatus,
  isTerminal,
  type PodStatusInput,
} from '../../../src/kubelet/status/pod-status.js';
import {
  buildContainer,
  buildContainerStatus,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  condition,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

function generate(overrides: Partial<PodStatusInput> = {}): PodStatus {
  return generateAPIPodStatus({
    pod: buildPod(),
    podStatus: buildRuntimePodStatus({ containerStatuses: [buildRuntimeContainer()] }),
    runtimeName: 'test',
    cached: undefined,
    podIsTerminal: false,
    deadlineExceeded: false,
    hostIP: '192.168.0.1',
    behavior: DEFAULT_BEHAVIOR,
    startError: () => undefined,
    updatePodStatus: (status) => status,
    ...overrides,
  });
}

const gone = buildRuntimePodStatus();
const ran: PodStatus = { containerStatuses: [buildContainerStatus({ state: RUNNING })] };

describe('the phase', () => {
  it.each<[string, Partial<PodStatusInput>, PodPhase]>([
    ['is computed from the container states', {}, 'Running'],
    [
      'can return to Pending',
      { pod: buildPod({ status: { phase: 'Running' } }), podStatus: gone },
      'Pending',
    ],
    [
      'stays when the API server has a terminal phase',
      { pod: buildPod({ status: { phase: 'Succeeded', ...ran } }), podStatus: gone, cached: ran },
      'Succeeded',
    ],
    [
      'stays when the API server has another terminal phase than the containers',
      {
        pod: buildPod({ spec: { restartPolicy: 'Never' }, status: { phase: 'Succeeded' } }),
        podStatus: buildRuntimePodStatus({ containerStatuses: [buildExited(1)] }),
      },
      'Succeeded',
    ],
    [
      'stays when the cached phase is terminal',
      { podStatus: gone, cached: { ...ran, phase: 'Failed' } },
      'Failed',
    ],
    ['is Failed past the active deadline', { deadlineExceeded: true }, 'Failed'],
    [
      'stays past the active deadline when the API server has a terminal phase',
      { deadlineExceeded: true, pod: buildPod({ status: { phase: 'Succeeded' } }) },
      'Succeeded',
    ],
  ])('%s', (_, overrides, phase) => {
    expect(generate(overrides).phase).toBe(phase);
  });

  it.each<[PodPhase | undefined, boolean]>([
    ['Succeeded', true],
    ['Failed', true],
    ['Running', false],
    ['Unknown', false],
    [undefined, false],
  ])('isTerminal(%s) is %s', (phase, expected) => {
    expect(isTerminal(phase)).toBe(expected);
  });
});

describe('reason and message', () => {
  const why = { reason: 'Test', message: 'test' };
  it.each<[string, Partial<PodStatusInput>, object]>([
    [
      'are kept while the phase stays the same',
      { cached: { ...ran, phase: 'Running', ...why } },
      why,
    ],
    ['are dropped when the phase changes', { cached: { ...ran, phase: 'Pending', ...why } }, {}],
    [
      "come from the API server's status when the cached one has none",
      { pod: buildPod({ status: { phase: 'Running', ...why } }), cached: { phase: 'Running' } },
      why,
    ],
    [
      'are kept with a terminal phase',
      { podStatus: gone, cached: { ...ran, phase: 'Succeeded', ...why } },
      why,
    ],
    [
      'are DeadlineExceeded past the active deadline',
      { deadlineExceeded: true, cached: { phase: 'Running', ...why } },
      {
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      },
    ],
  ])('%s', (_, overrides, expected) => {
    const { reason, message } = generate(overrides);
    expect({ reason, message }).toEqual({ reason: undefined, message: undefined, ...expected });
  });
});

describe('IP addresses', () => {
  const withIPs = (ips: string[]) => ({ podStatus: buildRuntimePodStatus({ ips }) });
  it.each<[string, Partial<PodStatusInput>, string[] | undefined]>([
    ['come from the sandbox', withIPs(['10.0.0.1']), ['10.0.0.1']],
    ['are absent without a sandbox', withIPs([]), undefined],
    [
      'start with the IP family of the node',
      withIPs(['fd00::1', '10.0.0.1']),
      ['10.0.0.1', 'fd00::1'],
    ],
    [
      'are one of each family',
      withIPs(['10.0.0.1', '10.0.0.2', 'fd00::1', 'fd00::2']),
      ['10.0.0.1', 'fd00::1'],
    ],
    ['are one when all have the same family', withIPs(['10.0.0.1', '10.0.0.2']), ['10.0.0.1']],
    [
      'start with IPv6 on an IPv6 node',
      { ...withIPs(['10.0.0.1', 'fd00::1']), hostIP: 'fd00::ff' },
      ['fd00::1', '10.0.0.1'],
    ],
    [
      'are those of the node on the host network',
      { ...withIPs([]), pod: buildPod({ spec: { hostNetwork: true } }) },
      ['192.168.0.1'],
    ],
    [
      "are the runtime's on the host network when it reports some",
      { ...withIPs(['192.168.0.7']), pod: buildPod({ spec: { hostNetwork: true } }) },
      ['192.168.0.7'],
    ],
  ])('of the pod %s', (_, overrides, expected) => {
    const status = generate(overrides);
    expect(status.podIPs).toEqual(expected);
    expect(status.podIP).toBe(expected?.[0]);
  });

  it('include those of the node', () => {
    expect(generate()).toMatchObject({ hostIP: '192.168.0.1', hostIPs: ['192.168.0.1'] });
  });
});

it("conditions follow the prober manager's readiness and the cached Initialized condition", () => {
  const status = generate({
    pod: buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } }),
    podStatus: buildRuntimePodStatus(),
    cached: { conditions: [condition('Initialized', 'True')] },
    updatePodStatus: (made) => ({
      ...made,
      containerStatuses: made.containerStatuses!.map((c) => ({ ...c, ready: true })),
    }),
  });
  const found = Object.fromEntries(status.conditions!.map((c) => [c.type, c.status]));
  expect(found).toMatchObject({ Initialized: 'True', Ready: 'True', ContainersReady: 'True' });
  expect(status.qosClass).toBe('BestEffort');
});

it("the cached status takes precedence over the API server's", () => {
  const api = {
    containerStatuses: [buildContainerStatus({ state: terminated(1), restartCount: 9 })],
  };
  const cached = {
    containerStatuses: [buildContainerStatus({ state: waiting(), restartCount: 2 })],
  };
  const given = { pod: buildPod({ status: api }), podStatus: gone };
  expect(generate({ ...given, cached }).containerStatuses?.[0]?.restartCount).toBe(2);
  expect(generate(given).containerStatuses?.[0]?.restartCount).toBe(9);
});

it('init container statuses are present only with init containers', () => {
  expect(generate()).not.toHaveProperty('initContainerStatuses');
  const pod = buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } });
  expect(generate({ pod }).initContainerStatuses).toHaveLength(1);
});

it('RestartAllContainers affects containers and init containers', () => {
  const cached: PodStatus = {
    conditions: [condition('AllContainersRestarting', 'True')],
    containerStatuses: [buildContainerStatus({ state: RUNNING })],
    initContainerStatuses: [buildContainerStatus({ name: 'init', state: terminated(0) })],
  };
  const pod = buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } });
  const status = generate({ pod, podStatus: gone, cached });
  for (const list of [status.containerStatuses, status.initContainerStatuses]) {
    expect(list?.[0]?.state.waiting?.reason).toBe('RestartingAllContainers');
  }
});
