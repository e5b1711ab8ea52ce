import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { expectClean, HOSTILE, type Tree, variants } from '../helpers/hostile-text.js';
import { inProcess } from '../helpers/in-process.js';
import { clusterEvent, clusterPod, startWatchedCluster } from '../helpers/watched-cluster.js';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));

const CONTAINER = {
  name: 'app',
  image: 'web:1',
  command: ['serve', '--token=abcdefgh'],
  workingDir: '/srv',
  env: [
    { name: 'A', value: 'b' },
    { name: 'S', valueFrom: { secretKeyRef: { name: 'db', key: 'k' } } },
  ],
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  readinessProbe: {
    httpGet: {
      path: '/ready',
      port: 'http',
      scheme: 'HTTP',
      httpHeaders: [{ name: 'X-A', value: 'b' }],
    },
    timeoutSeconds: 30,
    periodSeconds: 5,
  },
  livenessProbe: { exec: { command: ['check', 'me'] } },
  startupProbe: { grpc: { port: 8080, service: 'web' } },
  lifecycle: { preStop: { exec: { command: ['stop'] } } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  resources: { limits: { memory: '1Gi' } },
};

const OBJECTS: Readonly<Record<string, Tree>> = {
  Pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { app: 'web' },
      annotations: { note: 'a' },
    },
    spec: {
      restartPolicy: 'Always',
      nodeSelector: { disk: 'ssd' },
      containers: [CONTAINER],
      volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }],
      readinessGates: [{ conditionType: 'example.com/gate' }],
    },
  },
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [CONTAINER], volumes: [{ name: 'data', emptyDir: {} }] },
      },
    },
  },
  'an unknown kind': {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { size: 'large' },
  },
};

/** Commands that print what they find in each of their files. */
const OF_ALL_FILES: readonly (readonly string[])[] = [
  ...['text', 'json', 'github', 'sarif', 'junit'].flatMap((output) => [
    ['lint', '-o', output],
    ['validate', '-o', output],
  ]),
  ['validate', '--strict-kinds'],
  ['lint', '--diff'],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['explain', '--no-validate', 'FILE'],
  ['explain', '--long', '-o', 'json', 'FILE'],
  ['explain', '-o', 'svg', '--no-validate', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'lines', '-v', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'json', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'yaml', 'FILE'],
  ['diff', 'FILE', 'PLAIN'],
  ['diff', '-o', 'json', 'PLAIN', 'FILE'],
  ['rollout', '--no-validate', '--for', '1m', 'FILE'],
  ['doctor', '--secrets', 'FILE'],
  ['once', 'FILE', '-c', 'none'],
  ['run', 'FILE', '-c', 'none'],
];

describe.each(Object.entries(OBJECTS))('hostile text anywhere in %s', (kind, object) => {
  it.each(OF_ALL_FILES.map((command) => [command.join(' '), command] as const))(
    'is printed raw by no %s',
    async (_, command) => {
      const all = mkdtempSync(join(folder, 'all-'));
      const files = [...variants(object)].map(([place, hostile]) => {
        const file = join(all, `${place.replaceAll(/\W/g, '_')}.json`);
        writeFileSync(file, JSON.stringify(hostile));
        return file;
      });
      const { code, stdout, stderr } = await inProcess([...command, ...files]);
      expect(code).toBeLessThanOrEqual(3);
      expectClean(`standard output of ${kind}`, stdout);
      expectClean(`standard error of ${kind}`, stderr);
    },
  );

  it.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
    'is printed raw by no %s',
    async (_, command) => {
      const plain = join(folder, 'plain.json');
      const file = join(folder, 'hostile.json');
      writeFileSync(plain, JSON.stringify(object));
      for (const [place, hostile] of variants(object)) {
        writeFileSync(file, JSON.stringify(hostile));
        const args = command.map((arg) => arg.replace('FILE', file).replace('PLAIN', plain));
        const { code, stdout, stderr } = await inProcess(args);
        expect([place, code]).toEqual([place, expect.toSatisfy((each) => Number(each) <= 3)]);
        expectClean(`${place} of ${kind}: standard output`, stdout);
        expectClean(`${place} of ${kind}: standard error`, stderr);
      }
    },
  );
});

describe('hostile text anywhere in a kubeconfig', () => {
  const CONFIG = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    clusters: [
      {
        name: 'c',
        cluster: {
          server: 'http://127.0.0.1:9',
          'tls-server-name': 'n',
          'proxy-url': 'http://127.0.0.1:9',
        },
      },
    ],
    users: [
      {
        name: 'u',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: './none',
            args: ['a'],
            env: [{ name: 'A', value: 'b' }],
            installHint: 'install it',
          },
        },
      },
    ],
  };

  it.each([
    ['watch', 'web', '--timeout', '2s'],
    ['lint', '--kube', 'deploy/web'],
    ['once', '--kube', 'web', '--timeout', '2s'],
    ['doctor'],
  ])('is printed raw by no %s %s', async (...command) => {
    // They wait for a server that is not there.
    const ends = [...variants(CONFIG)].map(async ([place, hostile], index) => {
      const file = join(folder, `kubeconfig-${index}`);
      writeFileSync(file, JSON.stringify(hostile));
      const { code, stdout, stderr } = await inProcess(command, { env: { KUBECONFIG: file } });
      expect([place, code <= 3 || code === 124]).toEqual([place, true]);
      expectClean(`${place}: standard output`, stdout);
      expectClean(`${place}: standard error`, stderr);
    });
    await Promise.all(ends);
  });
});

describe('hostile text anywhere in a recording', () => {
  it('is printed raw by no replay, report or suggestion', async () => {
    const scenario = join(folder, 'pod.json');
    writeFileSync(scenario, JSON.stringify(OBJECTS['Pod']));
    const args = [
      'simulate',
      '--for',
      '40s',
      '--fail-rate',
      '30%',
      '-o',
      'json',
      scenario,
      '--no-validate',
    ];
    const { stdout } = await inProcess(args);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Tree);
    const kinds = [...new Set(lines.map(({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThan(8);
    const path = join(folder, 'hostile.ndjson');
    for (const kind of kinds) {
      const index = lines.findIndex((line) => line['kind'] === kind);
      for (const [place, line] of variants(lines[index] ?? {})) {
        if (!place.endsWith('all') && kind === 'status' && !place.includes('onditions')) continue;
        const changed = lines.with(index, { ...line, kind });
        writeFileSync(path, changed.map((each) => `${JSON.stringify(each)}\n`).join(''));
        const files = ['html', 'junit', 'markdown', 'tap', 'github'].map(
          (name) => [name, join(folder, `R.${name}`)] as const,
        );
        const reports = files.flatMap(([name, file]) => ['--report', `${name}=${file}`]);
        for (const command of [
          [
            'replay',
            path,
            '--partial',
            '-o',
            'lines',
            '-v',
            '--logs',
            ...(place === 'all' ? reports : []),
          ],
          ['replay', path, '--partial', '-o', 'yaml'],
          ['suggest', path, '--partial'],
        ]) {
          const found = await inProcess(command);
          expectClean(`${String(kind)} ${place}: standard output`, found.stdout);
          expectClean(`${String(kind)} ${place}: standard error`, found.stderr);
        }
        if (place !== 'all') continue;
        for (const [, file] of files) {
          expectClean(`${String(kind)} ${place}: ${file}`, readFileSync(file, 'utf8'));
          writeFileSync(file, '');
        }
      }
    }
  });
});

describe("hostile text in an API server's answers", () => {
  const deployment = { ...OBJECTS['Deployment'] };

  it.concurrent.each(
    [...variants(clusterPod('web', { ready: false }))].map(([place, pod]) => [place, pod]),
  )('is printed raw by no watch or attempt (%s of a pod)', async (place, pod) => {
    const events = [clusterEvent('web', 'Unhealthy', `Readiness probe failed: ${HOSTILE}`)];
    const named = { ...pod, metadata: { ...(pod['metadata'] as Tree), name: 'web' } };
    const cluster = await startWatchedCluster({ pods: [named], events, deployments: [] });
    const flags = ['--server', cluster.url, '-n', 'shop'];
    const watch = ['watch', 'web', '--for', '1s'];
    const json = place === 'all' ? [[...watch, '-o', 'json']] : [];
    for (const command of [[...watch, '-v', '--plain'], ...json]) {
      const { code, stdout, stderr } = await inProcess([...command, ...flags]);
      expect(code).toBeLessThanOrEqual(3);
      expectClean('standard output', stdout);
      expectClean('standard error', stderr);
    }
    cluster.close();
  });

  it.each([
    ['watch', 'web', '--for', '1s'],
    ['watch', 'deploy/web', '--for', '1s'],
    ['once', '--kube', 'web'],
    ['lint', '--kube', 'deploy/web'],
    ['diff', '--kube', 'FILE'],
  ])('is printed raw by no %s %s that is refused', async (...command) => {
    const file = join(folder, 'deployment.json');
    writeFileSync(file, JSON.stringify(deployment));
    for (const [status, contentType] of [
      [403, 'application/json'],
      [500, 'application/json'],
      [404, 'text/plain'],
      [200, 'text/html'],
    ] as const) {
      const body = { kind: 'Status', code: status, reason: HOSTILE, message: HOSTILE };
      const text = contentType === 'application/json' ? JSON.stringify(body) : HOSTILE;
      const server = createServer((_, response) => {
        response.writeHead(status, { 'content-type': contentType });
        response.end(text);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const args = command.map((arg) => arg.replace('FILE', file));
      const flags = ['--server', `http://127.0.0.1:${port}`, '-n', 'shop'];
      const { code, stdout, stderr } = await inProcess([...args, ...flags]);
      server.close();
      expect([status, code]).toEqual([status, expect.toSatisfy((each) => Number(each) !== 0)]);
      expectClean(`${status}: standard output`, stdout);
      expectClean(`${status}: standard error`, stderr);
    }
  });
});

describe("hostile text in an engine's answers", () => {
  const INSPECTED = {
    Id: 'abc',
    Name: '/web',
    Created: '2026-01-01T00:00:00Z',
    Image: 'sha256:1',
    State: { Status: 'exited', Error: 'no', ExitCode: 1, StartedAt: '2026-01-01T00:00:00Z' },
    Config: {
      Image: 'web:1',
      Labels: { app: 'web' },
      ExposedPorts: { '80/tcp': {} },
      Healthcheck: { Test: ['CMD', 'check', 'me'] },
    },
    HostConfig: { NetworkMode: 'bridge', RestartPolicy: { Name: 'always' } },
    NetworkSettings: {
      IPAddress: '127.0.0.1',
      Ports: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '1' }] },
    },
  };

  /** Serves one container, or refuses everything. */
  async function startEngine(container: Tree | undefined) {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/^\/v[\d.]+/, '').split('?')[0] ?? '';
      const isRefused = container === undefined && path !== '/_ping';
      const headers = { 'content-type': 'application/json', 'api-version': '1.45' };
      response.writeHead(isRefused ? 500 : 200, headers);
      if (isRefused) response.end(JSON.stringify({ message: HOSTILE }));
      else if (path === '/info') response.end(JSON.stringify({ OperatingSystem: HOSTILE }));
      else if (path === '/events') response.write(`${HOSTILE}\n`);
      else if (path.endsWith('/json')) response.end(JSON.stringify(container));
      else response.end(HOSTILE);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  const file = join(folder, 'attached.json');
  writeFileSync(file, JSON.stringify(OBJECTS['Pod']));

  it.concurrent.each([...variants(INSPECTED), ['refused', undefined] as const])(
    'is printed raw by no run, import or cleanup (%s)',
    async (_, container) => {
      const server = await startEngine(container);
      const { port } = server.address() as AddressInfo;
      const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}` };
      for (const command of [
        ['import', '--docker', 'web'],
        ['run', file, '--docker', 'web', '--for', '1s', '--plain', '-v'],
        ['down'],
      ]) {
        const { code, stdout, stderr } = await inProcess(command, { env });
        expect(code).toBeLessThanOrEqual(3);
        expectClean('standard output', stdout);
        expectClean('standard error', stderr);
      }
      server.close();
      server.closeAllConnections();
    },
  );
});
