import { expect, test } from 'vitest';

import { setDefaultsPod, setDefaultsPodSpec } from '../../../src/api/defaults/pod.js';
import type { Decoded } from '../../../src/api/schema/schema.js';
import type * as v1 from '../../../src/api/schema/types.js';

function defaulted(spec: Decoded<v1.PodSpec>): Decoded<v1.PodSpec> {
  return setDefaultsPod(setDefaultsPodSpec(spec));
}

test('missing requests are copied from limits', () => {
  const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } };
  const { containers } = defaulted({ containers: [{ name: 'a', resources }] });
  expect(containers?.[0]?.resources?.requests).toEqual({ cpu: '500m', memory: '1Gi' });
});

test('a pod template gets no requests and no host ports, a pod does', () => {
  const spec = {
    hostNetwork: true,
    containers: [{ resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] }],
  };
  const [container] = setDefaultsPodSpec(spec).containers ?? [];
  expect(container?.resources?.requests).toBeUndefined();
  expect(container?.ports?.[0]?.hostPort).toBeUndefined();
  expect(defaulted(spec).containers?.[0]?.ports?.[0]?.hostPort).toBe(80);
});

test.each([
  [undefined, 30],
  [0, 0],
  [-5, 1],
])('a grace period of %s becomes %s', (seconds, result) => {
  expect(defaulted({ terminationGracePeriodSeconds: seconds }).terminationGracePeriodSeconds).toBe(
    result,
  );
});

test('a volume without a source is an emptyDir, and files get their modes', () => {
  const volumes = [
    { name: 'a' },
    { name: 'b', secret: { secretName: 's' } },
    { name: 'c', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    {
      name: 'd',
      downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] },
    },
    { name: 'e', hostPath: { path: '/x' } },
  ];
  expect(defaulted({ volumes }).volumes).toEqual([
    { name: 'a', emptyDir: {} },
    { name: 'b', secret: { secretName: 's', defaultMode: 420 } },
    {
      name: 'c',
      projected: {
        defaultMode: 420,
        sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }],
      },
    },
    {
      name: 'd',
      downwardAPI: {
        defaultMode: 420,
        items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
      },
    },
    { name: 'e', hostPath: { path: '/x', type: '' } },
  ]);
});

test('a pod with its own limits gets requests from its containers', () => {
  const spec = {
    resources: { limits: { cpu: '4', memory: '1Gi' } },
    containers: [
      { resources: { requests: { cpu: '500m' } } },
      { resources: { requests: { cpu: '1' } } },
    ],
    initContainers: [{ resources: { requests: { cpu: '2' } } }],
  };
  expect(defaulted(spec).resources?.requests).toEqual({ cpu: '2', memory: '1Gi' });
});
