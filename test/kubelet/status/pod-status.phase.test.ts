import { describe, expect, it } from 'vitest';

import type {
  Container,
  ContainerStatus,
  PodPhase,
  PodSpec,
  RestartPolicy,
} from '../../../src/api/index.js';
import { getPhase } from '../../../src/kubelet/status/pod-status.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildSidecar,
  buildStaticPod,
  NOTHING,
  onExit,
  type PodOverrides,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

const lost = terminated(137, { reason: 'RestartingAllContainers' });

/** Container states by the words in the tables. */
const STATES = {
  running: { state: RUNNING },
  started: { state: RUNNING, started: true },
  succeeded: { state: terminated(0) },
  failed: { state: terminated(1) },
  triggered: { state: terminated(42) },
  waiting: { state: waiting() },
  backOff0: { state: waiting('CrashLoopBackOff'), lastTerminationState: terminated(0) },
  backOff1: { state: waiting('CrashLoopBackOff'), lastTerminationState: terminated(1) },
  removed: { state: waiting('RestartingAllContainers'), lastTerminationState: lost },
  ended: { state: lost },
  nothing: { state: NOTHING },
} satisfies Record<string, Partial<ContainerStatus>>;

/** Statuses given as `a running, b failed`. */
function statusesOf(text: string): ContainerStatus[] {
  if (text === '') return [];
  return text.split(', ').map((part) => {
    const [name = '', word = ''] = part.split(' ');
    return buildContainerStatus({ name, ...STATES[word as keyof typeof STATES] });
  });
}

interface Given {
  readonly pod: PodOverrides;
  readonly static?: boolean;
  readonly terminal?: boolean;
  readonly initialized?: boolean;
}

function phaseOf(text: string, given: Given): PodPhase {
  const pod = given.static === true ? buildStaticPod(given.pod) : buildPod(given.pod);
  const { terminal = false, initialized = false } = given;
  return getPhase(pod, statusesOf(text), terminal, initialized);
}

const [a, b] = [buildContainer({ name: 'a' }), buildContainer({ name: 'b' })];
const init = buildContainer({ name: 'init' });
const sidecar = buildSidecar({ name: 'side' });
const two = (restartPolicy: RestartPolicy, initContainers: Container[] = []): PodOverrides => ({
  spec: { containers: [a, b], restartPolicy, initContainers },
});

describe.each<[RestartPolicy, readonly [string, PodPhase][]]>([
  [
    'Always',
    [
      ['', 'Pending'],
      ['a running, b running', 'Running'],
      ['a succeeded, b succeeded', 'Running'],
      ['a failed, b failed', 'Running'],
      ['a running, b succeeded', 'Running'],
      ['a running', 'Pending'],
      ['a running, b waiting', 'Pending'],
      ['a running, b nothing', 'Pending'],
      ['a running, b backOff0', 'Running'],
      ['a backOff1, b backOff1', 'Running'],
      ['a succeeded', 'Pending'],
    ],
  ],
  [
    'OnFailure',
    [
      ['', 'Pending'],
      ['a running, b running', 'Running'],
      ['a succeeded, b succeeded', 'Succeeded'],
      ['a failed, b failed', 'Running'],
      ['a succeeded, b failed', 'Running'],
      ['a running, b succeeded', 'Running'],
      ['a running', 'Pending'],
      ['a running, b waiting', 'Pending'],
      ['a running, b backOff0', 'Running'],
      ['a succeeded, b backOff1', 'Running'],
    ],
  ],
  [
    'Never',
    [
      ['', 'Pending'],
      ['a running, b running', 'Running'],
      ['a succeeded, b succeeded', 'Succeeded'],
      ['a failed, b failed', 'Failed'],
      ['a succeeded, b failed', 'Failed'],
      ['a running, b succeeded', 'Running'],
      ['a running', 'Pending'],
      ['a running, b waiting', 'Pending'],
      // A container in back-off has not succeeded.
      ['a succeeded, b backOff0', 'Failed'],
    ],
  ],
])('the phase with restart policy %s', (policy, rows) => {
  it.each(rows)('%j: %s', (text, phase) => {
    expect(phaseOf(text, { pod: two(policy) })).toBe(phase);
  });
});

describe('the phase of a pod whose containers are not restarted', () => {
  it.each<[RestartPolicy, string, PodPhase]>([
    ['Always', 'a succeeded, b succeeded', 'Succeeded'],
    ['Always', 'a succeeded, b failed', 'Failed'],
    ['OnFailure', 'a failed, b failed', 'Failed'],
    ['Always', 'a running, b failed', 'Running'],
  ])('with policy %s, %s: %s', (policy, text, phase) => {
    expect(phaseOf(text, { pod: two(policy), terminal: true })).toBe(phase);
  });

  it('stays Running for a static pod, since its manifest still exists', () => {
    const given = { pod: two('Always'), terminal: true, static: true };
    expect(phaseOf('a succeeded, b succeeded', given)).toBe('Running');
  });
});

describe('the phase with init containers', () => {
  it.each<[RestartPolicy, string, PodPhase]>([
    ['Always', '', 'Pending'],
    ['Always', 'init running', 'Pending'],
    ['Always', 'init nothing', 'Pending'],
    ['Always', 'init failed', 'Pending'],
    ['Always', 'init backOff0', 'Pending'],
    ['Always', 'init backOff1', 'Pending'],
    ['Always', 'init waiting', 'Pending'],
    ['Always', 'init waiting, a running, b running', 'Pending'],
    ['Always', 'init succeeded, a running, b running', 'Running'],
    ['Never', '', 'Pending'],
    ['Never', 'init running', 'Pending'],
    ['Never', 'init failed', 'Failed'],
    ['Never', 'init backOff0', 'Pending'],
    ['Never', 'init backOff1', 'Failed'],
    ['Never', 'init waiting', 'Pending'],
    ['Never', 'init succeeded, a running, b running', 'Running'],
    ['Never', 'init succeeded, a succeeded, b succeeded', 'Succeeded'],
    ['OnFailure', 'init failed', 'Pending'],
  ])('and policy %s, %j: %s', (policy, text, phase) => {
    expect(phaseOf(text, { pod: two(policy, [init]) })).toBe(phase);
  });
});

describe('the phase with sidecars', () => {
  it.each<[string, RestartPolicy, string, PodPhase]>([
    ['new', 'Always', '', 'Pending'],
    ['new', 'Always', 'side running', 'Pending'],
    ['new', 'Always', 'side succeeded', 'Pending'],
    ['new', 'Always', 'side backOff0', 'Pending'],
    ['new', 'Always', 'side backOff1', 'Pending'],
    ['new', 'Always', 'side waiting', 'Pending'],
    ['new', 'Always', 'side running, a running, b running', 'Pending'],
    ['new', 'Always', 'side nothing, a running, b running', 'Pending'],
    ['initialized', 'Always', 'side started, a running', 'Pending'],
    ['initialized', 'Always', 'side started, a running, b running', 'Running'],
    ['initialized', 'Always', 'side running, a running, b running', 'Running'],
    ['initialized', 'Always', 'side succeeded, a running, b running', 'Running'],
    ['initialized', 'Always', 'side backOff0, a running, b running', 'Running'],
    ['initialized', 'Always', 'side waiting, a running, b running', 'Pending'],
    ['initialized', 'Always', 'side nothing, a running, b running', 'Pending'],
    ['initialized', 'Never', 'side started, a running', 'Pending'],
    ['initialized', 'Never', 'side started, a succeeded, b succeeded', 'Running'],
    ['initialized', 'Never', 'side running, a succeeded, b succeeded', 'Running'],
    ['initialized', 'Never', 'side succeeded, a succeeded, b succeeded', 'Succeeded'],
    ['initialized', 'Never', 'side failed, a succeeded, b succeeded', 'Succeeded'],
    ['initialized', 'Never', 'side backOff0, a succeeded, b succeeded', 'Succeeded'],
    ['initialized', 'Never', 'side backOff1, a succeeded, b succeeded', 'Succeeded'],
    ['initialized', 'Never', 'a succeeded, b succeeded', 'Pending'],
  ])('%s, policy %s, %j: %s', (when, policy, text, phase) => {
    const initialized = when === 'initialized';
    expect(phaseOf(text, { pod: two(policy, [sidecar]), initialized })).toBe(phase);
  });

  it.each(['side failed', 'side succeeded'])(
    'ignores them when the pod ends: %s, a and b succeeded: Succeeded',
    (state) => {
      const given = { pod: two('Always', [sidecar]), terminal: true, initialized: true };
      expect(phaseOf(`${state}, a succeeded, b succeeded`, given)).toBe('Succeeded');
    },
  );

  it.each<[string, boolean, PodPhase]>([
    ['init running, side running, a running', false, 'Pending'],
    ['init running, side running, a succeeded', false, 'Pending'],
    // The sandbox was recreated, and containers of the old one do not count.
    ['init succeeded, side running, a succeeded', false, 'Pending'],
    ['init succeeded, side running, a succeeded', true, 'Running'],
    ['init succeeded, side running, a running', true, 'Running'],
  ])('after an init container, %s, initialized %s: %s', (text, initialized, phase) => {
    const pod = { spec: { containers: [a], initContainers: [init, sidecar] } };
    expect(phaseOf(text, { pod, initialized })).toBe(phase);
  });
});

describe('the phase with container restart policies', () => {
  const only = (
    policy: RestartPolicy,
    containerPolicy: Container['restartPolicy'] & string,
  ): Partial<PodSpec> => ({
    restartPolicy: policy,
    containers: [buildContainer({ name: 'a', restartPolicy: containerPolicy })],
  });
  const ends: Partial<PodSpec> = {
    containers: [
      buildContainer({ name: 'a', restartPolicy: 'Never' }),
      buildContainer({ name: 'b', restartPolicy: 'OnFailure' }),
    ],
  };
  it.each<[string, Partial<PodSpec>, string, PodPhase]>([
    ['Never in a pod with Always', only('Always', 'Never'), 'a failed', 'Failed'],
    ['OnFailure in a pod with Always', only('Always', 'OnFailure'), 'a failed', 'Running'],
    ['Always', only('Always', 'Always'), 'a failed', 'Running'],
    [
      'one Always in a pod with Never',
      {
        restartPolicy: 'Never',
        containers: [buildContainer({ name: 'a', restartPolicy: 'Always' }), b],
      },
      'a succeeded, b failed',
      'Running',
    ],
    ['all exited for good, one failed', ends, 'a failed, b succeeded', 'Failed'],
    ['all exited for good and succeeded', ends, 'a succeeded, b succeeded', 'Succeeded'],
  ])('%s: %s', (_, spec, text, phase) => {
    expect(phaseOf(text, { pod: { spec } })).toBe(phase);
  });

  it.each<[RestartPolicy, Container['restartPolicy'] & string, PodPhase]>([
    ['Always', 'Never', 'Failed'],
    ['Never', 'OnFailure', 'Pending'],
    ['Never', 'Always', 'Pending'],
  ])('pod %s, failed init container %s: %s', (restartPolicy, own, phase) => {
    const initContainers = [buildContainer({ name: 'init', restartPolicy: own })];
    const pod = { spec: { restartPolicy, initContainers, containers: [a] } };
    expect(phaseOf('init failed', { pod })).toBe(phase);
  });
});

describe('the phase during RestartAllContainers', () => {
  const rule = { restartPolicyRules: [onExit('RestartAllContainers', 42)] };
  const trigger = buildContainer({ name: 'a', restartPolicy: 'Never', ...rule });
  const initTrigger = buildContainer({ name: 'init', restartPolicy: 'Never', ...rule });
  const sideTrigger = buildSidecar({ name: 'side', ...rule });
  const never = (containers: Container[], initContainers: Container[] = []): PodOverrides => ({
    spec: { restartPolicy: 'Never', containers, initContainers },
  });
  it.each<[string, PodOverrides, string, PodPhase]>([
    ['triggered by a container', never([trigger]), 'a triggered', 'Running'],
    [
      'triggered by an init container',
      never([b], [initTrigger]),
      'init triggered, b waiting',
      'Pending',
    ],
    ['triggered by a sidecar', never([b], [sideTrigger]), 'side triggered, b waiting', 'Pending'],
    [
      'triggered before an init container has completed',
      never([b], [sideTrigger, init]),
      'side triggered, init waiting, b waiting',
      'Pending',
    ],
    ['container removed', never([trigger]), 'a removed', 'Running'],
    ['another container killed', never([b]), 'b ended', 'Running'],
    ['init container removed', never([b], [initTrigger]), 'init removed, b waiting', 'Pending'],
    ['another init container killed', never([b], [init]), 'init ended, b waiting', 'Pending'],
    ['sidecar removed', never([b], [sideTrigger]), 'side removed, b waiting', 'Pending'],
    [
      'init container completed again',
      never([trigger], [init]),
      'init succeeded, a removed',
      'Running',
    ],
    ['init container failed', never([trigger], [init]), 'init failed, a removed', 'Failed'],
    [
      'triggered by an init container that has completed again',
      never([b], [initTrigger]),
      'init succeeded, b waiting',
      'Pending',
    ],
    [
      'triggered by a sidecar, all removed',
      never([b], [sideTrigger]),
      'side removed, b removed',
      'Running',
    ],
    [
      'triggered by a sidecar that runs again',
      never([b], [sideTrigger]),
      'side running, b removed',
      'Running',
    ],
    [
      'triggered by a sidecar, init container removed',
      never([b], [sideTrigger, init]),
      'side running, init removed, b waiting',
      'Pending',
    ],
  ])('%s: %s', (_, pod, text, phase) => {
    expect(phaseOf(text, { pod, initialized: true })).toBe(phase);
  });
});
