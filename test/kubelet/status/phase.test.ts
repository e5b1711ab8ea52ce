import { describe, expect, it } from 'vitest';

import type {
  Container,
  ContainerStatus,
  PodPhase,
  PodSpec,
  RestartPolicy,
} from '../../../src/api/index.js';
import { getPhase } from '../../../src/kubelet/status/phase.js';
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

/** Container states by the words that the tables use. */
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

/** Statuses from `a running, b failed`. */
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
  return getPhase({
    pod: given.static === true ? buildStaticPod(given.pod) : buildPod(given.pod),
    statuses: statusesOf(text),
    podIsTerminal: given.terminal ?? false,
    podHasInitialized: given.initialized ?? false,
  });
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
      // A container that waits to be started anew has not succeeded.
      ['a succeeded, b backOff0', 'Failed'],
    ],
  ],
])('restart policy %s', (policy, rows) => {
  it.each(rows)('%j: %s', (text, phase) => {
    expect(phaseOf(text, { pod: two(policy) })).toBe(phase);
  });
});

describe('a pod whose containers are not started again', () => {
  it.each<[RestartPolicy, string, PodPhase]>([
    ['Always', 'a succeeded, b succeeded', 'Succeeded'],
    ['Always', 'a succeeded, b failed', 'Failed'],
    ['OnFailure', 'a failed, b failed', 'Failed'],
    ['Always', 'a running, b failed', 'Running'],
  ])('%s, %s: %s', (policy, text, phase) => {
    expect(phaseOf(text, { pod: two(policy), terminal: true })).toBe(phase);
  });

  it('stays Running when it is static, since its manifest is still there', () => {
    const given = { pod: two('Always'), terminal: true, static: true };
    expect(phaseOf('a succeeded, b succeeded', given)).toBe('Running');
  });
});

describe('init containers', () => {
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
  ])('%s, %j: %s', (policy, text, phase) => {
    expect(phaseOf(text, { pod: two(policy, [init]) })).toBe(phase);
  });
});

describe('sidecars', () => {
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
  ])('%s, %s, %j: %s', (when, policy, text, phase) => {
    const initialized = when === 'initialized';
    expect(phaseOf(text, { pod: two(policy, [sidecar]), initialized })).toBe(phase);
  });

  it.each(['side failed', 'side succeeded'])(
    'of a pod that ends do not count: %s, a and b succeeded: Succeeded',
    (state) => {
      const given = { pod: two('Always', [sidecar]), terminal: true, initialized: true };
      expect(phaseOf(`${state}, a succeeded, b succeeded`, given)).toBe('Succeeded');
    },
  );

  it.each<[string, boolean, PodPhase]>([
    ['init running, side running, a running', false, 'Pending'],
    ['init running, side running, a succeeded', false, 'Pending'],
    // The sandbox was made anew, and what is left of the old one does not count.
    ['init succeeded, side running, a succeeded', false, 'Pending'],
    ['init succeeded, side running, a succeeded', true, 'Running'],
    ['init succeeded, side running, a running', true, 'Running'],
  ])('after an init container: %s, initialized: %s: %s', (text, initialized, phase) => {
    const pod = { spec: { containers: [a], initContainers: [init, sidecar] } };
    expect(phaseOf(text, { pod, initialized })).toBe(phase);
  });
});

describe('restart policies of containers', () => {
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
    ['Never in a pod that is Always', only('Always', 'Never'), 'a failed', 'Failed'],
    ['OnFailure in a pod that is Always', only('Always', 'OnFailure'), 'a failed', 'Running'],
    ['Always', only('Always', 'Always'), 'a failed', 'Running'],
    [
      'one Always in a pod that is Never',
      {
        restartPolicy: 'Never',
        containers: [buildContainer({ name: 'a', restartPolicy: 'Always' }), b],
      },
      'a succeeded, b failed',
      'Running',
    ],
    ['all at their end', ends, 'a failed, b succeeded', 'Failed'],
    ['all at their good end', ends, 'a succeeded, b succeeded', 'Succeeded'],
  ])('%s: %s', (_, spec, text, phase) => {
    expect(phaseOf(text, { pod: { spec } })).toBe(phase);
  });

  it.each<[RestartPolicy, Container['restartPolicy'] & string, PodPhase]>([
    ['Always', 'Never', 'Failed'],
    ['Never', 'OnFailure', 'Pending'],
    ['Never', 'Always', 'Pending'],
  ])('pod %s, init container %s that failed: %s', (restartPolicy, own, phase) => {
    const initContainers = [buildContainer({ name: 'init', restartPolicy: own })];
    const pod = { spec: { restartPolicy, initContainers, containers: [a] } };
    expect(phaseOf('init failed', { pod })).toBe(phase);
  });
});

describe('a restart of all containers', () => {
  const rule = { restartPolicyRules: [onExit('RestartAllContainers', 42)] };
  const trigger = buildContainer({ name: 'a', restartPolicy: 'Never', ...rule });
  const initTrigger = buildContainer({ name: 'init', restartPolicy: 'Never', ...rule });
  const sideTrigger = buildSidecar({ name: 'side', ...rule });
  const never = (containers: Container[], initContainers: Container[] = []): PodOverrides => ({
    spec: { restartPolicy: 'Never', containers, initContainers },
  });
  it.each<[string, PodOverrides, string, PodPhase]>([
    ['begins with a container', never([trigger]), 'a triggered', 'Running'],
    [
      'begins with an init container',
      never([b], [initTrigger]),
      'init triggered, b waiting',
      'Pending',
    ],
    ['begins with a sidecar', never([b], [sideTrigger]), 'side triggered, b waiting', 'Pending'],
    [
      'begins before an init container is done',
      never([b], [sideTrigger, init]),
      'side triggered, init waiting, b waiting',
      'Pending',
    ],
    ['has removed the container', never([trigger]), 'a removed', 'Running'],
    ['has ended a container that it took along', never([b]), 'b ended', 'Running'],
    [
      'has removed the init container',
      never([b], [initTrigger]),
      'init removed, b waiting',
      'Pending',
    ],
    ['has ended an init container', never([b], [init]), 'init ended, b waiting', 'Pending'],
    ['has removed the sidecar', never([b], [sideTrigger]), 'side removed, b waiting', 'Pending'],
    [
      'has its init container done again',
      never([trigger], [init]),
      'init succeeded, a removed',
      'Running',
    ],
    ['has its init container fail', never([trigger], [init]), 'init failed, a removed', 'Failed'],
    [
      'by an init container has that one done',
      never([b], [initTrigger]),
      'init succeeded, b waiting',
      'Pending',
    ],
    ['by a sidecar removes all', never([b], [sideTrigger]), 'side removed, b removed', 'Running'],
    [
      'by a sidecar has that one run again',
      never([b], [sideTrigger]),
      'side running, b removed',
      'Running',
    ],
    [
      'by a sidecar has an init container done again',
      never([b], [sideTrigger, init]),
      'side running, init removed, b waiting',
      'Pending',
    ],
  ])('%s: %s', (_, pod, text, phase) => {
    expect(phaseOf(text, { pod, initialized: true })).toBe(phase);
  });
});
