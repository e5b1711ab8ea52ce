import { expect, test } from 'vitest';

import { loadManifest } from '../../src/manifest/load-manifest.js';

const POD = `apiVersion: v1
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

test('a pod with one probe is loaded with the defaults of the API', () => {
  const { pods, diagnostics } = loadManifest([{ file: 'pod.yaml', text: POD }]);
  expect(diagnostics).toEqual([]);
  expect(pods[0]?.pod.spec).toMatchObject({
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
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

test('a field of a loaded pod has a position in its file', () => {
  const { pods } = loadManifest([{ file: 'pod.yaml', text: POD }]);
  const position = pods[0]?.positions('spec.containers[0].livenessProbe.httpGet.port');
  expect(position).toEqual({ line: 9, column: 23 });
});
