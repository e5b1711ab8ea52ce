import { describe, expect, it, test } from 'vitest';

import { lintSources } from '../../../src/commands/lint/lint-sources.js';
import { hasErrors } from '../../../src/manifest/diagnostic.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { validateSource } from '../../../src/manifest/verdict/validate.js';

const CONTAINER = `containers:
      - name: app
        image: example.com/web:1.4
        ports: [{containerPort: 8080}]
        livenessProbe: {httpGet: {path: /, port: 9090}, timeoutSeconds: 3}`;
const object = (apiVersion: string, kind: string, container = CONTAINER): string =>
  `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: web}
spec:
  ofItsOwn: true
  template:
    metadata: {labels: {app: web}}
    spec:
      ${container}
`;
const JOB_SET = `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: web}
spec:
  replicatedJobs:
  - name: leader
    template:
      spec:
        template:
          spec: {containers: [{name: a, image: "a:1"}]}
  - name: worker
    template:
      spec:
        template:
          spec: {containers: [{name: b, image: "b:1"}]}
`;

const validate = (text: string, strictKinds = false): ReturnType<typeof validateSource> =>
  validateSource({ file: 'a.yaml', text }, { as: 'direct', strictKinds });

describe.each([
  ['argoproj.io/v1alpha1', 'Rollout'],
  ['serving.knative.dev/v1', 'Service'],
  ['apps.openshift.io/v1', 'DeploymentConfig'],
  ['example.com/v1', 'Shop'],
])('a %s %s', (apiVersion, kind) => {
  it('gives a pod, and a note that the rest is not validated', () => {
    const text = object(apiVersion, kind);
    const { pods, diagnostics } = loadManifest([{ file: 'a.yaml', text }], { warnOfPorts: false });
    expect(pods.map(({ pod }) => pod.spec.containers[0]?.livenessProbe?.periodSeconds)).toEqual([
      10,
    ]);
    expect(diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
      ['info', `kprobe validates the probes of a ${kind}, not the rest of it`],
    ]);
  });

  it('has its probes validated', () => {
    const wrong = CONTAINER.replace('timeoutSeconds: 3', 'timeoutSeconds: -3');
    const { diagnostics, answers, templateKinds } = validate(object(apiVersion, kind, wrong));
    expect(diagnostics.map(({ field }) => field)).toEqual([
      'spec.template.spec.containers[0].livenessProbe.timeoutSeconds',
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([false]);
    expect([...templateKinds]).toEqual([[kind, 1]]);
  });

  it('is linted', async () => {
    const sources = [{ file: 'a.yaml', text: object(apiVersion, kind) }];
    const [file] = await lintSources(sources, { level: () => 'info' });
    expect(file?.diagnostics.map(({ rule, line }) => [rule, line])).toContainEqual([
      'port-not-declared',
      13,
    ]);
  });
});

it('each template of an object gives a pod with its own name', () => {
  const { pods } = loadManifest([{ file: 'a.yaml', text: JOB_SET }]);
  expect(pods.map(({ pod }) => [pod.metadata.name, pod.spec.containers[0]?.name])).toEqual([
    ['web-0', 'a'],
    ['web-1', 'b'],
  ]);
  expect(pods[1]?.positions('spec.containers[0].image')).toEqual({ line: 15, column: 48 });
});

it('a Knative Service gets its default container name, port and handler', () => {
  const text = object(
    'serving.knative.dev/v1',
    'Service',
    'containers: [{image: "a:1", livenessProbe: {httpGet: {path: /}}, readinessProbe: {periodSeconds: 1}}]',
  );
  const { pods, diagnostics } = loadManifest([{ file: 'a.yaml', text }]);
  expect(hasErrors(diagnostics)).toBe(false);
  expect(pods[0]?.pod.spec.containers[0]).toMatchObject({
    name: 'user-container',
    livenessProbe: { httpGet: { port: 8080 } },
    readinessProbe: { tcpSocket: { port: 8080 } },
  });
});

it('a template without images gives no pod', () => {
  const text = object('example.com/v1', 'Search', 'containers: [{name: search}]');
  expect(validate(text).templateKinds.size).toBe(0);
});

test('a ReplicationController is validated', () => {
  const text = 'apiVersion: v1\nkind: ReplicationController\nmetadata: {name: x}\n';
  expect(
    validate(text)
      .diagnostics.map(({ field }) => field)
      .sort(),
  ).toEqual(['spec.selector', 'spec.template']);
});

test.each([
  ['apps/v1', 'Pod', 'v1'],
  ['v1', 'Deployment', 'apps/v1'],
  ['apps/v1', 'CronJob', 'batch/v1'],
])('%s %s is an error that suggests the right apiVersion', (apiVersion, kind, right) => {
  const { diagnostics, answers } = validate(object(apiVersion, kind));
  expect(diagnostics.map(({ severity, hint }) => [severity, hint])).toEqual([
    ['error', `write "apiVersion: ${right}"`],
  ]);
  expect(answers.map(({ ok }) => ok)).toEqual([false]);
});

test.each([
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['v1', 'Service'],
])('the result for a %s %s matches the exit code', (apiVersion, kind) => {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}\n`;
  for (const strict of [false, true]) {
    const { answers, diagnostics } = validate(text, strict);
    expect(answers.map(({ ok, phase }) => [ok, phase])).toEqual([[!strict, 'other']]);
    expect(hasErrors(diagnostics)).toBe(strict);
  }
});
