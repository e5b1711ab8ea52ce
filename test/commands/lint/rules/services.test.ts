import { describe, expect, it } from 'vitest';

import { lint } from '../../../helpers/lint.js';

interface Pods {
  readonly labels?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly container?: string;
  readonly namespace?: string;
}

/** A workload whose container has a TCP port http and a UDP port dns. */
function workload({
  labels = 'app: web, tier: front',
  name = 'web',
  kind = 'Deployment',
  apiVersion = 'apps/v1',
  container = '',
  namespace = 'default',
}: Pods = {}): string {
  return `---
apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: ${/app: ([\w-]+)/.exec(labels)?.[1] ?? 'web'}}}
  template:
    metadata: {labels: {${labels}}}
    spec:
      containers:
      - name: app
        image: example.com/web:1.4
        ports: [{name: http, containerPort: 8080}, {name: dns, containerPort: 53, protocol: UDP}]
        readinessProbe: {httpGet: {path: /readyz, port: http}}
${container}`;
}

const service = (spec: string, name = 'web'): string => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {${spec}}
`;
const selecting = (selector: string, more = ''): string =>
  service(`selector: {${selector}}, ports: [{port: 80, targetPort: http}]${more}`);
const port = (fields: string): string =>
  service(`selector: {app: web}, ports: [{port: 80, ${fields}}]`);

/** Returns what is said at the fields of Services in one file. */
async function saysOf(...objects: readonly string[]): Promise<readonly string[]> {
  const [file] = await lint([{ file: 'web.yaml', text: objects.join('') }]);
  return (file?.advice ?? [])
    .filter(({ field }) => /^spec\.(?:selector|ports)/.test(field))
    .map(({ field, message, hint }) => `${field}: ${message} (${hint})`);
}

describe('a targetPort', () => {
  it.each([
    [
      'that no container names',
      port('targetPort: htttp'),
      'spec.ports[0].targetPort: no container of Deployment web has a TCP port named "htttp": the Service has no endpoint for it (did you mean "http"?)',
    ],
    [
      'of another protocol',
      port('targetPort: dns'),
      'spec.ports[0].targetPort: no container of Deployment web has a TCP port named "dns": the Service has no endpoint for it (its ports are "http")',
    ],
  ])('%s is an error', async (_, manifest, says) => {
    expect(await saysOf(workload(), manifest)).toEqual([says]);
  });

  const sidecar = `      initContainers:
      - {name: proxy, image: proxy:1, restartPolicy: Always, ports: [{name: admin, containerPort: 9000}]}
`;
  it.each([
    ['that a container names', workload(), port('targetPort: http')],
    ['of the same protocol', workload(), port('targetPort: dns, protocol: UDP')],
    ['that a sidecar names', workload({ container: sidecar }), port('targetPort: admin')],
    [
      'that another of the selected workloads names',
      workload() + workload({ name: 'old', labels: 'app: web' }).replace('name: http', 'name: api'),
      port('targetPort: api'),
    ],
    ['that is a number, declared or not', workload(), port('targetPort: 9090')],
    ['that is no name of a port', workload(), port('targetPort: "$PORT"')],
    [
      'of pods that an operator makes',
      workload({ kind: 'Rollout', apiVersion: 'argoproj.io/v1alpha1' }),
      port('targetPort: htttp'),
    ],
    [
      'beside ports with errors',
      workload().replace('containerPort: 8080', 'containerPort: eighty'),
      port('targetPort: htttp'),
    ],
    ['of an external name', workload(), port('targetPort: htttp}], type: ExternalName, x: [{')],
  ])('%s is no finding', async (_, pods, manifest) => {
    expect(await saysOf(pods, manifest)).toEqual([]);
  });

  it('with a similar name is corrected by --fix', async () => {
    const [file] = await lint([{ file: 'web.yaml', text: workload() + port('targetPort: htttp') }]);
    expect(file?.advice.map(({ rule, fix }) => [rule, fix?.safe])).toEqual([
      ['named-port-missing', true],
    ]);
  });
});

describe('a selector', () => {
  it.each([
    [
      'with one other value',
      selecting('app: wbe'),
      'spec.selector[app]: selects app: wbe, but the pods of Deployment web have app: web: the Service has no endpoints (make the two labels the same)',
    ],
    [
      'of a Service that is named by its kind too',
      selecting('app: web, tier: back').replace('name: web', 'name: web-svc'),
      'spec.selector[tier]: selects tier: back, but the pods of Deployment web have tier: front: the Service has no endpoints (make the two labels the same)',
    ],
  ])('%s is a warning', async (_, manifest, says) => {
    expect(await saysOf(workload(), manifest)).toEqual([says]);
  });

  it('with a dotted key has a suggestion', async () => {
    const key = 'app.kubernetes.io/name';
    const text = workload({ labels: `app: web, ${key}: web` }) + selecting(`${key}: wbe`);
    const [file] = await lint([{ file: 'web.yaml', text }]);
    expect(file?.advice[0]?.fix?.diff).toContain(`+spec: {selector: {${key}: web}`);
  });

  it.each([
    ['that the pods have', workload(), selecting('app: web')],
    ['with a key that the pods lack', workload(), selecting('app: web, zone: a')],
    ['with two other values', workload(), selecting('app: wbe, tier: back')],
    ['of another name', workload({ name: 'web-operator' }), selecting('app: wbe')],
    ['of a role', workload({ labels: 'app: web, role: replica' }), selecting('role: primary')],
    ['of a version', workload({ labels: 'app: web, color: blue' }), selecting('color: green')],
    ['of another namespace', workload({ namespace: 'shop' }), selecting('app: wbe')],
    ['with two candidates', workload() + workload({ name: 'api' }), selecting('app: wbe')],
    [
      'that another workload has',
      workload() + workload({ name: 'api', labels: 'app: api' }),
      selecting('app: api'),
    ],
    ['that a build fills in', workload(), selecting('app: "$APP"')],
    [
      'of pods that an operator makes',
      workload({ kind: 'Rollout', apiVersion: 'argoproj.io/v1alpha1' }),
      selecting('app: wbe'),
    ],
    ['that has no effect', workload(), selecting('app: wbe', ', type: ExternalName')],
    [
      'of pods that need not be ready',
      workload(),
      selecting('app: wbe', ', publishNotReadyAddresses: true'),
    ],
    ['that is not there', workload(), service('ports: [{port: 80}]')],
    ['without a workload', '', selecting('app: wbe')],
  ])('%s is no finding', async (_, pods, manifest) => {
    expect(await saysOf(pods, manifest)).toEqual([]);
  });

  it('is ignored where a comment says so', async () => {
    const ignored = selecting('app: wbe').replace(
      '\nspec:',
      '\n# kprobe-ignore: service-selects-nothing\nspec:',
    );
    expect(await saysOf(workload(), ignored)).toEqual([]);
  });

  it('counts for pods in another file of the call', async () => {
    const [file] = await lint([
      { file: 'service.yaml', text: selecting('app: wbe') },
      { file: 'web.yaml', text: workload() },
    ]);
    expect(file?.advice.map(({ rule }) => rule)).toEqual(['service-selects-nothing']);
  });
});
