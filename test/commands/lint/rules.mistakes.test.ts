import { expect, it } from 'vitest';

import { lint } from '../../helpers/lint.js';

const SERVICE = `---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, nodePort: 30080, targetPort: 8080}]}
`;
const AWS = 'service.beta.kubernetes.io/aws-load-balancer';
const annotated = (annotation: string): string =>
  SERVICE.replace('{name: web}', `{name: web, annotations: {${annotation}}}`);
const INGRESS = (annotation: string): string => `${SERVICE}---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, annotations: {${annotation}}}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`;
const BACKEND_CONFIG = `${annotated(`cloud.google.com/backend-config: '{"default": "slow"}'`)}---
apiVersion: cloud.google.com/v1
kind: BackendConfig
metadata: {name: slow}
spec: {timeoutSec: 3, connectionDraining: {drainingTimeoutSec: 60}}
`;
const SIDECAR = '  - {name: proxy, image: example.com/proxy:1, args: [--http-port=4180]}\n';
const READY = (probe: string): string => `    readinessProbe: {${probe}}\n`;
const LIVE = (probe: string): string => `    startupProbe: {tcpSocket: {port: 8080}}
    livenessProbe: {${probe}}\n`;
const HOOK = (seconds: number): string =>
  `    lifecycle: {preStop: {exec: {command: [sleep, '${seconds}']}}}\n`;
const OK = READY('httpGet: {path: /readyz, port: 8080}');

/** Returns the rules with warnings of a pod, whose container declares 8080, and of what is beside it. */
async function rulesFor(container: string, others: string): Promise<readonly string[]> {
  const text = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - name: app
    image: example.com/web:1.4
    ports: [{containerPort: 8080, hostPort: 8443}]
${container}${others}`;
  const [file] = await lint([{ file: 'web.yaml', text }]);
  return (file?.advice ?? []).map(({ rule = '' }) => rule);
}

it.each([
  [
    'readiness on a port that only a sidecar opens',
    READY('tcpSocket: {port: 4180}'),
    SIDECAR,
    'port-of-another-container',
  ],
  [
    'liveness on a port that only a sidecar opens',
    OK + LIVE('httpGet: {port: 4180}'),
    SIDECAR,
    'port-of-another-container',
  ],
  [
    'readiness on the port of the Service',
    READY('httpGet: {port: 80}'),
    SERVICE,
    'service-port-in-probe',
  ],
  [
    'liveness on the port of the node',
    OK + LIVE('tcpSocket: {port: 30080}'),
    SERVICE,
    'service-port-in-probe',
  ],
  ['readiness on the host port', READY('grpc: {port: 8443}'), SERVICE, 'service-port-in-probe'],
  [
    "liveness on Patroni's leader",
    OK + LIVE('httpGet: {path: /leader, port: 8080}'),
    SERVICE,
    'liveness-on-leader',
  ],
  [
    "liveness on Patroni's primary by curl",
    OK + LIVE("exec: {command: [curl, -f, 'http://localhost:8008/primary']}"),
    SERVICE,
    'liveness-on-leader',
  ],
  [
    'liveness on the active Vault',
    OK + LIVE("httpGet: {path: '/v1/sys/health?sealedcode=200', port: 8080}"),
    SERVICE,
    'liveness-on-leader',
  ],
  [
    'a drain by a target group that outlasts the pod',
    OK,
    annotated(`${AWS}-target-group-attributes: deregistration_delay.timeout_seconds=300`),
    'drain-mismatch',
  ],
  [
    'a drain by a classic load balancer that outlasts the pod',
    OK,
    annotated(`${AWS}-connection-draining-timeout: '60'`),
    'drain-mismatch',
  ],
  [
    'a drain by an Ingress that outlasts the pod',
    OK,
    INGRESS(
      'alb.ingress.kubernetes.io/target-group-attributes: "a=b,deregistration_delay.timeout_seconds=90"',
    ),
    'drain-mismatch',
  ],
  ['a drain by a BackendConfig that outlasts the pod', OK, BACKEND_CONFIG, 'drain-mismatch'],
  [
    'a preStop hook that outlasts the drain',
    OK + HOOK(20),
    annotated(`${AWS}-connection-draining-timeout: '5'`),
    'drain-mismatch',
  ],
  [
    "a timeout above ingress-nginx's",
    READY('timeoutSeconds: 9, httpGet: {port: 8080}'),
    INGRESS("nginx.ingress.kubernetes.io/proxy-read-timeout: '5'"),
    'timeout-above-load-balancer',
  ],
  [
    "a timeout above a BackendConfig's",
    READY('timeoutSeconds: 9, httpGet: {port: 8080}'),
    BACKEND_CONFIG,
    'timeout-above-load-balancer',
  ],
  [
    "a timeout above the idle timeout of AWS's",
    READY('timeoutSeconds: 9, httpGet: {port: 8080}'),
    INGRESS('alb.ingress.kubernetes.io/load-balancer-attributes: idle_timeout.timeout_seconds=4'),
    'timeout-above-load-balancer',
  ],
  [
    'a timeout above that of a health check',
    READY('timeoutSeconds: 9, httpGet: {port: 8080}'),
    annotated(`${AWS}-healthcheck-timeout: '4'`),
    'timeout-above-load-balancer',
  ],
])('%s is a finding', async (_, container, others, rule) => {
  expect(await rulesFor(container, others)).toContain(rule);
});

it.each([
  [
    'a port that the container itself opens by a flag',
    `    args: [--probe-port=4180]\n${READY('tcpSocket: {port: 4180}')}`,
    SIDECAR,
  ],
  [
    'a port of the Service that the container gets in its environment',
    `    env: [{name: PORT, value: '80'}]\n${READY('httpGet: {port: 80}')}`,
    SERVICE,
  ],
  ["readiness on Patroni's leader", READY('httpGet: {path: /leader, port: 8080}'), SERVICE],
  [
    'liveness on Vault that counts standbys',
    OK + LIVE("httpGet: {path: '/v1/sys/health?standbyok=true', port: 8080}"),
    SERVICE,
  ],
  [
    'a drain as long as the grace period',
    OK + HOOK(20),
    annotated(`${AWS}-connection-draining-timeout: '30'`),
  ],
  [
    "a timeout of the load balancer's",
    READY('timeoutSeconds: 5, httpGet: {port: 8080}'),
    INGRESS("nginx.ingress.kubernetes.io/proxy-read-timeout: '5'"),
  ],
  [
    'a load balancer of another Service',
    OK,
    INGRESS(
      'alb.ingress.kubernetes.io/target-group-attributes: deregistration_delay.timeout_seconds=90',
    ).replace('service: {name: web', 'service: {name: shop'),
  ],
])('%s is none', async (_, container, others) => {
  expect(await rulesFor(container, others)).toEqual([]);
});
