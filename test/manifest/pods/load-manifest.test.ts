import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { type LoadedManifest, loadManifest } from '../../../src/manifest/pods/load-manifest.js';

function load(name: string): LoadedManifest {
  const url = new URL(`../../fixtures/manifests/${name}`, import.meta.url);
  return loadManifest([{ file: name, text: readFileSync(url, 'utf8') }]);
}

const SMALL = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: example/app:1
    livenessProbe:
      httpGet: {port: 8080}
      periodSeconds: 0
`;

test('a pod is loaded with the defaults of the API', () => {
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text: SMALL }]);
  expect(diagnostics).toEqual([]);
  expect(pods[0]?.pod).toMatchObject({
    metadata: { name: 'web', namespace: 'default', generation: 1 },
    spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  });
  expect(pods[0]?.pod.spec.containers[0]?.livenessProbe).toEqual({
    httpGet: { path: '/', port: 8080, scheme: 'HTTP' },
    initialDelaySeconds: 0,
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
});

test('reports fields that a default sets or changes, not those that were written', () => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: SMALL }]);
  const probe = 'spec.containers[0].livenessProbe';
  const defaulted = pods[0]?.defaulted;
  expect(defaulted?.has(`${probe}.periodSeconds`)).toBe(true);
  expect(defaulted?.has(`${probe}.httpGet.path`)).toBe(true);
  expect(defaulted?.has(`${probe}.httpGet.port`)).toBe(false);
  expect(defaulted?.has('spec.restartPolicy')).toBe(true);
});

test.each([
  ['spec.containers[0].livenessProbe.httpGet.port', { line: 9, column: 23 }],
  ['spec.containers[0].livenessProbe', { line: 8, column: 5 }],
  ['spec.containers[0].livenessProbe.httpGet.path', { line: 9, column: 7 }],
  ['spec.containers[0].readinessProbe', { line: 6, column: 5 }],
  ['spec.nodeName', { line: 4, column: 1 }],
])('%s stands where it is written, or where what holds it is', (path, position) => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: SMALL }]);
  expect(pods[0]?.positions(path)).toEqual(position);
});

test('a field of a pod from a template stands in the template', () => {
  const { pods } = load('workloads.yaml');
  expect(pods[0]?.positions('spec.containers[0].image')).toEqual({ line: 10, column: 44 });
});

test('every workload gives one pod, with a name that stays', () => {
  const { pods, diagnostics } = load('workloads.yaml');
  expect(diagnostics).toEqual([]);
  expect(pods.map(({ source, pod }) => [source.kind, source.line, pod.metadata.name])).toEqual([
    ['Deployment', 2, 'shop'],
    ['StatefulSet', 16, 'db-0'],
    ['DaemonSet', 26, 'agent'],
    ['ReplicaSet', 35, 'rs'],
    ['ReplicationController', 44, 'rc'],
    ['PodTemplate', 52, 'stencil'],
    ['Job', 58, 'run-xxxxx'],
    ['CronJob', 65, 'nightly'],
  ]);
});

test('replicas count once, and are told', () => {
  expect(load('workloads.yaml').pods[0]?.source).toMatchObject({ replicas: 3, name: 'shop' });
});

test('a pod from a template gets what only pods get', () => {
  const [deployment, statefulSet, daemonSet] = load('workloads.yaml').pods;
  expect(deployment?.pod.metadata).toMatchObject({ namespace: 'prod', labels: { app: 'shop' } });
  expect(statefulSet?.pod.spec).toMatchObject({ hostname: 'db-0', subdomain: 'dbs' });
  expect(statefulSet?.pod.metadata.labels).toMatchObject({
    'statefulset.kubernetes.io/pod-name': 'db-0',
  });
  expect(daemonSet?.pod.spec.containers[0]?.ports).toEqual([
    { containerPort: 80, hostPort: 80, protocol: 'TCP' },
  ]);
});

test('a pod of a StatefulSet has its claims as volumes', () => {
  const text = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: "a:1", volumeMounts: [{name: data, mountPath: /data}]}]
      volumes: [{name: own, emptyDir: {}}, {name: data, emptyDir: {}}]
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
`;
  const { pods, diagnostics } = loadManifest([{ file: 'set.yaml', text }]);
  expect(diagnostics).toEqual([]);
  expect(pods[0]?.pod.spec.volumes).toEqual([
    { name: 'own', emptyDir: {} },
    { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
  ]);
});

const TOKEN = '{name: t, projected: {sources: [{serviceAccountToken: {path: token}}]}}';

test.each([
  ['none is the default one', '', 'default'],
  ['one is kept', 'serviceAccountName: bot', 'bot'],
  ['one under the old name is it', 'serviceAccount: bot', 'bot'],
])('a service account: %s, and its token may be projected', (_, line, expected) => {
  const text = `${SMALL}  volumes: [${TOKEN}]\n${line && `  ${line}\n`}`;
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(pods[0]?.pod.spec.serviceAccountName).toBe(expected);
});

test('other kinds are counted and not looked into', () => {
  expect([...load('workloads.yaml').passedOver]).toEqual([
    ['Service', 1],
    ['Rollout', 1],
  ]);
});

test('ConfigMaps and Secrets come beside the pods, stringData in base64', () => {
  const { configMaps, secrets, passedOver } = load('web-pod.yaml');
  expect(configMaps).toEqual([
    { name: 'settings', namespace: 'default', data: { mode: 'fast' }, binaryData: {} },
  ]);
  expect(secrets).toEqual([
    { name: 'keys', namespace: 'prod', data: { a: 'aGk=', b: btoa('h\u00c3\u00a9') } },
  ]);
  expect(passedOver.size).toBe(0);
});

test('a UID depends on kind, namespace and name, and on nothing else in the manifest', () => {
  const uid = (text: string): string | undefined =>
    loadManifest([{ file: 'pod.yaml', text }]).pods[0]?.pod.metadata.uid;
  expect(uid(SMALL)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(uid(SMALL.replace('app:1', 'app:2'))).toBe(uid(SMALL));
  expect(uid(SMALL.replace('name: web', 'name: wab'))).not.toBe(uid(SMALL));
});

test('the same pod twice has two UIDs', () => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: `${SMALL}---\n${SMALL}` }]);
  expect(new Set(pods.map(({ pod }) => pod.metadata.uid)).size).toBe(2);
});

test('a pod beside a broken document is still loaded', () => {
  const text = `a: [\n---\n${SMALL}---\n- b\n`;
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(pods).toHaveLength(1);
  expect(diagnostics.map(({ line, severity }) => [line, severity])).toEqual([
    [1, 'error'],
    [14, 'error'],
  ]);
});

test('a pod that the API server would refuse is loaded when nobody asks for validation', () => {
  const text = SMALL.replace('port: 8080', 'port: 0').replace('periodSeconds', 'perid');
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }], { validate: false });
  expect(pods[0]?.pod.spec.containers[0]?.livenessProbe?.httpGet?.port).toBe(0);
  expect(diagnostics.map(({ severity, field }) => [severity, field])).toEqual([
    ['warning', 'spec.containers[0].livenessProbe.perid'],
  ]);
});

test('a pod that ends a kubelet is refused also when nobody asks for validation', () => {
  const text = SMALL.replace(/periodSeconds: \d+/, 'periodSeconds: -1');
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }], { validate: false });
  expect(pods).toEqual([]);
  expect(diagnostics.map(({ severity, field }) => [severity, field])).toEqual([
    ['error', 'spec.containers[0].livenessProbe.periodSeconds'],
  ]);
});

test('files are read in order, and each keeps its own lines', () => {
  const { pods, diagnostics } = loadManifest([
    { file: 'a.yaml', text: SMALL },
    { file: 'b.yaml', text: SMALL.replace('image: ', 'imag: ') },
  ]);
  expect(pods.map(({ source }) => source.file)).toEqual(['a.yaml']);
  expect(diagnostics.map(({ file, line }) => `${file}:${line}`)).toEqual(['b.yaml:6', 'b.yaml:7']);
});

test('a megabyte of documents without a pod is passed over', () => {
  const document =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nproperties:\n  field:\n    type: string\n    description: text\n';
  const text = `${document}---\n`.repeat(8000) + SMALL;
  const { passedOver } = loadManifest([{ file: 'crds.yaml', text }]);
  expect(passedOver.get('CustomResourceDefinition')).toBe(8000);
});
