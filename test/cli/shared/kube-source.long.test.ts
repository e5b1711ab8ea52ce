import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type FakeApiServer, fakeApiServer } from '../../helpers/api-server.js';
import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';
import { clusterEvent, clusterPod, startWatchedCluster } from '../../helpers/watched-cluster.js';

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'app', image: 'a:1', livenessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } },
    ],
  },
};

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: '1-2-3',
    resourceVersion: '7',
    managedFields: [{ manager: 'kubectl-create', fieldsV1: {} }],
  },
  spec: { selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
  status: { replicas: 1 },
};

let server: FakeApiServer;
beforeAll(async () => {
  server = await fakeApiServer();
  server.objects.set('/apis/apps/v1/namespaces/shop/deployments/web', WEB);
});
afterAll(() => server.close());

async function run(...words: readonly string[]): Promise<InProcessEnd> {
  // Without --kube, the options of a cluster are refused.
  const flags = words.includes('--kube') ? server.flags : [];
  const end = await inProcess([...words, ...flags], { env: { KUBECONFIG: '/nowhere' } });
  return { ...end, stderr: withoutWait(end.stderr) };
}

/** A slow machine says first what it waits for. */
function withoutWait(stderr: string): string {
  return stderr.replace(/^kprobe: waiting for .*\n/, '');
}

function manifest(change: (text: string) => string = (text) => text): string {
  const { apiVersion, kind, spec } = WEB;
  return change(JSON.stringify({ apiVersion, kind, metadata: { name: 'web' }, spec }));
}

describe('--kube', () => {
  it('explains the pods of an object of a cluster', async () => {
    const { code, stdout } = await run('explain', '--kube', 'deploy/web');
    expect([code, stdout]).toEqual([0, expect.stringContaining('shop/web')]);
  });

  it('names the object and where it is in a finding', async () => {
    const { stdout } = await run('lint', '--kube', 'deployment.apps/web', '--no-config');
    expect(stdout).toMatch(/^deployment\.apps\/web \(http:\/\/127\.0\.0\.1:\d+\):\d+:\d+: /);
  });

  it('simulates the pods of an object of a cluster', async () => {
    const { code, stdout } = await run('simulate', '--kube', 'deploy/web', '--for', '1m');
    expect([code, stdout]).toEqual([0, expect.stringContaining('liveness')]);
  });

  it('says when there is no such object', async () => {
    const missing = await run('explain', '--kube', 'deploy/none');
    expect([missing.code, missing.stderr]).toEqual([2, 'kprobe: namespaces "shop" not found\n']);
    server.objects.set('/api/v1/namespaces/shop', {});
    const { code, stderr } = await run('explain', '--kube', 'deploy/none');
    expect([code, stderr]).toEqual([2, 'kprobe: deployments "none" not found\n']);
  });

  it.each([
    ['deploy', 'kprobe: --kube deploy: write TYPE/NAME, such as pod/web\n'],
    ['spoon/web', expect.stringContaining('unknown resource type "spoon"') as string],
  ])('refuses %s', async (kube, message) => {
    const { code, stderr } = await run('explain', '--kube', kube);
    expect([code, stderr]).toEqual([2, message]);
  });

  it('exits with 3 when the server does not answer', async () => {
    const end = await inProcess(['explain', '--kube', 'pod/web', '-s', 'http://127.0.0.1:1']);
    expect(end.code).toBe(3);
    expect(end.stderr).toContain('http://127.0.0.1:1 cannot be reached: connection refused');
  });

  it('prints the lines of a denial as lines', async () => {
    server.objects.set('/apis/apps/v1/namespaces/shop/deployments/secret', 403);
    const { stderr } = await run('lint', '--kube', 'deploy/secret', '--no-config');
    expect(stderr.trimEnd().split('\n').length).toBeGreaterThan(1);
    expect(stderr).not.toContain(String.raw`\n`);
  });

  it('does not fix what is not a file', async () => {
    const { code, stderr } = await run('lint', '--fix', '--kube', 'deploy/web');
    expect([code, stderr]).toEqual([
      2,
      "kprobe: option '--fix' cannot be used with option '--kube <kind/name>'\n(see kprobe lint --help)\n",
    ]);
  });
});

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: '4-5-6' },
  spec: TEMPLATE.spec,
  status: { phase: 'Running', podIP: '10.1.2.3' },
};
const PODS = '/api/v1/namespaces/shop/pods';

it.each([
  ['', 0, 'kprobe: shop/ready stable after '],
  ['--timeout=2s', 124, 'kprobe: not stable: shop/ready: app could still crash'],
])('kprobe once --kube --until stable %s ends with %i', async (timeout, code, text) => {
  const startedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '');
  const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 1 };
  const app = { name: 'app', ready: true, started: true, restartCount: 0, image: 'a:1' };
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'ready', namespace: 'shop', uid: 'u', resourceVersion: '1' },
    spec: { nodeName: 'n', containers: [{ name: 'app', image: 'a:1', readinessProbe }] },
    status: {
      ...{ phase: 'Running', podIP: '10.1.2.3', startTime: startedAt },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: startedAt }],
      containerStatuses: [
        { ...app, containerID: 'c://1', lastState: {}, state: { running: { startedAt } } },
      ],
    },
  };
  const cluster = await startWatchedCluster({ pods: [pod], ready: pod });
  const words = [
    'once',
    '--kube',
    'pod/ready',
    '--until',
    'stable',
    '--via',
    'proxy',
    '-n',
    'shop',
  ];
  const end = await inProcess([...words, '-s', cluster.url, ...(timeout === '' ? [] : [timeout])]);
  cluster.close();
  expect(end.stderr).toMatch(/stable at the earliest in \d/);
  expect([end.code, end.stderr]).toEqual([code, expect.stringContaining(text)]);
});

const WAITING = { state: { waiting: { reason: 'ContainerCreating' } }, lastState: {} };

it.each([
  [
    'once',
    { podIP: '10.1.2.3', containerStatuses: [{ ...WAITING, name: 'app', ready: false }] },
    3,
    'app does not run, so the kubelet makes no attempts of its probes: the pod waits: the volume c cannot be mounted: configmap "c" not found. Add the ConfigMap c',
  ],
  [
    'run',
    { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    2,
    'pod/web has no address yet: the pod waits: no node takes it',
  ],
])('kprobe %s --kube says why a pod does not run', async (command, status, code, text) => {
  const metadata = { name: 'web', namespace: 'shop', uid: 'uid-web', resourceVersion: '1' };
  const kind = { apiVersion: 'v1', kind: 'Pod' };
  const pod = { ...kind, metadata, spec: TEMPLATE.spec, status: { phase: 'Pending', ...status } };
  const message = 'MountVolume.SetUp failed for volume "c" : configmap "c" not found';
  const events = [clusterEvent('web', 'FailedMount', message)];
  const cluster = await startWatchedCluster({ pods: [pod], events, web: pod });
  const words = [command, '--kube', 'pod/web', '-n', 'shop', '-s', cluster.url];
  const end = await inProcess(words, { env: { KUBECONFIG: '/nowhere' } });
  cluster.close();
  expect([end.code, withoutWait(end.stderr)]).toEqual([
    code,
    expect.stringContaining(`kprobe: ${text}`),
  ]);
});

it.each([
  ['no command', { httpGet: { port: 8080 } }, [], false],
  ['no command to try changes', { httpGet: { port: 8080 } }, ['--try'], false],
  ['the command of an exec probe', { exec: { command: ['true'] } }, [], true],
] as const)('kprobe run --kube runs %s in the container', async (_, handler, flags, isRun) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', ...clusterPod('web-1', { ready: false }) };
  Object.assign(pod.status, { podIP: '10.1.2.3' });
  Object.assign(pod.spec.containers[0]!, { readinessProbe: { ...handler, periodSeconds: 1 } });
  const end = new AbortController();
  let answers = 0;
  const cluster = await startWatchedCluster({
    ...{ pods: [pod], 'web-1': pod },
    /** The server fails at first: what it listens on would be worth a command. */
    get ''() {
      return ++answers < 3 ? 500 : { fine: true };
    },
    get exec() {
      end.abort();
      return 500;
    },
  });
  const words = ['run', '--kube', 'pod/web-1', '-n', 'shop', '-s', cluster.url, '--plain'];
  const more = ['--until', 'ready', ...(isRun ? [] : ['--via', 'proxy']), ...flags];
  const options = { env: { KUBECONFIG: '/nowhere' }, signal: end.signal };
  await inProcess([...words, ...more], options);
  cluster.close();
  expect(cluster.requests.some((url) => url.includes('/exec?'))).toBe(isRun);
  expect(answers >= 3).toBe(!isRun);
});

describe('kprobe once --kube', () => {
  beforeAll(() => {
    server.objects.set(`${PODS}/web-1`, POD);
    server.objects.set(`${PODS}/new`, { ...POD, status: { phase: 'Pending' } });
    server.objects.set(`${PODS}/http:web-1:80/proxy/`, { fine: true });
  });

  it('makes an attempt through pods/proxy, and says from where', async () => {
    const words = ['once', '--kube', 'pod/web-1', '-c', 'app', '--probe', 'liveness'];
    const end = await run(...words, '--via', 'proxy', '-m', '20s', '-o', 'json');
    expect(end.code).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      pod: 'web-1',
      result: 'success',
      output: '{"fine":true}',
      address: '10.1.2.3:80',
      via: 'proxy',
    });
    expect(end.stderr).toMatch(/^kprobe: attempts via proxy come from the API server .*\n$/);
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
  });

  it.each([
    [['--kube', 'deploy/web'], '--kube deploy/web: attempts need one pod, pod/NAME'],
    [['--kube', 'pod/new'], 'pod/web-1 has no address yet: it is Pending'],
    [
      ['--kube', 'pod/web-1', '--tcp', ':80'],
      "option '--kube <kind/name>' cannot be used with option '--tcp <[host]:port>'",
    ],
    [['--kube', 'pod/web-1', 'a.yaml'], '--kube and a manifest cannot be combined'],
    [['--kube', 'pod/web-1', '--via', 'exec'], '--via exec is for exec probes: there are none'],
    [['--kube', 'pod/web-1', '-c', 'x'], 'pod/web-1: no container "x" (containers: app)'],
    [['--tcp', ':80', '--via', 'exec'], '--via needs --kube'],
  ])('refuses %s', async (words, message) => {
    const { code, stderr } = await run('once', ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(`kprobe: ${message}`);
  });
});

describe('kprobe run --kube', () => {
  it.each([
    [['--kube', 'pod/web-1', 'a.yaml'], '--kube and a manifest cannot be combined'],
    [
      ['--kube', 'pod/web-1', '--docker', 'x'],
      "option '--kube <kind/name>' cannot be used with option '--docker <[container=]name>'\n(see kprobe run --help)",
    ],
    [
      ['--kube', 'pod/web-1', '--run-hooks'],
      "option '--kube <kind/name>' cannot be used with option '--run-hooks'\n(see kprobe run --help)",
    ],
    [['--kube', 'pod/new'], 'pod/web-1 has no address yet: it is Pending'],
    [['a.yaml', '--via', 'exec'], '--via needs --docker or --create or --kube'],
    [['a.yaml', '--create', '--via', 'proxy'], '--via proxy needs --kube'],
  ])('refuses %s', async (words, message) => {
    const { code, stderr } = await run('run', ...words);
    expect([code, stderr]).toEqual([2, `kprobe: ${message}\n`]);
  });
});

describe('kprobe suggest --kube', () => {
  const options = ['--for', '60s', '--ready-after', '8s', '-o', 'json'];

  it('proposes changes of the object for what was recorded of another', async () => {
    const recorded = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'try' },
      spec: {
        containers: [{ name: 'app', image: 'a:1', livenessProbe: { httpGet: { port: 80 } } }],
      },
    });
    const { stdout: trace } = await inProcess(['simulate', '-', ...options], { input: recorded });
    const end = await inProcess(['suggest', '-', '--kube', 'deploy/web', ...server.flags], {
      input: trace,
    });
    expect(end.stderr).toBe('');
    expect(end.stdout).toMatch(/^# shop\/web of Deployment web\n/);
    expect(end.stdout).toContain('kubectl patch deployment web -n shop ');
  });
});

describe('kprobe diff --kube', () => {
  const diff = (input: string): Promise<InProcessEnd> =>
    inProcess(['diff', '--kube', 'deploy/web', '-', ...server.flags], { input });

  it('finds no difference in what the manifest says', async () => {
    const { code, stdout } = await diff(manifest());
    expect([code, stdout]).toEqual([0, 'no pod and no workload differs\n']);
  });

  it('shows what an apply does to the pods', async () => {
    const { code, stdout } = await diff(manifest((text) => text.replace('a:1', 'a:2')));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Deployment shop\/web\n {2}new pods replace the old ones.*\n.*image +a:1 → a:2\n/,
    );
  });

  /** Two replicas, with a probe and a grace period that the manifest leaves out. */
  const live = (managers: readonly object[]): object => {
    const spec = { ...TEMPLATE.spec, terminationGracePeriodSeconds: 5 };
    return {
      ...WEB,
      metadata: { ...WEB.metadata, managedFields: managers },
      spec: { ...WEB.spec, replicas: 2, template: { ...TEMPLATE, spec } },
    };
  };
  const fieldsV1 = {
    'f:spec': {
      'f:replicas': {},
      'f:template': { 'f:spec': { 'f:terminationGracePeriodSeconds': {} } },
    },
  };

  it.each([
    ['created, which keeps what no apply declared', 'kubectl-create', 'Update', undefined],
    ['applied by the server, which loses what it declared', 'kubectl', 'Apply', '5 → 30'],
  ])(
    'says of an object that was %s, that a pod is deleted',
    async (_, manager, operation, grace) => {
      const path = '/apis/apps/v1/namespaces/shop/deployments/web';
      server.objects.set(path, live([{ manager, operation, fieldsType: 'FieldsV1', fieldsV1 }]));
      const scaled = manifest((text) => text.replace('"spec":{', '"spec":{"replicas":1,'));
      const { stdout } = await diff(scaled);
      server.objects.set(path, WEB);
      expect(stdout).toContain('  1 pod is deleted\n');
      expect(stdout).toMatch(/replicas +2 → 1\n/);
      expect(/GracePeriodSeconds +(.*)/.exec(stdout)?.[1]).toBe(grace);
    },
  );

  it('says when the manifest has no such object', async () => {
    const { code, stderr } = await diff(manifest((text) => text.replace('"web"', '"other"')));
    expect([code, stderr]).toEqual([2, 'kprobe: -: no Deployment "web" of namespace "shop"\n']);
  });

  it('takes one manifest', async () => {
    const { code, stderr } = await run('diff', '--kube', 'deploy/web', 'a.yaml', 'b.yaml');
    expect([code, stderr]).toEqual([
      2,
      'kprobe: with --kube, name one manifest: the changed one\n',
    ]);
  });
});

describe('the version of a cluster', () => {
  const POD = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', uid: '4-5' },
    spec: { ...TEMPLATE.spec, nodeName: 'node-1' },
  };
  const NODE = {
    metadata: { name: 'node-1' },
    status: { nodeInfo: { kubeletVersion: 'v1.33.5' } },
  };
  const fresh = (version: object): Promise<FakeApiServer> =>
    fakeApiServer().then((own) => {
      own.objects.set('/apis/apps/v1/namespaces/shop/deployments/web', WEB);
      own.objects.set('/api/v1/namespaces/shop/pods/web-1', POD);
      own.objects.set('/version', version);
      own.objects.set('/openapi/v3', { paths: {} });
      return own;
    });
  let own: FakeApiServer;
  beforeAll(async () => (own = await fresh({ gitVersion: 'v1.34.2' })));
  afterAll(() => own.close());
  const ofOwn = async (words: readonly string[], input = ''): Promise<InProcessEnd> => {
    const options = { input, env: { KUBECONFIG: '/nowhere' } };
    const end = await inProcess([...words, ...own.flags], options);
    return { ...end, stderr: withoutWait(end.stderr) };
  };

  it.each([
    ['explain', '--kube', 'deploy/web'],
    ['lint', '--kube', 'deploy/web', '--no-config'],
    ['simulate', '--kube', 'deploy/web', '--for', '1m'],
    ['diff', '--kube', 'deploy/web', '-'],
    ['validate', '--kube', '-'],
  ])('is that of its API server for a workload: kprobe %s %s', async (...words) => {
    const { stderr } = await ofOwn(words, manifest());
    expect(stderr).toContain(
      'kprobe: the cluster has API server v1.34.2; kprobe decides as v1.34\n',
    );
  });

  it('is that of the kubelet of a pod, where its node may be read', async () => {
    own.objects.set('/api/v1/nodes/node-1', NODE);
    const { stderr } = await ofOwn(['explain', '--kube', 'pod/web-1']);
    own.objects.delete('/api/v1/nodes/node-1');
    expect(stderr).toBe('kprobe: a node runs kubelet v1.33.5; kprobe decides as v1.33\n');
    const denied = await ofOwn(['explain', '--kube', 'pod/web-1']);
    expect(denied.stderr).toContain('the cluster has API server v1.34.2');
  });

  it('yields to --kubernetes-version', async () => {
    const words = ['explain', '--kube', 'deploy/web', '--kubernetes-version', '1.35'];
    expect((await ofOwn(words)).stderr).toBe('');
  });

  it('decides which fields of a manifest its API server drops', async () => {
    const text = manifest((each) => each.replace('"port":80}', '"port":80,"protocol":"HTTP2"}'));
    const { stdout, stderr } = await ofOwn(['validate', '--kube', '-'], text);
    expect(stdout + stderr).toMatch(/httpGet\.protocol.*1\.37/);
    const later = await fresh({ gitVersion: 'v1.37.2' });
    const gate = ['--feature-gates', 'H2CContainerProbe=true'];
    const words = ['validate', '--kube', '-', ...gate, ...later.flags];
    const known = await inProcess(words, { input: text, env: { KUBECONFIG: '/nowhere' } });
    later.close();
    expect(known.code).toBe(0);
    expect(known.stdout + known.stderr).not.toContain('protocol');
  });
});
