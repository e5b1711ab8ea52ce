import { describe, expect, it } from 'vitest';

import {
  type Difference,
  diffPair,
  type ObjectDifference,
  pairObjects,
} from '../../../src/commands/diff/diff-objects.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import type { LoadedPod } from '../../../src/manifest/pods/load-pod.js';
import { loadPods, podYaml, workloadYaml } from '../../helpers/loaded.js';

function differences(before: string, after: string): Difference[] {
  return pairObjects(loadPods(before), loadPods(after)).flatMap((pair) => diffPair(pair) ?? []);
}

function difference(before: string, after: string): ObjectDifference {
  const [found] = differences(before, after);
  if (found?.in !== 'both') throw new Error('they are the same');
  return found;
}

const APP = 'containers: [{name: app, image: a:1}]';
const SELECTOR = 'selector: {matchLabels: {app: web}}';
const probed = (probe: string): string => podYaml(`containers: [{name: app, image: a, ${probe}}]`);

describe('two manifests', () => {
  it('are matched by kind, namespace and name, and by what only one has', () => {
    const pod = (name: string, namespace = 'default'): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {${APP}}\n`;
    const before = [pod('a'), pod('b')].join('---\n');
    const after = [pod('b'), pod('a', 'other')].join('---\n');
    expect(differences(before, after)).toEqual([
      { kind: 'Pod', namespace: 'other', name: 'a', in: 'after' },
      { kind: 'Pod', namespace: 'default', name: 'a', in: 'before' },
    ]);
  });

  it('match what has the same name in their order', () => {
    const twice = (first: string): string =>
      [podYaml(first), podYaml(APP.replace('a:1', 'b'))].join('---\n');
    expect(differences(twice(APP), twice(APP.replace('a:1', 'a:2')))).toHaveLength(1);
  });
});

describe('the containers of a pod', () => {
  const spec = (tag: string): string =>
    podYaml(
      `initContainers: [{name: init, image: "i:${tag}"}, {name: side, image: "s:${tag}", restartPolicy: Always}], containers: [{name: app, image: "a:${tag}"}, {name: log, image: l}], terminationGracePeriodSeconds: 5`,
    );

  it('are restarted for another image, but those that have done their work', () => {
    const { containers, errors } = difference(spec('1'), spec('2'));
    expect(errors).toEqual([]);
    expect(containers.map(({ name, role, stops }) => [name, role, stops])).toEqual([
      ['init', 'init', undefined],
      ['side', 'sidecar', { from: 0, to: 5 }],
      ['app', 'container', { from: 0, to: 5 }],
    ]);
  });

  it.each([
    ['a command', 'command: [b]'],
    ['a probe', 'livenessProbe: {tcpSocket: {port: 80}}'],
    ['resources', 'resources: {limits: {cpu: 1}}'],
    ['another pull policy', 'imagePullPolicy: Always'],
  ])('have the same hash with %s', (_, field) => {
    const after = podYaml(`containers: [{name: app, image: a:1, ${field}}]`);
    expect(difference(podYaml(APP), after).containers).toEqual([]);
  });

  it('that only one of the pods has say so', () => {
    const { containers } = difference(podYaml(APP), podYaml(APP.replace('app', 'web')));
    expect(containers.map(({ name, hash }) => [name, Object.keys(hash)])).toEqual([
      ['app', ['before']],
      ['web', ['after']],
    ]);
  });
});

describe('the behavior of probes', () => {
  it('is told with the times of before and after', () => {
    const before = probed('livenessProbe: {httpGet: {port: 80}}');
    const after = probed('livenessProbe: {httpGet: {port: 80}, periodSeconds: 5}');
    const [app] = difference(before, after).behavior.containers;
    expect(app?.probes).toEqual([
      {
        type: 'liveness',
        what: 'changed',
        settings: [{ path: 'periodSeconds', before: 10, after: 5 }],
        times: [
          {
            topic: 'first attempt',
            since: 'its start',
            before: { from: 0, to: 11 },
            after: { from: 0, to: 6 },
          },
          {
            topic: 'failing',
            since: 'it begins to fail at once',
            before: { from: 20, to: 31 },
            after: { from: 10, to: 16 },
          },
        ],
      },
    ]);
    expect(app?.times).toContainEqual({
      topic: 'hang: killed',
      since: 'it begins to hang',
      before: { from: 20, to: 32 },
      after: { from: 10, to: 17 },
    });
  });

  it('is not told of a container whose probes are the same', () => {
    const before = probed('livenessProbe: {httpGet: {port: 80}}');
    expect(difference(before, before.replace('image: a', 'image: b')).behavior).toEqual({
      times: [],
      containers: [],
    });
  });

  it.each([
    ['added', '', 'readinessProbe: {httpGet: {port: 80}}'],
    ['removed', 'readinessProbe: {httpGet: {port: 80}}', ''],
  ])('is told of a probe that is %s', (what, before, after) => {
    const [app] = difference(probed(before), probed(after)).behavior.containers;
    expect(app?.probes).toMatchObject([{ type: 'readiness', what, settings: [] }]);
    expect(app?.times.map(({ topic }) => topic)).toContain('hang: not ready');
  });

  it('is told of other probes that a startup probe holds back', () => {
    const before = 'readinessProbe: {httpGet: {port: 80}}';
    const after = `${before}, startupProbe: {httpGet: {port: 80}, periodSeconds: 2}`;
    const [app] = difference(probed(before), probed(after)).behavior.containers;
    expect(app?.probes.map(({ type, what }) => [type, what])).toEqual([
      ['startup', 'added'],
      ['readiness', 'changed'],
    ]);
  });

  it('is told of a grace period: stopping, restarting and being gone take longer', () => {
    const before = podYaml(APP);
    const after = podYaml(`terminationGracePeriodSeconds: 60, ${APP}`);
    const { times, containers } = difference(before, after).behavior;
    expect(times).toMatchObject([{ topic: 'gone', before: { to: 30 }, after: { to: 60 } }]);
    expect(containers[0]?.times.map(({ topic }) => topic)).toEqual(['stopped']);
  });

  it('tells what a container waits for that it did not wait for before', () => {
    const inits = (more: string): string =>
      podYaml(`initContainers: [{name: init, image: i}${more}], ${APP}`);
    const sidecar = '{name: side, image: s, restartPolicy: Always}';
    const { times, containers } = difference(inits(''), inits(`, ${sidecar}`)).behavior;
    expect(times).toMatchObject([
      { topic: 'ready', before: { to: 2 }, after: { to: 3 } },
      { topic: 'gone' },
    ]);
    const span = { from: 0, to: 1 };
    expect(containers[0]?.times).toEqual([
      { topic: 'start', since: 'the start of side', after: span },
      { topic: 'start', since: 'init has ended', before: span },
    ]);
  });
});

describe('the pods of a workload', () => {
  const image = APP.replace('a:1', 'a:2');
  it.each([
    ['Deployment', SELECTOR, 'replaced', /25% extra and 25% unavailable/],
    ['Deployment', `${SELECTOR}, strategy: {type: Recreate}`, 'replaced', /Recreate/],
    ['Deployment', `${SELECTOR}, paused: true`, 'later', /when it resumes/],
    ['ReplicaSet', SELECTOR, 'later', /only new ones/],
    ['DaemonSet', SELECTOR, 'replaced', /1 unavailable/],
    ['DaemonSet', `${SELECTOR}, updateStrategy: {type: OnDelete}`, 'later', /deletes it/],
    ['StatefulSet', `${SELECTOR}, serviceName: web`, 'replaced', /last one first/],
    [
      'StatefulSet',
      `${SELECTOR}, serviceName: web, updateStrategy: {rollingUpdate: {partition: 2}}`,
      'replaced',
      /from ordinal 2 up/,
    ],
    ['CronJob', 'schedule: "* * * * *"', 'later', /new Jobs/],
  ])('of kind %s (%s) are %s', (kind, spec, rollout, text) => {
    const pod = (containers: string): string =>
      kind === 'CronJob' ? `restartPolicy: Never, ${containers}` : containers;
    const found = difference(
      workloadYaml(kind, spec, pod(APP)),
      workloadYaml(kind, spec, pod(image)),
    );
    expect(found.rollout).toEqual({ kind: rollout, text: expect.stringMatching(text) as string });
  });

  it('stay as they are when the template is the same, or something is refused', () => {
    const before = workloadYaml('Deployment', SELECTOR, APP);
    const scaled = workloadYaml('Deployment', `replicas: 3, ${SELECTOR}`, APP);
    const other = workloadYaml('Deployment', 'selector: {matchLabels: {a: b}}', image, 'a: b');
    expect(difference(before, scaled).rollout).toBeUndefined();
    expect(difference(before, other).rollout).toBeUndefined();
  });
});

it('an update whose result is not valid is refused, for what the object did not have before', () => {
  const of = (strategy: string): LoadedPod => {
    const spec = `${SELECTOR}, serviceName: web, updateStrategy: {${strategy}, rollingUpdate: {partition: 0}}`;
    const text = workloadYaml('StatefulSet', spec, APP);
    const [pod] = loadManifest([{ file: 'a.yaml', text }], { validate: false }).pods;
    return pod!;
  };
  const [live, result] = [of('type: RollingUpdate'), of('type: OnDelete')];
  const pair = { kind: 'StatefulSet', namespace: 'default', name: 'web' };
  expect(diffPair({ ...pair, before: live, after: result })).toMatchObject({
    errors: [{ field: 'spec.updateStrategy.rollingUpdate' }],
  });
  expect(diffPair({ ...pair, before: result, after: live })).toMatchObject({ errors: [] });
});
