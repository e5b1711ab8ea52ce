import { describe, expect, it } from 'vitest';

import { validatePodUpdate } from '../../../../src/commands/diff/update/pod-update.js';
import { storedForm, type Update } from '../../../../src/commands/diff/update/update.js';
import { behaviorOf, type ReleaseBehavior } from '../../../../src/kubelet/release.js';
import { loadPods, podYaml } from '../../../helpers/loaded.js';

const APP = 'containers: [{name: app, image: a:1}]';

function update(before: string, after: string, behavior?: ReleaseBehavior): Update {
  const [old, now] = [before, after].map((text) => storedForm('Pod', loadPods(text)[0]!.stored));
  return validatePodUpdate(now!, old!, behavior);
}

/** The refused fields when a spec is changed. */
function refused(before: string, after: string): string[] {
  const found = update(podYaml(before), podYaml(after)).refused.map(({ path }) => path);
  return [...new Set(found)];
}

const key = (name: string, more = ''): string => `{key: ${name}, operator: Exists${more}}`;
const gated = 'schedulingGates: [{name: a/b}],';
const affinity = (rule: string): string =>
  `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${rule}]}}},`;
const term = (...keys: readonly string[]): string =>
  `{matchExpressions: [${keys.map((name) => `{key: ${name}, operator: Exists}`).join(', ')}]}`;

describe('a pod that runs', () => {
  it.each([
    ['the image of a container', APP, APP.replace('a:1', 'a:2')],
    [
      'the image of an init container',
      `initContainers: [{name: i, image: a:1}], ${APP}`,
      `initContainers: [{name: i, image: a:2}], ${APP}`,
    ],
    ['a deadline that it did not have', APP, `activeDeadlineSeconds: 60, ${APP}`],
    ['a sooner deadline', `activeDeadlineSeconds: 60, ${APP}`, `activeDeadlineSeconds: 30, ${APP}`],
    [
      'one toleration more',
      `tolerations: [${key('a')}], ${APP}`,
      `tolerations: [${key('b')}, ${key('a')}], ${APP}`,
    ],
    [
      'the seconds of a toleration',
      `tolerations: [${key('a', ', effect: NoExecute, tolerationSeconds: 5')}], ${APP}`,
      `tolerations: [${key('a', ', effect: NoExecute, tolerationSeconds: 9')}], ${APP}`,
    ],
    [
      'a gate less',
      `schedulingGates: [{name: a/b}, {name: a/c}], ${APP}`,
      `schedulingGates: [{name: a/c}], ${APP}`,
    ],
    ['its last gate', gated + APP, APP],
    ['a node selector while it has gates', gated + APP, `nodeSelector: {a: b}, ${gated}${APP}`],
    ['affinity to nodes while it has gates', gated + APP, affinity(term('a')) + gated + APP],
    [
      'a narrower affinity to nodes while it has gates',
      affinity(term('a')) + gated + APP,
      affinity(term('a', 'b')) + gated + APP,
    ],
  ])('may get %s', (_, before, after) => {
    expect(update(podYaml(before), podYaml(after))).toEqual({ errors: [], refused: [] });
  });

  it.each([
    [
      'a probe',
      APP,
      APP.replace('}', ', livenessProbe: {tcpSocket: {port: 80}}}'),
      ['spec.containers[0].livenessProbe'],
    ],
    ['a command', APP, APP.replace('}', ', command: [b]}'), ['spec.containers[0].command']],
    [
      'resources',
      APP,
      APP.replace('}', ', resources: {limits: {cpu: 1}}}'),
      ['spec.containers[0].resources.limits', 'spec.containers[0].resources.requests'],
    ],
    [
      'the grace period',
      APP,
      `terminationGracePeriodSeconds: 5, ${APP}`,
      ['spec.terminationGracePeriodSeconds'],
    ],
    ['the restart policy', APP, `restartPolicy: Never, ${APP}`, ['spec.restartPolicy']],
    [
      'a later deadline',
      `activeDeadlineSeconds: 30, ${APP}`,
      `activeDeadlineSeconds: 60, ${APP}`,
      ['spec.activeDeadlineSeconds'],
    ],
    ['no deadline', `activeDeadlineSeconds: 30, ${APP}`, APP, ['spec.activeDeadlineSeconds']],
    ['a toleration less', `tolerations: [${key('a')}], ${APP}`, APP, ['spec.tolerations']],
    ['a gate more', APP, gated + APP, ['spec.schedulingGates']],
    ['a node selector', APP, `nodeSelector: {a: b}, ${APP}`, ['spec.nodeSelector']],
    [
      'another node selector while it has gates',
      `nodeSelector: {a: b}, ${gated}${APP}`,
      `nodeSelector: {a: c}, ${gated}${APP}`,
      ['spec.nodeSelector.a'],
    ],
    [
      'a wider affinity to nodes while it has gates',
      affinity(term('a', 'b')) + gated + APP,
      affinity(term('a')) + gated + APP,
      [
        `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions`,
      ],
    ],
    ['a name of a container', APP, APP.replace('app', 'web'), ['spec.containers[0]']],
    ['one container more', APP, APP.replace(']', ', {name: b, image: b}]'), ['spec.containers[1]']],
  ])('may not get %s', (_, before, after, paths) => {
    expect(refused(before, after)).toEqual(paths);
  });

  it('names only what is refused among what may change', () => {
    expect(refused(APP, 'containers: [{name: app, image: a:2, command: [b]}]')).toEqual([
      'spec.containers[0].command',
    ]);
  });

  it.each([
    [
      'of a field that may not change',
      APP,
      `restartPolicy: Never, ${APP}`,
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,',
    ],
    [
      'of a container more',
      APP,
      APP.replace(']', ', {name: b, image: b}]'),
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'of a later deadline',
      `activeDeadlineSeconds: 30, ${APP}`,
      `activeDeadlineSeconds: 60, ${APP}`,
      'spec.activeDeadlineSeconds: Invalid value: 60: must be less than or equal to previous value',
    ],
    [
      'of no deadline',
      `activeDeadlineSeconds: 30, ${APP}`,
      APP,
      'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    ],
    [
      'of a gate more',
      APP,
      gated + APP,
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/b'",
    ],
  ])('gets the words of the server %s', (_, before, after, message) => {
    const messages = update(podYaml(before), podYaml(after)).errors.map((error) => error.message);
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  it('may get labels, and annotations but those that others rely on', () => {
    const mirror = 'kubernetes.io/config.mirror';
    const bound = `nodeName: node-1, ${APP}`;
    const { errors } = update(
      podYaml(bound),
      podYaml(bound, `labels: {a: b}, annotations: {a: b, ${mirror}: c}`),
    );
    expect(errors.map(({ message }) => message)).toEqual([
      `metadata.annotations[${mirror}]: Forbidden: may not add mirror pod annotation`,
    ]);
  });

  it.each([
    ['1', []],
    ['2', ['spec.terminationGracePeriodSeconds']],
  ])('with a negative grace period from long ago may get one of 1 only: %s', (seconds, paths) => {
    const before = { spec: { terminationGracePeriodSeconds: -1 } };
    const after = { spec: { terminationGracePeriodSeconds: Number(seconds) } };
    expect(validatePodUpdate(after, before).refused.map(({ path }) => path)).toEqual(paths);
  });
});

describe('with MutableContainerProbes', () => {
  const behavior = behaviorOf({ version: '1.37', featureGates: { MutableContainerProbes: true } });
  const probed = (delay: number): string =>
    `livenessProbe: {initialDelaySeconds: ${delay}, exec: {command: [a]}}`;
  const podOf = (sidecar: string, app: string, image = 'a:1'): string =>
    podYaml(
      `initContainers: [{name: proxy, image: a:1, restartPolicy: Always, ${sidecar}}], containers: [{name: app, image: ${image}, ${app}}]`,
    );
  const refusedPaths = (after: string, on?: ReleaseBehavior): readonly string[] =>
    update(podOf(probed(1), probed(1)), after, on).refused.map(({ path }) => path);

  it('the probes of containers and sidecars may change, be added and be removed', () => {
    const after = podOf(probed(2), `readinessProbe: {exec: {command: [a]}}`, 'a:2');
    expect(refusedPaths(after, behavior)).toEqual([]);
    expect([...refusedPaths(after)].sort()).toEqual([
      'spec.containers[0].livenessProbe',
      'spec.containers[0].readinessProbe',
      'spec.initContainers[0].livenessProbe.initialDelaySeconds',
    ]);
  });

  it('other fields may not', () => {
    const after = podOf(probed(2), `${probed(2)}, command: [b]`);
    expect(refusedPaths(after, behavior)).toEqual(['spec.containers[0].command']);
  });
});
