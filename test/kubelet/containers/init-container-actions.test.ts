import { describe, expect, it } from 'vitest';

import type { Container, Pod, RestartPolicy } from '../../../src/api/index.js';
import {
  buildContainer,
  buildPod,
  buildProbe,
  buildSidecar,
  onExit,
} from '../../helpers/builders.js';
import { actionsOf, named, plan, runtime, type Verdicts } from '../../helpers/pod-actions.js';

describe('init containers', () => {
  const podOf = (restartPolicy: RestartPolicy, initContainers = named('i', 'j', 'k')): Pod =>
    buildPod({ spec: { containers: named('a', 'b'), initContainers, restartPolicy } });
  const DONE = 'i exit 0, j exit 0, k exit 0';

  it.each<[string, RestartPolicy, string, string]>([
    ['all done: containers start', 'Always', DONE, 'start a b'],
    ['none begun: the first starts', 'Always', '', 'init i'],
    ['one done: the next starts', 'Always', 'i exit 0', 'init j'],
    ['one runs: wait', 'Always', 'i exit 0, j running', ''],
    ['the last runs: wait', 'Always', 'i exit 0, j exit 0, k running', ''],
    ['the last is all that is left, and runs: wait', 'Always', 'k running', ''],
    ['one only made starts', 'Always', 'i exit 0, j exit 0, k created', 'init k'],
    ['one failed starts again', 'Always', 'i exit 0, j exit 0, k exit 137', 'init k'],
    ['one failed starts again', 'OnFailure', 'i exit 0, j exit 0, k exit 137', 'init k'],
    ['one failed ends the pod', 'Never', 'i exit 0, j exit 0, k exit 137', 'kill pod'],
    ['one out of memory failed, whatever its code', 'Never', 'i oom', 'kill pod'],
    ['one out of memory starts again', 'Always', 'i oom', 'init i'],
    [
      'one that cannot be told is killed and starts',
      'Always',
      'i exit 0, j unknown',
      'init j, kill j-1 Unknown',
    ],
    ['one that cannot be told ends the pod', 'Never', 'i exit 0, j unknown', 'kill pod'],
    ['a container runs: none starts again', 'Always', 'a running', 'start b'],
    ['a container is made: none starts again', 'Always', 'a created', 'start a b'],
    ['a container exited, and none is left: they begin anew', 'Always', 'a exit 1', 'init i'],
    [
      'one failed beside a container that runs: it is past',
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
  ])('with %s of their own in a pod that is %s', (_, policy, own, text, expected) => {
    const pod = podOf(policy, [buildContainer({ name: 'i', ...own })]);
    expect(plan(actionsOf(pod, runtime(text)))).toBe(expected);
  });

  it('that failed in a pod that is deleted end it', () => {
    const pod = podOf('Always');
    const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: 1 } };
    expect(plan(actionsOf(deleted, runtime('i exit 1')))).toBe('kill pod');
  });

  it('tell why they are killed', () => {
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
    ['all run: containers start', 'Always', RUNNING, 'start a b'],
    ['none begun: the first starts', 'Always', '', 'init i'],
    ['the first runs: the next starts', 'Always', 'i running', 'init j'],
    ['one only made starts', 'Always', 'i running, j running, k created', 'init k'],
    [
      'some are gone: they start beside the containers',
      'Always',
      'k running',
      'init i j, start a b',
    ],
    [
      'one exited starts, and the next in turn',
      'Always',
      'i exit 0, j running, k exit 0',
      'init i k',
    ],
    [
      'one exited starts beside the containers',
      'Always',
      'i exit 0, j running, k running',
      'init i, start a b',
    ],
    [
      'one failed starts whatever the policy',
      'Never',
      'i running, j running, k exit 137',
      'init k',
    ],
    [
      'one failed starts beside containers that run',
      'Never',
      'i running, j running, k exit 137, a running, b running',
      'init k',
    ],
    [
      'one that cannot be told is killed and starts',
      'Never',
      'i running, j running, k unknown',
      'init k, kill k-1 Unknown',
    ],
    ['all containers done: the pod ends', 'Never', `${RUNNING}, a exit 0, b exit 0`, 'kill pod'],
    [
      'one exited, all containers done: the pod ends',
      'Never',
      'i exit 0, j running, k running, a exit 0, b exit 0',
      'kill pod',
    ],
    [
      'one changed is killed and starts, and does not hold up',
      'Always',
      'i running, j running, k changed',
      'init k, start a b, kill k-1',
    ],
    ['one changed before the next has begun', 'Always', 'i changed', 'init i j, kill i-1'],
  ])('%s (%s)', (_, policy, text, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text)))).toBe(expected);
  });

  const ok = { 'i-1': 'success', 'j-1': 'success', 'k-1': 'success' } as const;
  it.each<[string, string, Verdicts, string]>([
    ['started: the next starts', 'i running, j running', { startup: ok }, 'init k'],
    ['not probed yet: wait', 'i running, j running', { startup: { 'i-1': 'success' } }, ''],
    ['starting: wait', 'i running, j running', { startup: { ...ok, 'j-1': 'unknown' } }, ''],
    [
      'startup failed: killed and started',
      RUNNING,
      { startup: { ...ok, 'k-1': 'failure' } },
      'init k, kill k-1 StartupProbe',
    ],
    [
      'liveness unknown: the next starts',
      'i running, j running',
      { startup: ok, liveness: { 'j-1': 'unknown' } },
      'init k',
    ],
    [
      'liveness failed: killed and started, and does not hold up',
      RUNNING,
      { startup: ok, liveness: { 'k-1': 'failure' } },
      'init k, start a b, kill k-1 LivenessProbe',
    ],
    [
      'liveness failed before the next has begun',
      'i running',
      { startup: ok, liveness: { 'i-1': 'failure' } },
      'init i j, kill i-1 LivenessProbe',
    ],
  ])('probed, %s', (_, text, verdicts, expected) => {
    expect(plan(actionsOf(podOf('Always', probed), runtime(text), verdicts))).toBe(expected);
  });

  it('without a probe do not listen to what is said of them', () => {
    const verdicts: Verdicts = { liveness: { 'k-1': 'failure' }, startup: { 'k-1': 'failure' } };
    expect(plan(actionsOf(podOf('Always'), runtime(RUNNING), verdicts))).toBe('start a b');
  });

  it('tell why they are killed', () => {
    const message = (text: string, verdicts: Verdicts): string | undefined =>
      actionsOf(podOf('Always', probed), runtime(text), verdicts).containersToKill[0]?.message;
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
    ['ends the pod', 'Never', 'i running, k exit 137', 'kill pod'],
    ['of which nothing was made is made anew', 'Never', '', 'kill pod, new sandbox 1, init i'],
    ['is made anew', 'OnFailure', 'i running, k exit 137', 'kill pod, new sandbox 1, init i'],
    ['is made anew', 'Always', 'i running, k exit 137', 'kill pod, new sandbox 1, init i'],
  ])('in a sandbox that is gone: it %s (%s)', (_, policy, text, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text, 'notReady')))).toBe(expected);
  });
});
