import { expect, it } from 'vitest';

import { rewrittenProbes } from '../../../src/cluster/observe/divergence.js';

const probe = (kind: string) => ({ httpGet: { path: `/app-health/app/${kind}`, port: 15020 } });
const podWith = (value: string) => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1' },
  spec: {
    containers: [{ name: 'app', readinessProbe: probe('readyz'), livenessProbe: probe('livez') }],
    initContainers: [{ name: 'istio-proxy', env: [{ name: 'ISTIO_KUBE_APP_PROBERS', value }] }],
  },
});

it('shows the original and the rewritten probe', () => {
  const value = JSON.stringify({
    '/app-health/app/readyz': { httpGet: { path: '/ready', port: 8080 } },
    '/app-health/app/livez': { tcpSocket: { port: 8080 } },
  });
  expect(rewrittenProbes(podWith(value))).toEqual([
    'Istio rewrites the readiness probe of app: the kubelet asks http :15020/app-health/app/readyz, and the sidecar then asks http :8080/ready',
    'Istio rewrites the liveness probe of app: the kubelet asks http :15020/app-health/app/livez, and the sidecar then asks tcp :8080',
  ]);
});

it.each([
  ['{"/app-health', /^the value of ISTIO_KUBE_APP_PROBERS cannot be read/],
  ['[]', /^the value of ISTIO_KUBE_APP_PROBERS cannot be read/],
  [
    '{"/app-health/app/livez":{"udp":3}}',
    /then asks something that kprobe cannot read: \{"udp":3\}$/,
  ],
])('says what it cannot read: %s', (value, text) => {
  expect(rewrittenProbes(podWith(value))).toEqual([expect.stringMatching(text)]);
});
