import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { dockerWrapper } from './docker-wrapper.js';
import { docker, ensureNetwork, IMAGE, leftovers, requireEngine } from './engine.js';
import { type Kprobe, startKprobe } from './kprobe.js';
import { podFile } from './pod-file.js';

beforeAll(requireEngine);

const made: string[] = [];
const started: Kprobe[] = [];

/** Starts a container of this script; it is removed after the test. */
function container(script: string, ...options: string[]): string {
  const name = `kprobe-ends-${process.pid}-${made.length}`;
  made.push(name);
  const network = options.includes('--network') ? [] : ['--network', 'none'];
  docker(['run', '-d', '--name', name, ...network, ...options, IMAGE, 'sh', '-c', script]);
  return name;
}

function kprobe(args: readonly string[], env?: NodeJS.ProcessEnv): Kprobe {
  const run = startKprobe(args, env);
  started.push(run);
  return run;
}

const stateOf = (name: string): string =>
  docker(['inspect', '--format', '{{.State.Status}}', name]);

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  if (made.length > 0) docker(['rm', '--force', ...made.splice(0)]);
  expect(leftovers()).toEqual([]);
});

const exec = (...command: string[]) => ({ exec: { command }, periodSeconds: 1 });

describe('a published port', () => {
  it('refuses a TCP probe until something listens in the container', async () => {
    const listen = 'while [ ! -f /tmp/go ]; do sleep 0.1; done; httpd -f -p 8080';
    const published = ['--network', ensureNetwork(), '-p', '127.0.0.1::8080'];
    const name = container(listen, ...published);
    const pod = podFile({ readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 } });
    const run = kprobe(['run', pod, '--docker', name, '--until', 'ready', '--timeout', '150s']);
    await run.until(/dial tcp [\d.]+:8080: connect: connection refused/);
    docker(['exec', name, 'touch', '/tmp/go']);
    expect(await run.exitCode).toBe(0);
  });
});

describe('a container that its engine restarts by policy', () => {
  it('has one restart for each, and no failed start', async () => {
    const name = container('sleep 4; exit 3', '--restart', 'always');
    const run = kprobe(['run', podFile({}), '--docker', name, '--for', '170s']);
    await run.until(/restarts 2/);
    expect(run.output.match(/Ended +exit code 3/g)).toHaveLength(2);
    await run.until('its engine starts it again, by its restart policy');
    expect(run.output).not.toMatch(/Failed|BackOff|Killing|runs elsewhere/);
  });

  it('is waited for where it has no policy, without a restart or advice of its own', async () => {
    const name = container('while [ ! -f /tmp/go ]; do sleep 0.1; done; rm /tmp/go; exit 3');
    const run = kprobe(['run', podFile({}), '--docker', name, '--for', '170s']);
    await run.until(/State +running/);
    docker(['exec', name, 'touch', '/tmp/go']);
    await run.until(/kprobe goes on once it is started/);
    docker(['start', name]);
    await run.until(/restarts 1/);
    expect(run.output).not.toMatch(/Correct|BackOff/);
  });
});

describe('--restart real', () => {
  it.each([
    [
      'during postStart',
      { lifecycle: { postStart: { exec: { command: ['sleep', '60'] } } } },
      /postStart +started/,
    ],
    ['in a back-off', { livenessProbe: { ...exec('false'), failureThreshold: 1 } }, /BackOff +10/],
  ])('leaves the container running when kprobe ends %s', async (_, fields, pattern) => {
    const name = container('sleep 600');
    const run = kprobe([
      'run',
      podFile(fields),
      '--docker',
      name,
      '--restart',
      'real',
      '--for',
      '170s',
    ]);
    await run.until(pattern);
    await run.end();
    expect(stateOf(name)).toBe('running');
    expect(run.output).not.toContain('FailedPostStartHook');
  });
});

describe('kprobe run --create', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves nothing after %s while it makes the pod',
    async (signal) => {
      const run = kprobe([
        'run',
        podFile({ command: ['sleep', '600'] }),
        '--create',
        '--network',
        'none',
      ]);
      await run.until(/ContainerCreating/);
      run.kill(signal);
      await run.exitCode;
      expect(leftovers()).toEqual([]);
      expect(run.output).not.toContain('the runtime is closing');
    },
  );

  it('says which port of this machine is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const ports = [{ containerPort: 8080, hostPort: port, hostIP: '127.0.0.1' }];
    const pod = podFile({ command: ['sleep', '600'], ports });
    const run = kprobe(['run', pod, '--create', '--network', ensureNetwork(), '--for', '170s']);
    await run.until(new RegExp(`FailedCreatePodSandBox.*${port}`));
    await run.end();
    server.close();
  });

  it('starts although a volume of another run is removed at that moment', async () => {
    const env = dockerWrapper(
      `if [ "$1 $2" = "volume ls" ]; then "$DOCKER" "$@"; echo gone-by-now; else exec "$DOCKER" "$@"; fi`,
      process.env['DOCKER_HOST'],
    );
    const pod = podFile({ command: ['sleep', '600'] });
    const run = kprobe(['run', pod, '--create', '--network', 'none', '--until', 'ready'], env);
    expect(await run.exitCode).toBe(0);
  });
});

describe('an engine that stops answering', () => {
  it('ends the run in time, with exit code 3', async () => {
    const name = container('sleep 600');
    const flag = join(tmpdir(), `hang-${process.pid}`);
    const env = dockerWrapper(
      `if [ "$2" = inspect ] && [ -f ${flag} ]; then exec sleep 600; fi; exec "$DOCKER" "$@"`,
    );
    const run = kprobe(['run', podFile({}), '--docker', name, '--for', '20s'], env);
    await run.until(/running, started, ready/);
    writeFileSync(flag, '');
    const begin = Date.now();
    expect(await run.exitCode).toBe(3);
    expect(Date.now() - begin).toBeLessThan(60_000);
  });
});

describe('a first process that reaps nothing', () => {
  it('is named once when killed commands stay as zombies', async () => {
    const name = container('exec sleep 600');
    const pod = podFile({ readinessProbe: exec('sh', '-c', 'sleep 987 & sleep 988') });
    const run = kprobe(['run', pod, '--docker', name, '--for', '170s']);
    await run.until(/stay as zombies/);
    await run.until(/\(3 of 3/);
    await run.end();
    expect(run.output.match(/stay as zombies/g)).toHaveLength(1);
  });
});
