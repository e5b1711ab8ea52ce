import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Kprobe, startKprobe } from '../container/kprobe.js';
import { kprobe } from '../helpers/kprobe.js';
import { apply, clusterFolder, createNamespace, kubeconfig, kubectl } from './kubectl.js';

const NAMESPACE = `faults-${process.pid}`;
const CLUSTER = resolve(import.meta.dirname, '../../.ci/cluster');
const PORT = 21480;

const running = new Set<Kprobe>();

beforeAll(() => createNamespace(NAMESPACE));

afterAll(async () => {
  await Promise.all([...running].map((one) => one.end()));
  kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
});

/** A pod that serves a page, and whose readiness and liveness depend on it. */
function webPod(name: string, port: number, more: Record<string, unknown> = {}) {
  const httpGet = { host: '127.0.0.1', port, path: '/index.html' };
  const script = `trap "exit 143" TERM; mkdir -p /tmp/www; echo ok >/tmp/www/index.html
    httpd -p 127.0.0.1:${port} -h /tmp/www; sleep 3600 & wait`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      hostNetwork: true,
      terminationGracePeriodSeconds: 2,
      ...more,
      containers: [
        {
          name: 'app',
          image: 'local/box:1',
          imagePullPolicy: 'Never',
          command: ['sh', '-c', script],
          readinessProbe: { httpGet, initialDelaySeconds: 1, periodSeconds: 2 },
          livenessProbe: { httpGet, initialDelaySeconds: 1, periodSeconds: 3 },
        },
      ],
    },
  };
}

/** A pod on a node without a kubelet: the test writes its status. */
function fakePod(name: string) {
  const { spec, ...pod } = webPod(name, PORT);
  return { ...pod, spec: { ...spec, nodeName: 'nowhere', tolerations: [{ operator: 'Exists' }] } };
}

function watch(...args: readonly string[]): Kprobe {
  const flags = ['--kubeconfig', kubeconfig(), '-n', NAMESPACE, '--plain'];
  const one = startKprobe(['watch', ...args, ...flags]);
  running.add(one);
  return one;
}

function startWeb(name: string, port = PORT): void {
  apply(NAMESPACE, [webPod(name, port)]);
  kubectl(['wait', '--for=condition=Ready', `pod/${name}`, '-n', NAMESPACE, '--timeout=170s']);
}

const breakWeb = (name: string): string =>
  kubectl(['exec', '-n', NAMESPACE, name, '--', 'rm', '/tmp/www/index.html']);
const remove = (name: string, ...args: readonly string[]): string =>
  kubectl(['delete', 'pod', name, '-n', NAMESPACE, ...args]);
const program = (command: 'kill' | 'start', name: string): Buffer =>
  execFileSync(CLUSTER, [command, clusterFolder(), name]);

/** The event of a start may come after the status that shows it. */
const STARTED_AGAIN = /Killing[^]*Container started/;

/** Lines that a pod's run prints once. */
function times(output: string, text: string): number {
  return output.split('\n').filter((line) => line.includes(text)).length;
}

describe('a server that goes away', () => {
  it('is named, and what happened meanwhile is shown once when it is back', async () => {
    startWeb('server');
    const kprobe = watch('pod/server');
    await kprobe.until(/Ready +True/);
    program('kill', 'apiserver');
    await kprobe.until(/Cluster +Down .*cannot be reached.*trying again/);
    program('start', 'apiserver');
    await kprobe.until(/Cluster +Up .*is back/);
    breakWeb('server');
    await kprobe.until(/Killing .*failed liveness probe/);
    await kprobe.until(/restarts 1/);
    await kprobe.until(STARTED_AGAIN);
    await kprobe.end();
    expect(times(kprobe.output, 'Killing')).toBe(1);
    const [, afterKill = ''] = kprobe.output.split('Killing');
    expect(times(afterKill, 'Container started')).toBe(1);
    remove('server', '--wait=false');
  });

  it('may have forgotten the version that was seen last', async () => {
    startWeb('compacted', PORT + 1);
    const kprobe = watch('pod/compacted');
    await kprobe.until(/Ready +True/);
    const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
    const listed = JSON.parse(kubectl(['get', '--raw', pods])) as { metadata: object };
    const { resourceVersion } = listed.metadata as { resourceVersion: string };
    program('kill', 'apiserver');
    await kprobe.until(/Cluster +Down /);
    await compact();
    program('start', 'apiserver');
    await kprobe.until(/Cluster +Up .*is back/);
    // A watch from the version that kprobe had is refused: it has listed again.
    const from = `resourceVersion=${resourceVersion}&watch=1&timeoutSeconds=5`;
    expect(kubectl(['get', '--raw', `${pods}?${from}`])).toContain('"code":410');
    breakWeb('compacted');
    await kprobe.until(/restarts 1/);
    await kprobe.until(STARTED_AGAIN);
    await kprobe.end();
    expect(times(kprobe.output, 'Scheduled')).toBeLessThanOrEqual(1);
    const [, afterKill = ''] = kprobe.output.split('Killing');
    expect(times(afterKill, 'Container started')).toBe(1);
    remove('compacted', '--wait=false');
  });
});

/** Makes etcd forget all earlier versions; its gateway speaks JSON. */
async function compact(): Promise<void> {
  const script = readFileSync(join(clusterFolder(), 'apiserver.sh'), 'utf8');
  const etcd = /--etcd-servers (\S+)/.exec(script)?.[1];
  const post = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
    const answer = await fetch(`${etcd}/v3/kv/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { header: { revision: string } };
  };
  // The version that a watch has is to be older than the oldest that is left.
  for (let n = 0; n < 3; n++) await post('put', { key: 'a3Byb2Jl', value: 'AA==' });
  const { header } = await post('range', { key: 'AA==' });
  await post('compaction', { revision: header.revision, physical: true });
}

describe('a kubelet that stands still', () => {
  it('is named when its node is no longer ready, and followed again', async () => {
    startWeb('paused', PORT + 2);
    const kprobe = watch('pod/paused', '-v');
    await kprobe.until(/Ready +True/);
    const kubelet = Number(readFileSync(join(clusterFolder(), 'kubelet.pid'), 'utf8'));
    process.kill(kubelet, 'SIGSTOP');
    try {
      await Promise.all([sleep(60_000), kprobe.until(/ode is not ready/)]);
      await kprobe.until(/expected reports from the kubelet of node/);
    } finally {
      process.kill(kubelet, 'SIGCONT');
    }
    breakWeb('paused');
    await kprobe.until(/Killing .*failed liveness probe/);
    await kprobe.end();
    remove('paused', '--wait=false');
  });
});

describe('a pod that goes', () => {
  it('is said to be deleted, and then gone', async () => {
    startWeb('deleted', PORT + 3);
    const kprobe = watch('pod/deleted');
    await kprobe.until(/Ready +True/);
    remove('deleted', '--wait=false');
    await kprobe.until(/delete +the pod's delete was requested/);
    await kprobe.until(/Killing +Stopping container app/);
    await kprobe.until(/gone +the pod is no longer in the cluster/);
    await kprobe.end();
  });

  it('is gone at once when it is deleted by force, and another one of its name is a new pod', async () => {
    startWeb('forced', PORT + 4);
    const kprobe = watch('pod/forced');
    await kprobe.until(/Ready +True/);
    remove('forced', '--force', '--grace-period=0');
    await kprobe.until(/gone +the pod is no longer in the cluster/);
    const before = kprobe.output.length;
    // The first one's server may go on for a moment.
    startWeb('forced', PORT + 5);
    await kprobe.until(/gone[^]*Ready +True/);
    await kprobe.end();
    expect(kprobe.output.slice(before)).not.toMatch(/restarts [1-9]/);
    remove('forced', '--wait=false');
  });

  it('is evicted', async () => {
    apply(NAMESPACE, [fakePod('evicted')]);
    const kprobe = watch('pod/evicted');
    await kprobe.until(/Pending/);
    const status = {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: memory.',
    };
    const patch = ['patch', 'pod', 'evicted', '-n', NAMESPACE, '--subresource=status'];
    kubectl([...patch, '-p', JSON.stringify({ status })]);
    await kprobe.until(/Evicted/);
    await kprobe.end();
    remove('evicted', '--force', '--grace-period=0');
  });
});

describe('rights', () => {
  const SLICES = 'endpointslices.discovery.k8s.io';
  const ALL = ['pods', 'events', 'deployments.apps', 'replicasets.apps', SLICES];
  const folder = mkdtempSync(join(tmpdir(), 'rights-'));
  const config = join(folder, 'kubeconfig');

  beforeAll(() => {
    kubectl(['create', 'serviceaccount', 'bob', '-n', NAMESPACE]);
    const token = kubectl(['create', 'token', 'bob', '-n', NAMESPACE, '--duration=10m']);
    writeKubeconfig(token.trim());
    const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } } };
    const { spec: template } = fakePod('web');
    const metadata = { labels: { app: 'web' } };
    const deployment = { ...spec, template: { metadata, spec: template } };
    apply(NAMESPACE, [
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: deployment },
    ]);
  });

  beforeEach(() => {
    kubectl(['delete', 'role,rolebinding', '-n', NAMESPACE, '--all']);
  });

  function writeKubeconfig(token: string): void {
    const { cluster } = (
      JSON.parse(kubectl(['config', 'view', '--raw', '-o', 'json'])) as {
        clusters: readonly { cluster: unknown }[];
      }
    ).clusters[0]!;
    const written = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'bob',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'bob', user: { token } }],
      contexts: [{ name: 'bob', context: { cluster: 'c', user: 'bob', namespace: NAMESPACE } }],
    };
    writeFileSync(config, JSON.stringify(written));
  }

  /** The API server hears of roles a moment after they are made. */
  const mayList = (resource: string): string => {
    const bob = `--as=system:serviceaccount:${NAMESPACE}:bob`;
    try {
      return kubectl(['auth', 'can-i', 'list', resource, '-n', NAMESPACE, bob]).trim();
    } catch {
      return 'no';
    }
  };

  async function grant(resources: readonly string[]): Promise<void> {
    const verbs = '--verb=get,list,watch';
    const all = `--resource=${resources.join(',')}`;
    kubectl(['create', 'role', 'r', '-n', NAMESPACE, verbs, all]);
    const subject = `--serviceaccount=${NAMESPACE}:bob`;
    kubectl(['create', 'rolebinding', 'r', '-n', NAMESPACE, '--role=r', subject]);
    for (const resource of ALL) {
      const expected = resources.includes(resource) ? 'yes' : 'no';
      await expect.poll(() => mayList(resource)).toBe(expected);
    }
  }

  const watchAsBob = () =>
    kprobe(['watch', 'deploy/web', '--kubeconfig', config, '--plain', '--for', '2s']);

  it.each(['pods', 'deployments.apps'])('%s denied: exit code 2 and the rule', async (resource) => {
    await grant(ALL.filter((one) => one !== resource));
    const { code, stderr } = await watchAsBob();
    expect(stderr).toContain(`may not list ${resource} in namespace "${NAMESPACE}"`);
    expect(stderr).toContain(`resources: ["${resource.split('.')[0]}"]`);
    expect(code).toBe(2);
  });

  it.each(['events', 'replicasets.apps', SLICES])(
    '%s denied: it goes on without',
    async (resource) => {
      await grant(ALL.filter((one) => one !== resource));
      const { stdout, stderr } = await watchAsBob();
      expect(stdout + stderr).toContain(`may not list ${resource} in namespace "${NAMESPACE}"`);
      expect(stdout).toMatch(/readiness +http 127\.0\.0\.1/);
    },
  );

  it('all granted: nodes alone are denied, which is said once', async () => {
    await grant(ALL);
    const { stdout } = await watchAsBob();
    expect(stdout).not.toContain('may not list');
    expect(times(stdout, 'may not get')).toBeLessThanOrEqual(1);
  });

  it('a token that is not valid is said to be, and not shown', async () => {
    writeKubeconfig('wrong-token');
    const { code, stderr } = await watchAsBob();
    expect(stderr).toContain('the credentials are missing, wrong or expired');
    expect(stderr).not.toContain('wrong-token');
    expect(code).toBe(2);
  });
});

it('a watch shows all of 500 pods', async () => {
  const namespace = `${NAMESPACE}-many`;
  createNamespace(namespace);
  try {
    apply(
      namespace,
      Array.from({ length: 500 }, (_, n) => fakePod(`pod-${n}`)),
    );
    const args = ['--kubeconfig', kubeconfig(), '-n', namespace, '--plain', '--for', '1s'];
    const { stdout } = await kprobe(['watch', ...args]);
    const shown = new Set(stdout.match(/pod-\d+(?=\/app)/g));
    expect(shown.size).toBe(500);
  } finally {
    // One request: kubectl itself deletes five a second.
    kubectl(['delete', '--raw', `/api/v1/namespaces/${namespace}/pods?gracePeriodSeconds=0`]);
    kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
});
