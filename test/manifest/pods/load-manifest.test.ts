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

test('a pod gets the API defaults', () => {
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

test('defaulted has fields that a default sets or changes, but not written ones', () => {
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
])('the position of %s is where it is written, or that of its parent', (path, position) => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: SMALL }]);
  expect(pods[0]?.positions(path)).toEqual(position);
});

test("the position of a templated pod's field is in the template", () => {
  const { pods } = load('workloads.yaml');
  expect(pods[0]?.positions('spec.containers[0].image')).toEqual({ line: 10, column: 44 });
});

test('every workload gives one pod with a stable name', () => {
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

test('a workload with replicas gives one pod, and the source has their number', () => {
  expect(load('workloads.yaml').pods[0]?.source).toMatchObject({ replicas: 3, name: 'shop' });
});

test('a templated pod gets what its controller adds', () => {
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

test('a StatefulSet pod has its claims as volumes', () => {
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
  ['the default is "default"', '', 'default'],
  ['a given one is kept', 'serviceAccountName: bot', 'bot'],
  ['the deprecated serviceAccount field is used', 'serviceAccount: bot', 'bot'],
])('service account: %s, and its token can be projected', (_, line, expected) => {
  const text = `${SMALL}  volumes: [${TOKEN}]\n${line && `  ${line}\n`}`;
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(pods[0]?.pod.spec.serviceAccountName).toBe(expected);
});

test('other kinds are counted but not loaded', () => {
  expect([...load('workloads.yaml').passedOver]).toEqual([
    ['Service', 1],
    ['Rollout', 1],
  ]);
});

test('ConfigMaps and Secrets are loaded, with stringData in base64', () => {
  const { configMaps, secrets, passedOver } = load('web-pod.yaml');
  expect(configMaps).toEqual([
    { name: 'settings', namespace: 'default', data: { mode: 'fast' }, binaryData: {} },
  ]);
  expect(secrets).toEqual([
    { name: 'keys', namespace: 'prod', data: { a: 'aGk=', b: btoa('h\u00c3\u00a9') } },
  ]);
  expect(passedOver.size).toBe(0);
});

test('stringData may be as long as the API server allows', () => {
  const long = 'x'.repeat(1_000_000);
  const text = `apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: {a: ${long}}\n`;
  const { secrets } = loadManifest([{ file: 'secret.yaml', text }]);
  expect(secrets[0]?.data['a']).toBe(btoa(long));
});

test('a UID depends only on kind, namespace and name', () => {
  const uid = (text: string): string | undefined =>
    loadManifest([{ file: 'pod.yaml', text }]).pods[0]?.pod.metadata.uid;
  expect(uid(SMALL)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(uid(SMALL.replace('app:1', 'app:2'))).toBe(uid(SMALL));
  expect(uid(SMALL.replace('name: web', 'name: wab'))).not.toBe(uid(SMALL));
});

test('the same pod given twice has two UIDs', () => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: `${SMALL}---\n${SMALL}` }]);
  expect(new Set(pods.map(({ pod }) => pod.metadata.uid)).size).toBe(2);
});

test('a pod next to a broken document is still loaded', () => {
  const text = `a: [\n---\n${SMALL}---\n- b\n`;
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }]);
  expect(pods).toHaveLength(1);
  expect(diagnostics.map(({ line, severity }) => [line, severity])).toEqual([
    [1, 'error'],
    [14, 'error'],
  ]);
});

test('an invalid pod is loaded without validation', () => {
  const text = SMALL.replace('port: 8080', 'port: 0').replace('periodSeconds', 'perid');
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }], { validate: false });
  expect(pods[0]?.pod.spec.containers[0]?.livenessProbe?.httpGet?.port).toBe(0);
  expect(diagnostics.map(({ severity, field }) => [severity, field])).toEqual([
    ['warning', 'spec.containers[0].livenessProbe.perid'],
  ]);
});

test('a pod that would crash a kubelet is rejected even without validation', () => {
  const text = SMALL.replace(/periodSeconds: \d+/, 'periodSeconds: -1');
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text }], { validate: false });
  expect(pods).toEqual([]);
  expect(diagnostics.map(({ severity, field }) => [severity, field])).toEqual([
    ['error', 'spec.containers[0].livenessProbe.periodSeconds'],
  ]);
});

test('files are read in order and have their own line numbers', () => {
  const { pods, diagnostics } = loadManifest([
    { file: 'a.yaml', text: SMALL },
    { file: 'b.yaml', text: SMALL.replace('image: ', 'imag: ') },
  ]);
  expect(pods.map(({ source }) => source.file)).toEqual(['a.yaml']);
  expect(diagnostics.map(({ file, line }) => `${file}:${line}`)).toEqual(['b.yaml:6', 'b.yaml:7']);
});

test('a megabyte of documents without a pod is skipped', () => {
  const document =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nproperties:\n  field:\n    type: string\n    description: text\n';
  const text = `${document}---\n`.repeat(8000) + SMALL;
  const { passedOver } = loadManifest([{ file: 'crds.yaml', text }]);
  expect(passedOver.get('CustomResourceDefinition')).toBe(8000);
});
