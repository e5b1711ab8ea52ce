import { expect, it } from 'vitest';

import { lintSources } from '../../../src/commands/lint/lint-sources.js';
import { defaultLevel } from '../../../src/commands/lint/rule.js';
import type { Severity } from '../../../src/manifest/diagnostic.js';

const POD = (container: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: example.com/web:latest
    ports: [{containerPort: 8080}]
${container}`;

async function rulesOf(text: string, validate = true): Promise<readonly (string | undefined)[]> {
  const [file] = await lintSources([{ file: 'pod.yaml', text }], {
    validate,
    level: (rule, name) => (rule.id === 'port-not-declared' ? 'info' : defaultLevel(rule, name)),
  });
  return (file?.diagnostics ?? []).map(({ rule }) => rule);
}

it('advice is given in addition to an API server error', async () => {
  const rules = await rulesOf(
    POD('    imagePullPolicy: Sometimes\n    livenessProbe: {httpGet: {path: /, port: 9090}}\n'),
  );
  expect(rules).toEqual(expect.arrayContaining(['not-supported', 'port-not-declared']));
});

it.each([
  ['an unknown field', 'livenesProbe: {tcpSocket: {port: 8080}}', 'unknown-field'],
  ['a probe without a handler', 'livenessProbe: {periodSeconds: 3}', 'required'],
  ['a wrong type', 'livenessProbe: [{tcpSocket: {port: 8080}}]', 'wrong-type'],
])('there is no advice about %s, or about what is missing because of it', async (_, line, rule) => {
  const options = { level: (): Severity => 'warning', validate: true };
  const text = POD(`    ${line}\n`);
  const [file] = await lintSources([{ file: 'pod.yaml', text }], options);
  const found = (file?.diagnostics ?? []).map((each) => each.rule);
  expect(found).toContain(rule);
  expect(found).not.toContain('liveness-probe-missing');
  expect(found).toContain('latest-image');
});

it('without validation, only advice and syntax errors are reported', async () => {
  const text = POD('    imagePullPolicy: Sometimes\n    livenessProbe: {httpGet: {port: 9090}}\n');
  expect(await rulesOf(text, false)).toEqual(['port-not-declared']);
  expect(await rulesOf(`${text}x: [`, false)).toEqual(['syntax']);
});

it('the rollout of a strategy that the API does not have is not simulated', async () => {
  const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  minReadySeconds: 30
  strategy: {type: Sometimes}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: 'example.com/web:1', readinessProbe: {tcpSocket: {port: 8080}}}
`;
  const options = { level: (): Severity => 'warning', validate: true };
  const [file] = await lintSources([{ file: 'web.yaml', text }], options);
  const found = (file?.diagnostics ?? []).map(({ rule }) => rule);
  expect(found).toContain('not-supported');
  expect(found).not.toContain('flapping-hides-deadline');
});

it('a mount without its path has no folder in which a file is always there', async () => {
  const volume = '  volumes: [{name: config, configMap: {name: config}}]\n';
  const mount = '    volumeMounts: [{name: config}]\n';
  const probe = '    livenessProbe: {exec: {command: [cat, /etc/web.conf]}}\n';
  const rules = await rulesOf(POD(`${mount}${probe}${volume}`));
  expect(rules).toContain('required');
  expect(rules).not.toContain('exec-always-succeeds');
});
