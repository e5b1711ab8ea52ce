import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { dockerWrapper } from './docker-wrapper.js';
import { docker, IMAGE, leftovers, requireEngine } from './engine.js';
import { type Kprobe, startKprobe } from './kprobe.js';
import { OwnEngine } from './own-engine.js';
import { podFile } from './pod-file.js';

beforeAll(requireEngine);

const started: Kprobe[] = [];
const made: string[] = [];

function kprobe(env: NodeJS.ProcessEnv, ...args: string[]): Kprobe {
  const run = startKprobe(args, env);
  started.push(run);
  return run;
}

function container(env: NodeJS.ProcessEnv, network: string): string {
  const name = `kprobe-elsewhere-${process.pid}-${made.length}`;
  if (env === process.env) made.push(name);
  docker(['run', '-d', '--name', name, '--network', network, IMAGE, 'sleep', '1000'], { env });
  return name;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  if (made.length > 0) docker(['rm', '--force', ...made.splice(0)]);
  expect(leftovers()).toEqual([]);
});

/** Starts a server on this machine, which is not the container's. */
async function ownServer(): Promise<{ port: number; asked: () => number; close: () => void }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, asked: () => requests, close: () => server.close() };
}

describe('an engine in another network namespace', () => {
  it("is refused: its ports are not this machine's", async () => {
    const engine = new OwnEngine({ by: ['unshare', '--net'] });
    const server = await ownServer();
    try {
      const name = container(engine.env, 'host');
      const pod = podFile({ readinessProbe: { httpGet: { port: server.port } } });
      const run = kprobe(engine.env, 'run', pod, '--docker', name, '--until', 'ready');
      expect(await run.exitCode).toBe(2);
      expect(run.output).toMatch(
        /pod\.yaml:\d+:\d+: error: .*the engine of \S+ is in another network namespace \(make port \d+ reachable and name it with -p\)/,
      );
      const exec = podFile({ readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } });
      const other = kprobe(engine.env, 'run', exec, '--docker', name, '--until', 'ready');
      expect(await other.exitCode).toBe(0);
      expect(server.asked()).toBe(0);
    } finally {
      engine.remove();
      server.close();
    }
  });

  it('is no place for the network probes of --create', async () => {
    const engine = new OwnEngine({ by: ['unshare', '--net'] });
    const server = await ownServer();
    try {
      const readinessProbe = { httpGet: { port: server.port }, periodSeconds: 1 };
      const pod = podFile({ command: ['sleep', '1000'], readinessProbe }, { hostNetwork: true });
      const run = kprobe(engine.env, 'run', pod, '--create', '--network', 'host', '--for', '170s');
      await run.until(/unknown state: the engine of \S+ is in another network namespace/);
      expect(await run.end()).toBe(130);
      expect(server.asked()).toBe(0);
    } finally {
      engine.remove();
      server.close();
    }
  });
});

describe('an engine on another machine', () => {
  const env = () =>
    dockerWrapper(
      // A process of this machine that has the container's id there.
      `"$DOCKER" "$@" | sed 's/"Pid": [1-9][0-9]*/"Pid": ${process.pid}/'`,
      'ssh://me@builder',
    );

  it('is refused with --via exec', async () => {
    const name = container(process.env, 'none');
    const pod = podFile({ readinessProbe: { tcpSocket: { port: 80 } } });
    const run = kprobe(env(), 'run', pod, '--docker', name, '--via', 'exec');
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain('--via exec: the engine is at builder, not on this machine');
  });

  it('behind a local socket too: the process of that id is another one', async () => {
    const name = container(process.env, 'none');
    const forwarded = dockerWrapper(
      `"$DOCKER" "$@" | sed 's/"Pid": [1-9][0-9]*/"Pid": ${process.pid}/'`,
    );
    const pod = podFile({ readinessProbe: { tcpSocket: { port: 80 } } });
    const run = kprobe(forwarded, 'run', pod, '--docker', name, '--via', 'exec');
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain(
      `--via exec: ${name}: process ${process.pid} of this machine is not ${name}, so its engine runs elsewhere`,
    );
  });

  it.each([
    ['network probes', { readinessProbe: { tcpSocket: { port: 80 } } }, {}],
    ['hostPath volumes', {}, { volumes: [{ name: 'v', hostPath: { path: '/tmp' } }] }],
  ])('is refused for %s of --create', async (what, fields, spec) => {
    const args = ['run', podFile(fields, spec), '--create', '--allow-host-path'];
    const run = kprobe(env(), ...args);
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain(
      `--create: ${what} need an engine on this machine, and this one is at builder`,
    );
  });
});
