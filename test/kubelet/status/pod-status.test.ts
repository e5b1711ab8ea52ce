import { describe, expect, it } from 'vitest';

import type { PodPhase, PodStatus } from '../../../src/api/index.js';
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
    startError: () => undefined,
    updatePodStatus: (status) => status,
    ...overrides,
  });
}

const gone = buildRuntimePodStatus();
const ran: PodStatus = { containerStatuses: [buildContainerStatus({ state: RUNNING })] };

describe('the phase', () => {
  it.each<[string, Partial<PodStatusInput>, PodPhase]>([
    ["is computed from the containers' states", {}, 'Running'],
    [
      'goes back to Pending',
      { pod: buildPod({ status: { phase: 'Running' } }), podStatus: gone },
      'Pending',
    ],
    [
      'that the API server shows stays when it is terminal',
      { pod: buildPod({ status: { phase: 'Succeeded', ...ran } }), podStatus: gone, cached: ran },
      'Succeeded',
    ],
    [
      'that the API server shows stays when another end is found',
      {
        pod: buildPod({ spec: { restartPolicy: 'Never' }, status: { phase: 'Succeeded' } }),
        podStatus: buildRuntimePodStatus({ containerStatuses: [buildExited(1)] }),
      },
      'Succeeded',
    ],
    [
      'that was stays when it is terminal',
      { podStatus: gone, cached: { ...ran, phase: 'Failed' } },
      'Failed',
    ],
    ['of a pod past its deadline is Failed', { deadlineExceeded: true }, 'Failed'],
    [
      'of a pod past its deadline stays when the API server shows an end',
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
  ])('%s is terminal: %s', (phase, expected) => {
    expect(isTerminal(phase)).toBe(expected);
  });
});

describe('reason and message', () => {
  const why = { reason: 'Test', message: 'test' };
  it.each<[string, Partial<PodStatusInput>, object]>([
    ['stay while the phase does', { cached: { ...ran, phase: 'Running', ...why } }, why],
    ['go when it changes', { cached: { ...ran, phase: 'Pending', ...why } }, {}],
    [
      "are the API server's where there are no others",
      { pod: buildPod({ status: { phase: 'Running', ...why } }), cached: { phase: 'Running' } },
      why,
    ],
    [
      'stay with a terminal phase',
      { podStatus: gone, cached: { ...ran, phase: 'Succeeded', ...why } },
      why,
    ],
    [
      'tell of the deadline',
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

describe('addresses', () => {
  const withIPs = (ips: string[]) => ({ podStatus: buildRuntimePodStatus({ ips }) });
  it.each<[string, Partial<PodStatusInput>, string[] | undefined]>([
    ["are the sandbox's", withIPs(['10.0.0.1']), ['10.0.0.1']],
    ['are none without a sandbox', withIPs([]), undefined],
    [
      "come with the node's family first",
      withIPs(['fd00::1', '10.0.0.1']),
      ['10.0.0.1', 'fd00::1'],
    ],
    [
      'are one of each family',
      withIPs(['10.0.0.1', '10.0.0.2', 'fd00::1', 'fd00::2']),
      ['10.0.0.1', 'fd00::1'],
    ],
    ['of one family are one', withIPs(['10.0.0.1', '10.0.0.2']), ['10.0.0.1']],
    [
      'on a node with an address of the other family come the other way',
      { ...withIPs(['10.0.0.1', 'fd00::1']), hostIP: 'fd00::ff' },
      ['fd00::1', '10.0.0.1'],
    ],
    [
      "on the node's network are the node's",
      { ...withIPs([]), pod: buildPod({ spec: { hostNetwork: true } }) },
      ['192.168.0.1'],
    ],
    [
      "on the node's network stay once they are set",
      { ...withIPs(['192.168.0.7']), pod: buildPod({ spec: { hostNetwork: true } }) },
      ['192.168.0.7'],
    ],
  ])('of the pod %s', (_, overrides, expected) => {
    const status = generate(overrides);
    expect(status.podIPs).toEqual(expected);
    expect(status.podIP).toBe(expected?.[0]);
  });

  it('of the node are told', () => {
    expect(generate()).toMatchObject({ hostIP: '192.168.0.1', hostIPs: ['192.168.0.1'] });
  });
});

it("conditions are built from what the probes' manager says, on the kubelet's own last status", () => {
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

it('init container statuses are there only when there are init containers', () => {
  expect(generate()).not.toHaveProperty('initContainerStatuses');
  const pod = buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } });
  expect(generate({ pod }).initContainerStatuses).toHaveLength(1);
});

it('both lists get a restart of all containers', () => {
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
