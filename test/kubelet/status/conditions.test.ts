import { describe, expect, it } from 'vitest';

import type {
  Container,
  ContainerStatus,
  Pod,
  PodCondition,
  PodPhase,
  PodStatus,
} from '../../../src/api/index.js';
import type { RuntimePodStatus } from '../../../src/kubelet/ports.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import {
  generateConditions,
  generateContainersReadyCondition,
  generatePodReadyCondition,
  needToReconcilePodReadiness,
  podConditionByKubelet,
  terminalCondition,
} from '../../../src/kubelet/status/conditions.js';
import {
  buildContainer,
  buildContainerStatus,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSandbox,
  buildSidecar,
  condition,
  onExit,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

const containers = (...names: string[]): Container[] =>
  names.map((name) => buildContainer({ name }));
const ready = (name: string): ContainerStatus => buildContainerStatus({ name, ready: true });
const unready = (name: string): ContainerStatus => buildContainerStatus({ name, ready: false });

/** The status, reason and message of a condition in one string. */
const text = ({ status, reason, message }: PodCondition): string =>
  [status, reason, message].filter((part) => part !== undefined).join(' | ');

const withSidecars = {
  initContainers: [buildSidecar({ name: 's1' }), buildSidecar({ name: 's2' })],
};
const NOT_READY = 'False | ContainersNotReady';

/** Rows for ContainersReady, and for Ready without readiness gates. */
const READINESS: readonly [
  string,
  Partial<Pod['spec']>,
  ContainerStatus[] | undefined,
  PodPhase,
  string,
][] = [
  ['no statuses', { containers: [] }, undefined, 'Running', 'False | UnknownContainerStatuses'],
  ['no containers', { containers: [] }, [], 'Running', 'True'],
  [
    'a container without a status',
    { containers: containers('a') },
    [],
    'Running',
    `${NOT_READY} | containers with unknown status: [a]`,
  ],
  ['all ready', { containers: containers('a', 'b') }, [ready('a'), ready('b')], 'Running', 'True'],
  [
    'one of two without a status',
    { containers: containers('a', 'b') },
    [ready('a')],
    'Running',
    `${NOT_READY} | containers with unknown status: [b]`,
  ],
  [
    'one of two unready',
    { containers: containers('a', 'b') },
    [ready('a'), unready('b')],
    'Running',
    `${NOT_READY} | containers with unready status: [b]`,
  ],
  [
    'one without a status and two that are not ready',
    { containers: containers('a', 'b', 'c') },
    [unready('c'), unready('a')],
    'Running',
    `${NOT_READY} | containers with unknown status: [b], containers with unready status: [a c]`,
  ],
  [
    'a pod that succeeded',
    { containers: containers('a') },
    [unready('a')],
    'Succeeded',
    'False | PodCompleted',
  ],
  [
    'a pod that succeeded and has no container status',
    { containers: containers('a') },
    [],
    'Succeeded',
    `${NOT_READY} | containers with unknown status: [a]`,
  ],
  [
    'a pod that failed',
    { containers: containers('a') },
    [ready('a')],
    'Failed',
    'False | PodFailed',
  ],
  [
    'an init container that is not ready',
    { containers: containers('a'), initContainers: containers('init') },
    [ready('a'), unready('init')],
    'Running',
    'True',
  ],
  [
    'sidecars without a status',
    { containers: containers('a'), ...withSidecars },
    [ready('a')],
    'Running',
    `${NOT_READY} | containers with unknown status: [s1 s2]`,
  ],
  [
    'sidecars, all ready',
    { containers: containers('a'), ...withSidecars },
    [ready('s1'), ready('s2'), ready('a')],
    'Running',
    'True',
  ],
  [
    'a sidecar that is not ready',
    { containers: containers('a'), ...withSidecars },
    [ready('s1'), unready('s2'), ready('a')],
    'Running',
    `${NOT_READY} | containers with unready status: [s2]`,
  ],
];

describe.each([
  ['ContainersReady', generateContainersReadyCondition],
  [
    'Ready',
    (pod: Pod, statuses: ContainerStatus[] | undefined, phase: PodPhase) =>
      generatePodReadyCondition(pod, [], statuses, phase),
  ],
] as const)('%s', (type, generate) => {
  it.each(READINESS)('with %s', (_, spec, statuses, phase, expected) => {
    const found = generate(buildPod({ spec }), statuses, phase);
    expect([found.type, text(found)]).toEqual([type, expected]);
  });

  it('has the observed generation', () => {
    const pod = buildPod({ metadata: { generation: 3 } });
    expect(generate(pod, [ready('app')], 'Running').observedGeneration).toBe(3);
  });
});

describe('readiness gates', () => {
  const GATES = 'False | ReadinessGatesNotReady';
  it.each<[string, PodCondition[], string]>([
    ['g1', [], `${GATES} | corresponding condition of pod readiness gate "g1" does not exist.`],
    [
      'g1',
      [condition('g1', 'False')],
      `${GATES} | the status of pod readiness gate "g1" is not "True", but False`,
    ],
    [
      'g1',
      [condition('g1', 'Unknown')],
      `${GATES} | the status of pod readiness gate "g1" is not "True", but Unknown`,
    ],
    ['g1', [condition('g1', 'True')], 'True'],
    [
      'g1 g2',
      [condition('g1', 'True')],
      `${GATES} | corresponding condition of pod readiness gate "g2" does not exist.`,
    ],
    [
      'g1 g2',
      [condition('g1', 'False')],
      `${GATES} | the status of pod readiness gate "g1" is not "True", but False, corresponding condition of pod readiness gate "g2" does not exist.`,
    ],
    ['g1 g2', [condition('g1', 'True'), condition('g2', 'True')], 'True'],
  ])('%s with the conditions %j', (gates, conditions, expected) => {
    const readinessGates = gates.split(' ').map((conditionType) => ({ conditionType }));
    const pod = buildPod({ spec: { containers: [], readinessGates } });
    expect(text(generatePodReadyCondition(pod, conditions, [], 'Running'))).toBe(expected);
  });

  it('are ignored while containers are not ready', () => {
    const pod = buildPod({ spec: { readinessGates: [{ conditionType: 'g1' }] } });
    const found = generatePodReadyCondition(pod, [], [unready('app')], 'Running');
    expect(found.reason).toBe('ContainersNotReady');
  });

  const gated = { spec: { containers: [], readinessGates: [{ conditionType: 'g1' }] } };
  it.each<[string, PodCondition[], boolean]>([
    ['no Ready condition', [condition('g1', 'True')], false],
    [
      'a Ready condition that matches the gate',
      [condition('g1', 'True'), condition('Ready', 'True')],
      false,
    ],
    [
      'a Ready condition while the gate is False',
      [condition('g1', 'False'), condition('Ready', 'True')],
      true,
    ],
    [
      'another message',
      [condition('g1', 'False'), condition('Ready', 'False', { message: 'old' })],
      true,
    ],
  ])('need a sync when the API server has %s: %s', (_, conditions, expected) => {
    const pod = buildPod({ ...gated, status: { conditions, containerStatuses: [] } });
    expect(needToReconcilePodReadiness(pod)).toBe(expected);
  });

  it('never need a sync when the pod has none', () => {
    const status = { conditions: [condition('Ready', 'True')], containerStatuses: [] };
    expect(needToReconcilePodReadiness(buildPod({ status }))).toBe(false);
  });
});

it.each<['Ready' | 'ContainersReady', PodPhase, string]>([
  ['Ready', 'Failed', 'False | PodFailed'],
  ['ContainersReady', 'Succeeded', 'False | PodCompleted'],
])('terminalCondition: %s of a pod that has %s is %s', (type, phase, expected) => {
  const found = terminalCondition(buildPod({ metadata: { generation: 2 } }), type, phase);
  expect([found.type, text(found), found.observedGeneration]).toEqual([type, expected, 2]);
});

interface Given {
  readonly pod?: Pod;
  readonly old?: PodStatus;
  readonly runtime?: RuntimePodStatus;
  readonly statuses?: ContainerStatus[];
  readonly phase?: PodPhase;
}

/** The conditions by type, each as a string. */
function conditionsOf(given: Given): Record<string, string> {
  const found = generateConditions({
    behavior: DEFAULT_BEHAVIOR,
    pod: given.pod ?? buildPod(),
    oldPodStatus: given.old ?? {},
    podStatus: given.runtime ?? buildRuntimePodStatus(),
    statuses: given.statuses ?? [],
    phase: given.phase ?? 'Running',
  });
  return Object.fromEntries(found.map((each) => [each.type, text(each)]));
}

describe('Initialized', () => {
  const one = { initContainers: containers('i1') };
  const two = { initContainers: containers('i1', 'i2') };
  const side = { initContainers: [buildSidecar({ name: 'i1' })] };
  const NOT_DONE = 'False | ContainersNotInitialized';
  const started = (is: boolean): ContainerStatus =>
    buildContainerStatus({ name: 'i1', started: is });
  it.each<[string, Partial<Pod['spec']>, ContainerStatus[], PodPhase, string]>([
    ['no init containers', {}, [], 'Running', 'True'],
    ['no status', one, [], 'Running', `${NOT_DONE} | containers with unknown status: [i1]`],
    ['all completed', two, [ready('i1'), ready('i2')], 'Running', 'True'],
    [
      'one of two without a status',
      two,
      [ready('i1')],
      'Running',
      `${NOT_DONE} | containers with unknown status: [i2]`,
    ],
    [
      'one of two not completed',
      two,
      [ready('i1'), unready('i2')],
      'Running',
      `${NOT_DONE} | containers with incomplete status: [i2]`,
    ],
    ['a pod that succeeded', one, [ready('i1')], 'Succeeded', 'True | PodCompleted'],
    [
      'a pod that succeeded and has no init container status',
      one,
      [],
      'Succeeded',
      `${NOT_DONE} | containers with unknown status: [i1]`,
    ],
    [
      'a sidecar that has not started',
      side,
      [started(false)],
      'Pending',
      `${NOT_DONE} | containers with incomplete status: [i1]`,
    ],
    ['a sidecar that has started', side, [started(true)], 'Running', 'True'],
    [
      'a sidecar that restarts while a container runs',
      side,
      [started(false), buildContainerStatus({ state: RUNNING })],
      'Running',
      'True',
    ],
    [
      'an init container that waits while a container has exited',
      one,
      [
        buildContainerStatus({ name: 'i1', state: waiting() }),
        buildContainerStatus({ state: terminated(0) }),
      ],
      'Running',
      'True',
    ],
    [
      'an init container that waits while a container waits',
      one,
      [
        buildContainerStatus({ name: 'i1', state: waiting() }),
        buildContainerStatus({ state: waiting() }),
      ],
      'Pending',
      `${NOT_DONE} | containers with incomplete status: [i1]`,
    ],
  ])('with %s', (_, spec, statuses, phase, expected) => {
    const pod = buildPod({ spec });
    expect(conditionsOf({ pod, statuses, phase })['Initialized']).toBe(expected);
  });

  it('stays True once it was, even if init containers run again', () => {
    const old = { conditions: [condition('Initialized', 'True')] };
    const pod = buildPod({ spec: one });
    expect(conditionsOf({ pod, old, statuses: [unready('i1')] })['Initialized']).toBe('True');
  });
});

it.each<[string, Partial<RuntimePodStatus>, string]>([
  ['no sandbox', { sandboxStatuses: [] }, 'False'],
  [
    'a sandbox that is not ready',
    { sandboxStatuses: [buildSandbox({ state: 'notReady' })] },
    'False',
  ],
  ['a sandbox without an IP', { sandboxStatuses: [buildSandbox({ ips: [] })] }, 'False'],
  ['a ready sandbox', {}, 'True'],
])('PodReadyToStartContainers with %s: %s', (_, runtime, expected) => {
  const found = conditionsOf({ runtime: buildRuntimePodStatus(runtime) });
  expect(found['PodReadyToStartContainers']).toBe(expected);
});

describe('AllContainersRestarting', () => {
  const trigger = buildContainer({
    name: 'trigger',
    restartPolicy: 'Never',
    restartPolicyRules: [onExit('RestartAllContainers', 42)],
  });
  const pod = buildPod({ spec: { containers: [buildContainer(), trigger] } });
  const underWay = { conditions: [condition('AllContainersRestarting', 'True')] };
  const exited = [buildExited(42, { name: 'trigger' })];
  const STARTED = 'True | RestartAllContainersStarted | container exited with restart policy rule';
  it.each<[string, Given, string]>([
    ['is False while no container has exited', { phase: 'Pending' }, 'False'],
    ['is False in a pod that failed', { phase: 'Failed', old: underWay }, 'False | PodFailed'],
    [
      'is False in a pod that succeeded',
      { phase: 'Succeeded', old: underWay },
      'False | PodCompleted',
    ],
    [
      "is True when a container exits with the rule's code",
      {
        runtime: buildRuntimePodStatus({
          containerStatuses: [buildRuntimeContainer(), ...exited],
        }),
      },
      STARTED,
    ],
    [
      'stays True while containers exist',
      { runtime: buildRuntimePodStatus({ containerStatuses: [buildExited(0)] }), old: underWay },
      STARTED,
    ],
    ['becomes False when all containers are removed', { phase: 'Pending', old: underWay }, 'False'],
  ])('%s', (_, given, expected) => {
    expect(conditionsOf({ pod, ...given })['AllContainersRestarting']).toBe(expected);
  });

  it('is absent without a RestartAllContainers rule', () => {
    expect(conditionsOf({ old: underWay })).not.toHaveProperty('AllContainersRestarting');
  });
});

describe('the conditions of a pod', () => {
  it("come in the kubelet's order, after conditions of others", () => {
    const others = [condition('example.com/a', 'True'), condition('Ready', 'True')];
    const found = conditionsOf({ pod: buildPod({ status: { conditions: others } }) });
    expect(Object.keys(found)).toEqual([
      'example.com/a',
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
    ]);
  });

  it('have the observed generation, except AllContainersRestarting', () => {
    const rules = { restartPolicyRules: [onExit('RestartAllContainers', 1)] };
    const found = generateConditions({
      behavior: DEFAULT_BEHAVIOR,
      pod: buildPod({
        metadata: { generation: 4 },
        spec: { containers: [buildContainer({ restartPolicy: 'Never', ...rules })] },
      }),
      oldPodStatus: {},
      podStatus: buildRuntimePodStatus(),
      statuses: [],
      phase: 'Running',
    });
    const generations = found.map(({ type, observedGeneration }) => [type, observedGeneration]);
    expect(Object.fromEntries(generations)).toEqual({
      PodReadyToStartContainers: 4,
      Initialized: 4,
      Ready: 4,
      ContainersReady: 4,
      PodScheduled: 4,
      AllContainersRestarting: undefined,
    });
  });

  it.each<[string, boolean]>([
    ['Ready', true],
    ['PodScheduled', true],
    ['AllContainersRestarting', true],
    ['DisruptionTarget', false],
    ['example.com/a', false],
  ])('%s is owned by the kubelet: %s', (type, expected) => {
    expect(podConditionByKubelet(type)).toBe(expected);
  });
});
