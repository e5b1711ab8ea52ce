import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Container } from '../../../src/api/index.js';
import { freePort } from '../../helpers/free-port.js';
import { inProcess } from '../../helpers/in-process.js';
import { kprobe, ROOT } from '../../helpers/kprobe.js';

let folder = '';

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'kprobe-init-')), 'shop');
  mkdirSync(folder);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const script = (path: string): string => join(ROOT, path);

const init = (args: readonly string[], env: Record<string, string> = {}) =>
  kprobe(['init', '--starts', '1', ...args], { cwd: folder, env });

const text = (): string => readFileSync(join(folder, 'pod.yaml'), 'utf8');

/** The programs of the examples that listen; those with images need a container engine. */
const SERVERS = readdirSync(script('examples'), { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.js') &&
    readFileSync(script(join('examples', file)), 'utf8').includes('.listen('),
);

interface Written {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly containers: readonly Container[] };
}

const IGNORES_TERM = `
  require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);
  process.on('SIGTERM', () => undefined);
`;

/** Starts to find the port, and to measure; that which is to prove the probes fails. */
const THIRD_START_FAILS = `
  const { appendFileSync, readFileSync } = require('node:fs');
  appendFileSync('starts', '.');
  if (readFileSync('starts').length > 2) {
    console.error('no license is left');
    process.exit(3);
  }
  require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);
`;

/** Starts to find the port; the next start ends with its fourth request. */
const ENDS_WHEN_PROBED = `
  const { appendFileSync, readFileSync } = require('node:fs');
  appendFileSync('starts', '.');
  let left = readFileSync('starts').length > 1 ? 3 : Infinity;
  require('node:http').createServer((_, response) => {
    if (left-- === 0) {
      console.error('no memory is left');
      process.exit(1);
    }
    response.end('ok');
  }).listen(process.env.PORT);
`;

const podOf = (manifest: string) => load(manifest) as Written;

describe('kprobe init', () => {
  it.each<[string, readonly string[], object, string | undefined]>([
    [
      'a slow start with a path that is ready later',
      [script('test/fixtures/processes/late-ready.js'), '--password=hunter2'],
      { httpGet: { path: '/ready', port: 'http' } },
      '127.0.0.1 only',
    ],
    [
      'a server that ignores TERM',
      ['-e', IGNORES_TERM],
      { httpGet: { path: '/', port: 'http' } },
      'did not end within 5 s of TERM',
    ],
    [
      'a gRPC health service',
      [script('test/fixtures/processes/grpc-health.js')],
      { grpc: {} },
      undefined,
    ],
  ])(
    'writes probes that fit %s, proves them, and lint is content',
    async (_, args, probe, note) => {
      const port = await freePort();
      const command = [process.execPath, ...args, String(port)];
      const { stdout, stderr, code } = await init(['--', ...command], { PORT: String(port) });
      expect(stderr).toContain('kprobe: proved: default/shop ready after');
      expect([stdout, code]).toEqual(['wrote pod.yaml\n', 0]);
      const { metadata, spec } = podOf(text());
      const [app] = spec.containers;
      expect(metadata.name).toBe('shop');
      expect(text()).not.toContain('hunter2');
      expect(app?.env).toEqual([{ name: 'PORT', value: String(port) }]);
      expect(app?.ports).toMatchObject([{ containerPort: port }]);
      expect(app?.readinessProbe).toMatchObject(probe);
      expect(app?.startupProbe?.failureThreshold).toBeGreaterThan(1);
      expect(text()).toMatch(/# budget: the only start answered after \d+\.\d s/);
      expect(text().replaceAll(/\n# /g, ' ')).toContain(note ?? 'Written by kprobe init');
      const linted = await inProcess(['lint', '--fail-on', 'info', join(folder, 'pod.yaml')]);
      expect(linted.stdout).toContain('no findings');
    },
  );

  it.each(SERVERS)(
    'writes probes for examples/%s that lint has nothing to say about',
    async (server) => {
      const port = String(await freePort());
      const command = [process.execPath, script(join('examples', server))];
      const { stdout, stderr, code } = await init(['--', ...command], { PORT: port });
      expect(stderr).toContain('kprobe: proved: default/shop ready after');
      expect([stdout, code]).toEqual(['wrote pod.yaml\n', 0]);
      const linted = await inProcess(['lint', '--fail-on', 'info', join(folder, 'pod.yaml')]);
      expect(linted.stdout).toContain('no findings');
    },
  );

  it('says why its probes are not proved', async () => {
    const port = String(await freePort());
    const command = [process.execPath, '-e', THIRD_START_FAILS];
    const { stderr, code } = await init(['--', ...command], { PORT: port });
    expect(stderr).toMatch(
      /kprobe: not proved: .*app crashed 1 × \(exit 3\): its last line: no license is left/,
    );
    expect(code).toBe(1);
  });

  it('writes nothing for a command that ends when it is probed', async () => {
    const port = String(await freePort());
    const command = [process.execPath, '-e', ENDS_WHEN_PROBED];
    const { stderr, code } = await init(['--', ...command], { PORT: port });
    expect(stderr).toContain('ended with exit code 1 when it was probed\n    no memory is left\n');
    expect(code).toBe(3);
    expect(text).toThrow('ENOENT');
  });

  it('prints a patch that adds probes to a workload', async () => {
    const port = await freePort();
    writeFileSync(join(folder, 'deploy.yaml'), deployment(port));
    const command = [process.execPath, script('test/fixtures/processes/late-ready.js')];
    const { stdout, stderr, code } = await init(['--from', 'deploy.yaml', '--', ...command]);
    expect(stderr).toContain('kprobe: proved: default/web ready after');
    expect(code).toBe(0);
    expect(load(stdout)).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'app', readinessProbe: { httpGet: { path: '/ready', port: 'web' } } },
            ],
          },
        },
      },
    });
  });

  it.each<[string, readonly string[], string]>([
    [
      'ends before it listens',
      ['-e', 'console.log("no database"); process.exit(4)'],
      'ended with exit code 4 before it listened on a port\n    no database\n',
    ],
    ['ends at once', ['--version'], 'ended with exit code 0 before it listened on a port'],
    [
      'goes to the background',
      [
        '-e',
        `require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).unref();
         setTimeout(() => {}, 2000);`,
      ],
      'before it listened on a port: it runs in the background, and a container ends with its first process',
    ],
    [
      'listens on nothing',
      ['-e', 'setInterval(() => {}, 1000)'],
      'listened on no TCP port of 127.0.0.1',
    ],
  ])('writes nothing for a command that %s', async (_, args, message) => {
    const { stderr, code } = await init(['--timeout', '10s', '--', process.execPath, ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(3);
    expect(text).toThrow('ENOENT');
  });

  it.each<[string, readonly string[], string]>([
    [
      'a file that exists',
      ['--', 'node', 'server.js'],
      'pod.yaml exists: name another file, or replace it with --force',
    ],
    ['no command', [], 'kprobe init needs a command to start'],
    [
      'a container with probes',
      ['--from', 'pod.yaml', '--', 'node'],
      'has probes already (readiness)',
    ],
  ])('refuses %s before anything starts', async (_, args, message) => {
    writeFileSync(join(folder, 'pod.yaml'), PROBED);
    const { stderr, code } = await init(args);
    expect(stderr).toContain(message);
    expect([text(), code]).toEqual([PROBED, 2]);
  });
});

const PROBED = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: app, image: web:1, readinessProbe: { tcpSocket: { port: 80 } } }
`;

const deployment = (port: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: app
          image: web:1
          ports: [{ name: web, containerPort: ${port} }]
          env: [{ name: PORT, value: '${port}' }]
`;
