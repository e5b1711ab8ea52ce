import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startKprobe } from '../container/kprobe.js';
import { kprobe } from '../helpers/kprobe.js';
import { Fleet } from '../helpers/servers/fleet.js';
import { apply, createNamespace, kubeconfig, kubectl } from './kubectl.js';

/** Attempts of our own at pods of a real kubelet: the same verdicts and texts as the kubelet's. */

const NAMESPACE = `attempts-${process.pid}`;
const PORT = 21_320;
const PASSWORD = 'hunter2-of-the-test';

const SERVE = `mkdir -p /tmp/w; echo ok > /tmp/w/healthz; exec httpd -f -p 127.0.0.1:${PORT} -h /tmp/w`;

function container(name: string, script: string, probe: object): object {
  const readinessProbe = { timeoutSeconds: 10, ...probe };
  const command = ['sh', '-c', script];
  const env = [{ name: 'DB_PASSWORD', value: PASSWORD }];
  return { name, image: 'local/box:1', imagePullPolicy: 'Never', command, env, readinessProbe };
}

/** Servers of the test itself: the pod is on this machine's network. */
const fleet = new Fleet();
await fleet.reserve('tls', { mode: 'http' });
await fleet.reserve('grpc', { mode: 'grpc' });
const [tls, grpc] = [fleet.server('tls'), fleet.server('grpc')];
const routes = { '/healthz': { body: 'ok' } };
tls.spec = { mode: 'http', tls: { cert: 'selfSigned' }, routes };
grpc.spec = { mode: 'grpc', grpc: { services: { db: 'NOT_SERVING' } } };

const http = (path: string): object => ({ httpGet: { path, port: PORT, host: '127.0.0.1' } });
const IDLE = 'exec sleep 10000';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    hostNetwork: true,
    terminationGracePeriodSeconds: 1,
    containers: [
      container('served', SERVE, http('/healthz')),
      container('missing', IDLE, http('/nothing')),
      container('refused', IDLE, { tcpSocket: { port: PORT + 1, host: '127.0.0.1' } }),
      container('command', IDLE, { exec: { command: ['sh', '-c', 'echo no; exit 3'] } }),
      container('secure', IDLE, {
        httpGet: { path: '/healthz', scheme: 'HTTPS', port: tls.port, host: '127.0.0.1' },
      }),
      container('grpc', IDLE, { grpc: { port: grpc.port } }),
      container('not-serving', IDLE, { grpc: { port: grpc.port, service: 'db' } }),
      container('hangs', IDLE, { exec: { command: ['sleep', '30'] }, timeoutSeconds: 1 }),
    ],
  },
};

const FLAGS = ['-n', NAMESPACE, '--kubeconfig', kubeconfig()];

beforeAll(() => {
  createNamespace(NAMESPACE);
  apply(NAMESPACE, [POD]);
  kubectl([
    'wait',
    '--for=jsonpath={.status.phase}=Running',
    'pod/web',
    '-n',
    NAMESPACE,
    '--timeout=170s',
  ]);
});

afterAll(async () => {
  await fleet.close();
  kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
});

describe('kprobe once --kube', () => {
  it.each([
    ['served', 0, 'success', 'port-forward', 'ok\n'],
    ['missing', 1, 'failure', 'port-forward', 'HTTP probe failed with statuscode: 404'],
    [
      'refused',
      1,
      'failure',
      'port-forward',
      `dial tcp 127.0.0.1:${PORT + 1}: connect: connection refused`,
    ],
    ['secure', 0, 'success', 'port-forward', 'ok'],
    ['grpc', 0, 'success', 'port-forward', 'service healthy'],
    [
      'not-serving',
      1,
      'failure',
      'port-forward',
      'service unhealthy (responded with "NOT_SERVING")',
    ],
    ['command', 1, 'failure', 'exec', 'no\n'],
    ['hangs', 1, 'failure', 'exec', 'command timed out: "sleep 30" timed out after 1s'],
  ])('judges %s as the kubelet does', async (name, code, result, via, output) => {
    const words = ['once', '--kube', 'pod/web', '-c', name, '-o', 'json'];
    const end = await kprobe([...words, ...FLAGS]);
    expect(JSON.parse(end.stdout)).toMatchObject({ result, via, output });
    expect(end.code).toBe(code);
  });
});

describe('kprobe run --kube', () => {
  it("shows the decisions of the cluster's kubelet beside its own", async () => {
    const run = startKprobe(['run', '--kube', 'pod/web', '--plain', ...FLAGS]);
    const refusal = `Readiness probe failed: dial tcp 127.0.0.1:${PORT + 1}: connect: connection refused`;
    const both = (names: readonly string[], text: string): readonly RegExp[] =>
      names.flatMap((name) =>
        ['web', 'web@cluster'].map((pod) => new RegExp(`${pod}/${name} +${text}`)),
      );
    for (const pattern of [
      ...both(['refused'], `Warning +Unhealthy +${refusal}`),
      ...both(['not-serving'], 'Warning +Unhealthy +.*"NOT_SERVING"'),
      ...both(['served', 'secure', 'grpc'], 'Status +State +running, started, ready'),
    ]) {
      await run.until(pattern, 100_000);
    }
    await run.end();
  });

  it('masks the secrets of the pod on both sides', async () => {
    const run = startKprobe(['run', '--kube', 'pod/web', '-o', 'json', ...FLAGS]);
    const pod = (name: string): RegExp => new RegExp(`"pod":"${NAMESPACE}/${name}".*DB_PASSWORD`);
    for (const name of ['web', 'web@cluster']) await run.until(pod(name));
    await run.end();
    expect(run.output).not.toContain(PASSWORD);
  });

  it('ends when the pod goes', async () => {
    const run = startKprobe(['run', '--kube', 'pod/web', '--plain', '--for', '170s', ...FLAGS]);
    await run.until(/web\/served +Status +State +running/);
    kubectl(['delete', 'pod', 'web', '-n', NAMESPACE, '--wait=false']);
    expect(await run.exitCode).toBe(3);
    expect(run.output).toContain(`${NAMESPACE}/web is gone from the cluster (exit code 3)\n`);
  });
});
