import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { docker, type DockerOptions, IMAGE, kprobeContainers, leftovers } from './engine.js';
import { type Kprobe, startKprobe } from './kprobe.js';
import { OwnEngine } from './own-engine.js';
import { podFile } from './pod-file.js';

/** Where the kernel gives users no namespaces, there is none, and kprobe is tried at a socket without a service. */
let podman: OwnEngine | undefined;
let env: NodeJS.ProcessEnv = { ...process.env, CONTAINER_HOST: 'unix:///nowhere/podman.sock' };
/** Node and kprobe where an ordinary user can read them. */
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'kprobe-rootless-'));
  chmodSync(copy, 0o755);
  cpSync(process.execPath, join(copy, 'node'));
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  try {
    podman = new OwnEngine({ program: 'rootless' });
    env = podman.env;
  } catch (error) {
    if ((error as { status?: number }).status !== 4) throw error;
  }
});
afterAll(() => {
  podman?.remove();
  rmSync(copy, { recursive: true });
});

const USER = 'kprobe-rootless';
const AS_USER = ['setpriv', '--reuid', USER, '--regid', USER, '--init-groups'];

interface Way {
  readonly title: string;
  readonly by: readonly string[];
  readonly env: () => NodeJS.ProcessEnv;
}

const WAYS: readonly Way[] = [
  { title: "its user, at the service's socket", by: AS_USER, env: () => env },
  {
    title: 'its user, without a service',
    by: AS_USER,
    env: () => ({ ...env, CONTAINER_HOST: undefined }),
  },
  { title: "root, at the user's socket", by: [], env: () => env },
];

const NETWORK = ['--network', 'slirp4netns'];
const SERVE =
  'echo >/tmp/ready; rm -f /tmp/bad; httpd -p 8080 -h /tmp; trap "exit 3" TERM; while :; do sleep 0.1; done';
const PROBES = {
  ports: [{ containerPort: 8080 }],
  startupProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1, failureThreshold: 60 },
  readinessProbe: { httpGet: { port: 8080, path: '/ready' }, periodSeconds: 1, timeoutSeconds: 20 },
  livenessProbe: {
    exec: { command: ['test', '!', '-f', '/tmp/bad'] },
    ...{ periodSeconds: 1, timeoutSeconds: 20, failureThreshold: 1 },
  },
};

describe.each(WAYS)("rootless podman's containers, for $title", ({ by, env: envOf }) => {
  const started: Kprobe[] = [];
  const made: string[] = [];
  const engine = (): DockerOptions => ({ program: 'podman', env });
  const cli = (...args: string[]): string => docker(args, engine());

  function kprobe(...args: string[]): Kprobe {
    const bin = [join(copy, 'node'), join(copy, 'bin/kprobe.js')];
    const run = startKprobe([...args, '--runtime', 'podman'], envOf(), by, bin);
    started.push(run);
    return run;
  }

  /** Starts a container of this script, whose port 8080 is published. */
  function container(script: string): string {
    const name = `kprobe-rootless-${process.pid}-${made.length}`;
    made.push(name);
    cli('run', '-d', '--name', name, '-p', '127.0.0.1::8080', IMAGE, 'sh', '-c', script);
    return name;
  }

  /** A test, or, where there is no such podman, that kprobe says so. */
  function rootlessTest(title: string, body: () => Promise<void>): void {
    it(title, async () => {
      if (podman !== undefined) return body();
      const run = startKprobe(['run', podFile({}), '--create', '--runtime', 'podman'], env);
      expect([await run.exitCode, run.output]).toEqual([
        3,
        expect.stringContaining('cannot connect to podman at unix:///nowhere/podman.sock'),
      ]);
    });
  }

  afterEach(async () => {
    await Promise.all(started.splice(0).map((run) => run.end()));
    if (made.length > 0) cli('rm', '--force', '--time', '0', ...made.splice(0));
    if (podman !== undefined) expect(leftovers(engine())).toEqual([]);
  });

  rootlessTest('are probed at their published port, and restarted', async () => {
    const name = container(SERVE);
    const attached = ['--docker', name, '--restart', 'real', '--for', '170s', '-v'];
    const run = kprobe('run', podFile(PROBES), ...attached);
    await run.until(/port 8080 of app is reached at 127\.0\.0\.1:\d+ \(the published port\)/);
    await run.until(/startup +success[^]*readiness +success/);
    await run.until(/running, started, ready/);
    await run.until(/liveness +success/);
    cli('exec', name, 'touch', '/tmp/bad');
    await run.until(/Ended +exit code 3/);
    await run.until(/running, started, ready, restarts 1/);
    await run.end();
    expect(cli('inspect', '--format', '{{.State.Status}}', name)).toBe('running');
  });

  rootlessTest('have no port open that only the proxy accepts', async () => {
    const name = container('while :; do sleep 0.1; done');
    const { ports, startupProbe } = PROBES;
    const run = kprobe('run', podFile({ ports, startupProbe }), '--docker', name, '--for', '170s');
    await run.until(/Startup probe failed: dial tcp \S+:8080: connect: connection refused/);
    expect(run.output).not.toContain('started, ready');
  });

  rootlessTest('are made and restarted, and removed at SIGTERM', async () => {
    const command = ['sh', '-c', SERVE];
    const pod = podFile({ ...PROBES, command });
    const run = kprobe('run', pod, '--create', ...NETWORK, '--for', '170s', '-v');
    await run.until(/running, started, ready/);
    const [app = ''] = kprobeContainers(engine()).filter((each) => each.includes('-app-'));
    cli('exec', app, 'touch', '/tmp/bad');
    await run.until(/running, started, ready, restarts 1/);
    run.kill('SIGTERM');
    expect(await run.exitCode).toBe(143);
  });
});
