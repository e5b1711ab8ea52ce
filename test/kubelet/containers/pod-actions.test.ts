import { describe, expect, it } from 'vitest';

import type { Container, Pod, PodSpec, RestartPolicy } from '../../../src/api/index.js';
import type { RuntimePodStatus } from '../../../src/kubelet/ports.js';
import {
  buildContainer,
  buildExited,
  buildPod,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSandbox,
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

describe('containers', () => {
  const three = named('a', 'b', 'c');
  const podOf = (restartPolicy: RestartPolicy, containers: Container[] = three): Pod =>
    buildPod({ spec: { containers, restartPolicy } });
  const RUNNING = 'a running, b running, c running';

  it.each<[string, RestartPolicy, string, ProbeResultsById, string]>([
    ['that do not exist are started', 'Never', '', {}, 'start a b c'],
    ['that run are kept', 'Always', RUNNING, {}, ''],
    ['that exited are restarted', 'Always', 'a running, b exit 0, c running', {}, 'start b'],
    ['that failed are restarted', 'OnFailure', 'a exit 0, b exit 1, c running', {}, 'start b'],
    ['that exited are not restarted', 'Never', 'a exit 0, b exit 1, c running', {}, ''],
    [
      'that changed are killed and restarted',
      'Always',
      'a running, b changed, c running',
      {},
      'start b, kill b-1',
    ],
    [
      'that changed are restarted with any policy',
      'Never',
      'a running, b changed, c running',
      {},
      'start b, kill b-1',
    ],
    [
      'whose liveness probe failed are killed and restarted',
      'Always',
      RUNNING,
      { liveness: { 'b-1': 'failure', 'a-1': 'success', 'c-1': 'unknown' } },
      'start b, kill b-1 LivenessProbe',
    ],
    [
      'whose liveness probe failed are only killed',
      'Never',
      RUNNING,
      { liveness: { 'b-1': 'failure' } },
      'kill b-1 LivenessProbe',
    ],
    [
      'whose startup probe failed are killed and restarted',
      'Always',
      RUNNING,
      { startup: { 'b-1': 'failure', 'a-1': 'success', 'c-1': 'unknown' } },
      'start b, kill b-1 StartupProbe',
    ],
    [
      'whose liveness and startup probes failed are killed for liveness',
      'Always',
      RUNNING,
      { liveness: { 'b-1': 'failure' }, startup: { 'b-1': 'failure' } },
      'start b, kill b-1 LivenessProbe',
    ],
    [
      'of unknown state are killed and restarted with any policy',
      'Never',
      'a running, b unknown, c running',
      {},
      'start b, kill b-1 Unknown',
    ],
    [
      'that are only created are started',
      'Never',
      'a running, b created, c running',
      {},
      'start b',
    ],
    [
      'that have all exited for good end the pod',
      'Never',
      'a exit 0, b exit 1, c exit 0',
      {},
      'kill pod',
    ],
    [
      'of which the last running one is killed for good end the pod',
      'Never',
      'a exit 0, b running, c exit 0',
      { liveness: { 'b-1': 'failure' } },
      'kill pod, kill b-1 LivenessProbe',
    ],
  ])('%s (%s)', (_, policy, text, probeResults, expected) => {
    expect(plan(actionsOf(podOf(policy), runtime(text), probeResults))).toBe(expected);
  });

  it('are killed with a message that says why and whether they will be restarted', () => {
    const probeResults: ProbeResultsById = {
      liveness: { 'b-1': 'failure' },
      startup: { 'c-1': 'failure' },
    };
    const message = (policy: RestartPolicy): string[] =>
      actionsOf(
        podOf(policy),
        runtime('a changed, b running, c running'),
        probeResults,
      ).containersToKill.map((kill) => kill.message);
    expect(message('Always')).toEqual([
      'Container a definition changed, will be restarted',
      'Container b failed liveness probe, will be restarted',
      'Container c failed startup probe, will be restarted',
    ]);
    expect(message('Never')).toEqual([
      'Container a definition changed, will be restarted',
      'Container b failed liveness probe',
      'Container c failed startup probe',
    ]);
    const [unknown] = actionsOf(podOf('Never'), runtime('b unknown')).containersToKill;
    expect(unknown?.message).toBe('Container is in "unknown" state, try killing it before restart');
  });

  it('are not started in a pod that is being deleted', () => {
    const pod = buildPod({ metadata: { deletionTimestamp: 1 } });
    expect(plan(actionsOf(pod, runtime('app exit 1')))).toBe('kill pod');
  });

  const withPolicy = (policy: Container['restartPolicy'] & string): Container[] =>
    three.map((each) => ({ ...each, restartPolicy: policy }));
  it.each<[string, RestartPolicy, Container[], string, string]>([
    ['Always', 'Never', withPolicy('Always'), 'a exit 0, b exit 111, c running', 'start a b'],
    ['OnFailure', 'Never', withPolicy('OnFailure'), 'a exit 0, b exit 111, c running', 'start b'],
    ['OnFailure', 'Never', withPolicy('OnFailure'), 'a exit 0, b created, c running', 'start b'],
    ['Never', 'Always', withPolicy('Never'), 'a exit 0, b exit 111, c running', ''],
    [
      'a rule',
      'Never',
      [
        buildContainer({
          name: 'a',
          restartPolicy: 'Never',
          restartPolicyRules: [onExit('Restart', 7)],
        }),
      ],
      'a exit 7',
      'start a',
    ],
    [
      'a rule for another exit code',
      'Never',
      [
        buildContainer({
          name: 'a',
          restartPolicy: 'Never',
          restartPolicyRules: [onExit('Restart', 7)],
        }),
      ],
      'a exit 8',
      'kill pod',
    ],
  ])('follow their own policy (%s) in a pod with %s', (_, policy, containers, text, expected) => {
    expect(plan(actionsOf(podOf(policy, containers), runtime(text)))).toBe(expected);
  });

  it.each<[Container['restartPolicy'] & string, RestartPolicy, string]>([
    ['Never', 'Always', 'kill a-1 LivenessProbe'],
    ['OnFailure', 'Never', 'start a, kill a-1 LivenessProbe'],
  ])(
    'whose liveness probe failed follow their own policy: %s in a pod with %s',
    (restartPolicy, policy, expected) => {
      const pod = podOf(policy, [buildContainer({ name: 'a', restartPolicy }), ...named('b')]);
      const probeResults: ProbeResultsById = { liveness: { 'a-1': 'failure' } };
      expect(plan(actionsOf(pod, runtime('a running, b running'), probeResults))).toBe(expected);
    },
  );
});

describe('a sandbox that is not ready', () => {
  const spec = (restartPolicy: RestartPolicy, rest: Partial<PodSpec> = {}): Pod =>
    buildPod({ spec: { containers: named('a', 'b', 'c'), restartPolicy, ...rest } });
  const gone = (text: string, attempt = 0): RuntimePodStatus => runtime(text, 'notReady', attempt);
  const RUNNING = 'a running, b running, c running';
  const onFailure = (name: string): Container =>
    buildContainer({ name, restartPolicy: 'OnFailure' });

  it.each<[string, Pod, RuntimePodStatus, string]>([
    [
      'is recreated with all containers',
      spec('Always'),
      gone(RUNNING),
      'kill pod, new sandbox 1, start a b c',
    ],
    [
      'is recreated without the containers that succeeded',
      spec('OnFailure'),
      gone('a running, b exit 0, c exit 1'),
      'kill pod, new sandbox 1, start a c',
    ],
    [
      'is recreated without containers that succeeded under their own policy OnFailure',
      spec('Always', { containers: [...named('a'), onFailure('b')] }),
      gone('a running, b exit 0'),
      'kill pod, new sandbox 1, start a',
    ],
    [
      'is not recreated when all containers succeeded',
      spec('OnFailure'),
      gone('a exit 0, b exit 0, c exit 0', 1),
      'kill pod',
    ],
    [
      'is not recreated when no container will be restarted',
      spec('Never'),
      gone('a exit 0, b exit 0, c exit 1', 1),
      'kill pod',
    ],
    ['is not recreated in a pod with Never', spec('Never'), gone(RUNNING), 'kill pod'],
    [
      'is recreated in a pod with Never when no container was ever created',
      spec('Never'),
      gone('', 2),
      'kill pod, new sandbox 3, start a b c',
    ],
    [
      'is recreated with the first init container',
      spec('Always', { initContainers: named('i', 'j') }),
      gone('i exit 0, j exit 0, a running'),
      'kill pod, new sandbox 1, init i',
    ],
    [
      'is recreated for init containers when the pod has no containers',
      spec('OnFailure', { containers: [], initContainers: named('i') }),
      gone('i exit 1'),
      'kill pod, new sandbox 1, init i',
    ],
  ])('%s', (_, pod, podStatus, expected) => {
    expect(plan(actionsOf(pod, podStatus))).toBe(expected);
  });

  it.each<[string, Partial<Parameters<typeof buildSandbox>[0] & object>, string, string]>([
    ['is created when the pod has none', {}, 'none', 'kill pod, new sandbox 0, start app'],
    ['is recreated when it has no IP', { ips: [] }, 'one', 'kill pod, new sandbox 1, start app'],
    [
      'is recreated when it uses the host network and the pod does not',
      { hostNetwork: true },
      'one',
      'kill pod, new sandbox 1, start app',
    ],
  ])('%s', (_, sandbox, count, expected) => {
    const sandboxStatuses = count === 'none' ? [] : [buildSandbox(sandbox)];
    const podStatus = buildRuntimePodStatus({
      sandboxStatuses,
      containerStatuses: [buildRuntimeContainer()],
    });
    expect(plan(actionsOf(buildPod(), podStatus))).toBe(expected);
  });

  it('is named in the actions, as a ready one is', () => {
    expect(actionsOf(buildPod(), gone('')).sandboxID).toBe('sandbox-1');
    expect(actionsOf(buildPod(), runtime('')).sandboxID).toBe('sandbox-1');
  });
});

describe('RestartAllContainers', () => {
  const rules = {
    restartPolicy: 'Never',
    restartPolicyRules: [onExit('RestartAllContainers', 42)],
  } as const;
  const trigger = buildContainer({ name: 'c', ...rules });
  const initTrigger = buildContainer({ name: 'i', ...rules });
  const podOf = (spec: Partial<PodSpec>): Pod =>
    buildPod({ spec: { containers: [...named('a'), trigger], restartPolicy: 'Never', ...spec } });
  const inits = { initContainers: [...named('i'), buildSidecar({ name: 's' })] };

  it.each<[string, Partial<PodSpec>, string, string]>([
    [
      'kills running containers, and resets the container that triggered it last',
      {},
      'a running, c exit 42',
      'kill and reset a-1, reset c-1',
    ],
    ['resets exited containers', {}, 'a exit 0, c exit 42', 'reset a-1, reset c-1'],
    [
      'kills and resets containers that are only created or of unknown state',
      {},
      'a created, c unknown',
      'kill and reset a-1, kill and reset c-1',
    ],
    [
      'kills and resets init containers and sidecars',
      inits,
      'i exit 0, s running, a running, c exit 42',
      'kill and reset a-1, reset i-1, kill and reset s-1, reset c-1',
    ],
    [
      'resets an init container that triggered it last',
      { initContainers: [initTrigger, buildSidecar({ name: 's' })] },
      'i exit 42, s running',
      'kill and reset s-1, reset i-1',
    ],
    [
      'resets the container with the rule last even if its exit code does not match',
      {},
      'a running, c exit 1',
      'kill and reset a-1, reset c-1',
    ],
    ['does nothing when all containers are removed', {}, '', ''],
  ])('%s', (_, spec, text, expected) => {
    expect(plan(actionsOf(podOf(spec), runtime(text), {}, true))).toBe(expected);
  });

  it('resets the containers of earlier restarts', () => {
    const podStatus = buildRuntimePodStatus({
      containerStatuses: [
        buildRuntimeContainer({ name: 'a', id: 'a-3' }),
        buildExited(1, { name: 'a', id: 'a-2' }),
        buildExited(42, { name: 'c', id: 'c-2' }),
        buildExited(42, { name: 'c', id: 'c-1' }),
      ],
    });
    expect(plan(actionsOf(podOf({}), podStatus, {}, true))).toBe(
      'kill and reset a-3, reset a-2, reset c-2, reset c-1',
    );
  });
});
