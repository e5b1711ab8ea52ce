import { expect, it } from 'vitest';

import { rewrittenProbes } from '../../src/diagnosis/rewritten-probes.js';
import { buildPod, buildProbe } from '../helpers/builders.js';

const rewritten = (kind: string) =>
  buildProbe({ httpGet: { path: `/app-health/app/${kind}`, port: 15020 } });
const podWith = (value: string) =>
  buildPod({
    spec: {
      containers: [
        {
          name: 'app',
          image: 'app:1',
          readinessProbe: rewritten('readyz'),
          livenessProbe: rewritten('livez'),
        },
        {
          name: 'istio-proxy',
          image: 'proxyv2:1',
          env: [{ name: 'ISTIO_KUBE_APP_PROBERS', value }],
        },
      ],
    },
  });

it('gives the original of each probe that Istio has rewritten', () => {
  const value = JSON.stringify({
    '/app-health/app/readyz': {
      httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' },
      timeoutSeconds: 3,
    },
    '/app-health/app/livez': { tcpSocket: { port: 8080 } },
    '/app-health/app/prestopz': { httpGet: { path: '/stop', port: 8080 } },
  });
  expect(rewrittenProbes(podWith(value))).toEqual({
    probes: [
      {
        container: 'app',
        type: 'readiness',
        original: { httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' }, timeoutSeconds: 3 },
        rewritten: rewritten('readyz'),
      },
      {
        container: 'app',
        type: 'liveness',
        original: { tcpSocket: { port: 8080 } },
        rewritten: rewritten('livez'),
      },
    ],
    problems: [],
  });
});

it.each([
  ['no JSON', '{"/app-health', 'ISTIO_KUBE_APP_PROBERS is not a JSON object'],
  ['a list', '[]', 'ISTIO_KUBE_APP_PROBERS is not a JSON object'],
  [
    'a probe of another container',
    '{"/app-health/db/livez":{}}',
    'ISTIO_KUBE_APP_PROBERS: /app-health/db/livez is about no probe of this pod',
  ],
  [
    'an unknown path',
    '{"/health":3}',
    'ISTIO_KUBE_APP_PROBERS: /health is about no probe of this pod',
  ],
])('says what it cannot read: %s', (_, value, problem) => {
  expect(rewrittenProbes(podWith(value))).toEqual({ probes: [], problems: [problem] });
});

it('finds nothing in a pod without a mesh', () => {
  expect(rewrittenProbes(buildPod())).toEqual({ probes: [], problems: [] });
});
