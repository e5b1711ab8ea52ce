import { describe, expect, it } from 'vitest';

import { lint } from '../../helpers/lint.js';

/** Returns the rules with findings of a pod with one container. */
async function rulesFor(container: string, spec = ''): Promise<readonly string[]> {
  const text = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
${spec}  containers:
  - name: app
${container.replace(/^(?=.)/gm, '    ')}`;
  const [file] = await lint([{ file: 'web.yaml', text }]);
  return (file?.advice ?? []).map(({ rule = '' }) => rule);
}

const IMAGE = 'image: example.com/web:1.4\n';
const liveness = (probe: string): string => `${IMAGE}livenessProbe: {${probe}}\n`;

describe('a port named', () => {
  it.each([
    ['https', 'HTTP', true],
    ['https', 'HTTPS', false],
    ['http-webhook', 'HTTPS', false],
    ['https-metrics', 'HTTP', false],
    ['http', 'HTTPS', false],
  ])('%s, probed over %s, is a finding: %s', async (name, scheme, found) => {
    const probe = `readinessProbe: {httpGet: {port: ${name}, scheme: ${scheme}}}\n`;
    const rules = await rulesFor(`${IMAGE}ports: [{name: ${name}, containerPort: 9443}]\n${probe}`);
    expect(rules.includes('https-scheme-mismatch')).toBe(found);
  });
});

describe('the image', () => {
  it.each([
    ['nginx', true],
    ['nginx:latest', true],
    ['example.com/web', true],
    ['auto', false],
    ['adservice', false],
    ['controller:latest', false],
    ['nginx:1.29', false],
    ['example.com/inference-cu124.2-3.ubuntu2204', false],
  ])('%s may change with a restart: %s', async (image, found) => {
    const ports = 'ports: [{containerPort: 80}]\n';
    const rules = await rulesFor(`image: ${image}\nimagePullPolicy: Always\n${ports}`);
    expect(rules.includes('latest-image')).toBe(found);
  });
});

describe('a liveness probe without a startup probe', () => {
  it.each([
    ['exec: {command: [cat, /tmp/healthy]}, periodSeconds: 5', true],
    ['exec: {command: [pgrep, web]}, periodSeconds: 5', false],
    ['exec: {command: [sh, -c, ls /]}, periodSeconds: 5', false],
    ['tcpSocket: {port: 80}, periodSeconds: 5', true],
    ['tcpSocket: {port: 80}', false],
  ])('{%s} kills slow starts: %s', async (probe, found) => {
    expect((await rulesFor(liveness(probe))).includes('slow-start-restarts')).toBe(found);
  });
});

it.each([
  ['[nginx]', true],
  ['[sleep, infinity]', false],
  ['[sh, -c, sleep 3600]', false],
])('a grace period of 0 of the command %s is a finding: %s', async (command, found) => {
  const rules = await rulesFor(
    `${IMAGE}command: ${command}\n`,
    '  terminationGracePeriodSeconds: 0\n',
  );
  expect(rules.includes('zero-grace-period')).toBe(found);
});

it('a process that is looked for by name may be missed sooner than readiness', async () => {
  const probes = `livenessProbe: {exec: {command: [pgrep, web]}, failureThreshold: 2}
readinessProbe: {tcpSocket: {port: 80}, failureThreshold: 9}\n`;
  expect(await rulesFor(IMAGE + probes)).not.toContain('liveness-faster-than-readiness');
});

it.each([
  [10, 15, 'takes 15 s, but the grace period is 10 s: the kubelet ends the hook then'],
  [30, 30, 'takes the whole grace period of 30 s'],
])('a grace period of %s s and a hook of %s s: %s', async (grace, pause, message) => {
  const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  terminationGracePeriodSeconds: ${grace}
  containers:
  - {name: app, image: 'web:1', lifecycle: {preStop: {sleep: {seconds: ${pause}}}}}
`;
  const [file] = await lint([{ file: 'web.yaml', text }]);
  expect(file?.advice[0]?.message).toContain(message);
});

describe('a Service with the labels of a pod in samples/a/pods', () => {
  const pod = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: app, image: 'web:1', ports: [{containerPort: 80}]}]}
`;
  const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
  it.each([
    ['samples/a/pods/service.yaml', true],
    ['samples/a/service.yaml', true],
    ['samples/a/services/service.yaml', true],
    ['samples/b/service.yaml', false],
    ['samples/b/pods/service.yaml', false],
  ])('in %s counts as its own: %s', async (file, found) => {
    const [linted] = await lint([
      { file: 'samples/a/pods/web.yaml', text: pod },
      { file, text: service },
    ]);
    const rules = linted?.advice.map(({ rule }) => rule);
    expect(rules?.includes('no-readiness-probe')).toBe(found);
  });
});
