import { describe, expect, it } from 'vitest';

import type { Container, Pod, RestartPolicy } from '../../../src/api/index.js';
import {
  buildContainer,
  buildPod,
  buildProbe,
  buildSidecar,
  onExit,
} from '../../helpers/builders.js';
import {
  actionsOf,
  named,
  plan,
  type ProbeResultsById,
  runtime,
} from '../../helpers/pod-actions.js';

describe('init containers', () => {
  const podOf = (restartPolicy: RestartPolicy, initContainers = named('i', 'j', 'k')): Pod =>
    buildPod({ spec: { containers: named('a', 'b'), initContainers, restartPolicy } });
  const DONE = 'i exit 0, j exit 0, k exit 0';

  it.each<[string, RestartPolicy, string, string]>([
    ['all completed: starts the containers', 'Always', DONE, 'start a b'],
    ['none started: starts the first', 'Always', '', 'init i'],
    ['one completed: starts the next', 'Always', 'i exit 0', 'init j'],
    ['one running: waits', 'Always', 'i exit 0, j running', ''],
    ['the last one running: waits', 'Always', 'i exit 0, j exit 0, k running', ''],
    ['only the last one known, and running: waits', 'Always', 'k running', ''],
    ['one only created: starts it', 'Always', 'i exit 0, j exit 0, k created', 'init k'],
    ['one failed: restarts it', 'Always', 'i exit 0, j exit 0, k exit 137', 'init k'],
    ['one failed: restarts it', 'OnFailure', 'i exit 0, j exit 0, k exit 137', 'init k'],
    ['one failed: kills the pod', 'Never', 'i exit 0, j exit 0, k exit 137', 'kill pod'],
    ['one OOM-killed, with exit code 0: kills the pod', 'Never', 'i oom', 'kill pod'],
    ['one OOM-killed: restarts it', 'Always', 'i oom', 'init i'],
    [
      'one of unknown state: kills and restarts it',
      'Always',
      'i exit 0, j unknown',
      'init j, kill j-1 Unknown',
    ],
    ['one of unknown state: kills the pod', 'Never', 'i exit 0, j unknown', 'kill pod'],
    ['a container running: restarts none', 'Always', 'a running', 'start b'],
    ['a container created: restarts none', 'Always', 'a created', 'start a b'],
    [
      'a container exited and no init container known: starts the first again',
      'Always',
      'a exit 1',
      'init i',
    ],
    [
      'one failed while all containers run: does nothing',
      'Always',
      'i exit 1, a running, b running',
      '',
    ],
  ])('%s (%s)', (_, policy, text, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text)))).toBe(expected);
  });

  it.each<[string, RestartPolicy, Partial<Container>, string, string]>([
    ['Never', 'Always', { restartPolicy: 'Never' }, 'i exit 1', 'kill pod'],
    ['OnFailure', 'Never', { restartPolicy: 'OnFailure' }, 'i exit 1', 'init i'],
    [
      'a rule',
      'Never',
      { restartPolicy: 'Never', restartPolicyRules: [onExit('Restart', 9)] },
      'i exit 9',
      'init i',
    ],
    ['Never', 'Always', { restartPolicy: 'Never' }, 'i unknown', 'kill pod'],
    ['OnFailure', 'Never', { restartPolicy: 'OnFailure' }, 'i unknown', 'init i, kill i-1 Unknown'],
  ])('follow their own policy (%s) in a pod with %s', (_, policy, overrides, text, expected) => {
    const pod = podOf(policy, [buildContainer({ name: 'i', ...overrides })]);
    expect(plan(actionsOf(pod, runtime(text)))).toBe(expected);
  });

  it('kill the pod when they fail while it is being deleted', () => {
    const pod = podOf('Always');
    const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: 1 } };
    expect(plan(actionsOf(deleted, runtime('i exit 1')))).toBe('kill pod');
  });

  it('are killed with a message that says why', () => {
    const [kill] = actionsOf(podOf('Always'), runtime('i unknown')).containersToKill;
    expect(kill?.message).toBe(
      'Init container is in "unknown" state, try killing it before restart',
    );
  });
});

describe('sidecars', () => {
  const side = (name: string, probes: Partial<Container> = {}): Container =>
    buildSidecar({ name, ...probes });
  const plain = ['i', 'j', 'k'].map((name) => side(name));
  const probed = ['i', 'j', 'k'].map((name) =>
    side(name, { startupProbe: buildProbe(), livenessProbe: buildProbe() }),
  );
  const podOf = (restartPolicy: RestartPolicy, initContainers = plain): Pod =>
    buildPod({ spec: { containers: named('a', 'b'), initContainers, restartPolicy } });
  const RUNNING = 'i running, j running, k running';

  it.each<[string, RestartPolicy, string, string]>([
    ['all running: starts the containers', 'Always', RUNNING, 'start a b'],
    ['none started: starts the first', 'Always', '', 'init i'],
    ['the first running: starts the next', 'Always', 'i running', 'init j'],
    ['one only created: starts it', 'Always', 'i running, j running, k created', 'init k'],
    [
      'some removed: starts them along with the containers',
      'Always',
      'k running',
      'init i j, start a b',
    ],
    ['two exited: restarts them', 'Always', 'i exit 0, j running, k exit 0', 'init i k'],
    [
      'one exited: restarts it and starts the containers',
      'Always',
      'i exit 0, j running, k running',
      'init i, start a b',
    ],
    [
      'one failed: restarts it with any policy',
      'Never',
      'i running, j running, k exit 137',
      'init k',
    ],
    [
      'one failed while the containers run: restarts it',
      'Never',
      'i running, j running, k exit 137, a running, b running',
      'init k',
    ],
    [
      'one of unknown state: kills and restarts it',
      'Never',
      'i running, j running, k unknown',
      'init k, kill k-1 Unknown',
    ],
    [
      'all containers completed: kills the pod',
      'Never',
      `${RUNNING}, a exit 0, b exit 0`,
      'kill pod',
    ],
    [
      'one exited and all containers completed: kills the pod',
      'Never',
      'i exit 0, j running, k running, a exit 0, b exit 0',
      'kill pod',
    ],
    [
      'one changed: kills and restarts it, and starts the containers',
      'Always',
      'i running, j running, k changed',
      'init k, start a b, kill k-1',
    ],
    [
      'one changed before the next has started: restarts it and starts the next',
      'Always',
      'i changed',
      'init i j, kill i-1',
    ],
  ])('%s (%s)', (_, policy, text, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text)))).toBe(expected);
  });

  const ok = { 'i-1': 'success', 'j-1': 'success', 'k-1': 'success' } as const;
  it.each<[string, string, ProbeResultsById, string]>([
    ['startup succeeded: starts the next', 'i running, j running', { startup: ok }, 'init k'],
    ['no startup result yet: waits', 'i running, j running', { startup: { 'i-1': 'success' } }, ''],
    [
      'startup result unknown: waits',
      'i running, j running',
      { startup: { ...ok, 'j-1': 'unknown' } },
      '',
    ],
    [
      'startup failed: kills and restarts it',
      RUNNING,
      { startup: { ...ok, 'k-1': 'failure' } },
      'init k, kill k-1 StartupProbe',
    ],
    [
      'liveness unknown: starts the next',
      'i running, j running',
      { startup: ok, liveness: { 'j-1': 'unknown' } },
      'init k',
    ],
    [
      'liveness failed: kills and restarts it, and starts the containers',
      RUNNING,
      { startup: ok, liveness: { 'k-1': 'failure' } },
      'init k, start a b, kill k-1 LivenessProbe',
    ],
    [
      'liveness failed before the next has started: restarts it and starts the next',
      'i running',
      { startup: ok, liveness: { 'i-1': 'failure' } },
      'init i j, kill i-1 LivenessProbe',
    ],
  ])('with probes, %s', (_, text, probeResults, expected) => {
    expect(plan(actionsOf(podOf('Always', probed), runtime(text), probeResults))).toBe(expected);
  });

  it('without probes ignore probe results', () => {
    const probeResults: ProbeResultsById = {
      liveness: { 'k-1': 'failure' },
      startup: { 'k-1': 'failure' },
    };
    expect(plan(actionsOf(podOf('Always'), runtime(RUNNING), probeResults))).toBe('start a b');
  });

  it('are killed with a message that says why', () => {
    const message = (text: string, probeResults: ProbeResultsById): string | undefined =>
      actionsOf(podOf('Always', probed), runtime(text), probeResults).containersToKill[0]?.message;
    expect(message('i running', { startup: { 'i-1': 'failure' } })).toBe(
      'Init container i failed startup probe',
    );
    expect(message('i running', { startup: ok, liveness: { 'i-1': 'failure' } })).toBe(
      'Init container i failed liveness probe',
    );
    expect(message('i changed', { startup: ok })).toBe('Init container i definition changed');
    expect(message('i unknown', {})).toBe(
      'Init container is in "unknown" state, try killing it before restart',
    );
  });

  it.each<[string, RestartPolicy, string, string]>([
    ['kills the pod', 'Never', 'i running, k exit 137', 'kill pod'],
    [
      'recreates the sandbox when nothing was created',
      'Never',
      '',
      'kill pod, new sandbox 1, init i',
    ],
    [
      'recreates the sandbox',
      'OnFailure',
      'i running, k exit 137',
      'kill pod, new sandbox 1, init i',
    ],
    ['recreates the sandbox', 'Always', 'i running, k exit 137', 'kill pod, new sandbox 1, init i'],
  ])('whose sandbox is not ready: %s (%s)', (_, policy, text, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text, 'notReady')))).toBe(expected);
  });
});
