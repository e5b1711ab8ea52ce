import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import {
  docker,
  type DockerOptions,
  IMAGE,
  kprobeContainers,
  leftovers,
  requireEngine,
} from './engine.js';
import { type Kprobe, startKprobe } from './kprobe.js';
import { OwnEngine } from './own-engine.js';
import { podFile } from './pod-file.js';

let podman: OwnEngine;
let tcpEngine: Server;

beforeAll(async () => {
  requireEngine();
  podman = new OwnEngine({ program: 'podman' });
  tcpEngine = relayTo(process.env['DOCKER_HOST']?.replace('unix://', '') ?? '');
  await once(tcpEngine.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  tcpEngine.close();
  podman.remove();
});

/** A server that stands for an engine's socket at an address of TCP. */
function relayTo(path: string): Server {
  return createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path, allowHalfOpen: true });
    client.pipe(engine).pipe(client);
    client.on('error', () => engine.destroy());
    engine.on('error', () => client.destroy());
  });
}

const SERVE = 'trap "exit 3" TERM; while :; do sleep 0.1; done';
const exec = (...command: string[]) => ({ exec: { command }, periodSeconds: 1, timeoutSeconds: 5 });
const NETWORK = ['--network', 'none'];

interface Way {
  readonly title: string;
  readonly program: 'docker' | 'podman';
  readonly env: () => NodeJS.ProcessEnv;
}

/** Each engine through its socket, and through its command line. */
const WAYS: readonly Way[] = [
  { title: 'docker', program: 'docker', env: () => process.env },
  {
    title: 'docker at a TCP address',
    program: 'docker',
    env: () => {
      const { port } = tcpEngine.address() as AddressInfo;
      return { ...process.env, DOCKER_HOST: `tcp://127.0.0.1:${port}` };
    },
  },
  {
    title: "podman's service",
    program: 'podman',
    env: () => ({ ...podman.env, CONTAINER_HOST: podman.env['DOCKER_HOST'] }),
  },
  { title: 'podman, without a service', program: 'podman', env: () => podman.env },
];

describe.each(WAYS)('with $title', ({ title, program, env }) => {
  const started: Kprobe[] = [];
  const made: string[] = [];
  const engine = (): DockerOptions => ({
    program,
    env: program === 'podman' ? podman.env : process.env,
  });
  const cli = (...args: string[]): string => docker(args, engine());

  function kprobe(...args: string[]): Kprobe {
    const run = startKprobe([...args, '--runtime', program], env());
    started.push(run);
    return run;
  }

  /** Starts a container of this script. */
  function container(script: string, ...options: string[]): string {
    const name = `kprobe-engines-${process.pid}-${title.replaceAll(/\W/g, '-')}-${made.length}`;
    made.push(name);
    cli('run', '-d', '--name', name, ...NETWORK, ...options, IMAGE, 'sh', '-c', script);
    return name;
  }

  afterEach(async () => {
    await Promise.all(started.splice(0).map((run) => run.end()));
    const now = program === 'podman' ? ['--time', '0'] : [];
    if (made.length > 0) cli('rm', '--force', ...now, ...made.splice(0));
    expect(leftovers(engine())).toEqual([]);
  });

  it('takes the exit code and the output of a command, whatever it says', async () => {
    const name = container(SERVE);
    const pod = podFile({
      startupProbe: exec('true'),
      readinessProbe: exec('sh', '-c', 'echo to out; echo to err >&2; exit 126'),
      livenessProbe: exec('no-such-command', '-x'),
    });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/startup +success/);
    await run.until(/Readiness probe failed: to (?:out\\nto err|err\\nto out)/);
    await run.until(
      /Liveness probe errored .*"no-such-command": executable file not found in \$PATH/,
    );
    expect(run.output).not.toContain('Liveness probe failed');
  });

  it('counts no failure in a container that is paused', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('true') });
    cli('pause', name);
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/readiness probe errored .*(?:paused|container state improper).*not counted/i);
    cli('unpause', name);
    await run.until(/Engine +\S+ was unpaused[^]*readiness +success/);
    expect(run.output).not.toContain('Readiness probe failed');
  });

  it('says that a container was paused', async () => {
    const name = container(SERVE);
    const run = kprobe('run', podFile({}), '--docker', name, '--for', '170s');
    await run.until(/running, started, ready/);
    cli('pause', name);
    await run.until(/Engine +\S+ was paused/);
    cli('unpause', name);
    await run.until(/Engine +\S+ was unpaused/);
  });

  it('takes the end of a container, and its start as a restart that is not ready yet', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('true') });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/readiness +success/);
    cli('kill', name);
    await run.until(/Ended +exit code 137/);
    cli('start', name);
    await run.until(/running, started, not ready, restarts [12]/);
  });

  it('shows the output of a container that it is attached to', async () => {
    const wait = 'until test -f /tmp/go; do sleep 0.1; done; rm /tmp/go';
    const script = `for n in 1 2 3; do echo old $n; done; ${wait}; echo new; echo why >&2; exit 4`;
    const name = container(script);
    const run = kprobe('run', podFile({}), '--docker', name, '--logs', '--for', '170s');
    await run.until(/stdout +old 1\n[^]*stdout +old 3\n/);
    cli('exec', name, 'touch', '/tmp/go');
    await run.until(/stdout +new\n/);
    await run.until(/stderr +why\n[^]*Ended +exit code 4/);
    cli('start', name);
    await run.until(/Ended +exit code 4[^]*stdout +old 1/);
    expect(run.output.match(/stdout +old 1/g)).toHaveLength(2);
  });

  it('makes a pod, restarts it, and removes it', async () => {
    const pod = podFile(
      {
        command: ['sh', '-c', `echo made; ${SERVE}`],
        // Ready when the hook has run, and dead when the test says so.
        readinessProbe: exec('test', '-f', '/tmp/hook'),
        livenessProbe: { ...exec('test', '!', '-f', '/tmp/bad'), failureThreshold: 1 },
        lifecycle: { postStart: { exec: { command: ['touch', '/tmp/hook'] } } },
      },
      { terminationGracePeriodSeconds: 30 },
    );
    const run = kprobe('run', pod, '--create', ...NETWORK, '--logs', '--for', '170s', '-v');
    await run.until(/stdout +made/);
    await run.until(/running, started, ready/);
    const [app = ''] = kprobeContainers(engine()).filter((each) => each.includes('-app-'));
    cli('exec', app, 'touch', '/tmp/bad');
    await run.until(/Ended +exit code 3/);
    await run.until(/running, started, ready, restarts 1/);
    expect(await run.end()).toBe(130);
  });

  it('takes over what a killed run has left, or removes it', async () => {
    const pod = podFile({ command: ['sh', '-c', SERVE], readinessProbe: exec('true') });
    const first = kprobe('run', pod, '--create', ...NETWORK, '--for', '170s');
    await first.until(/started, ready/);
    first.kill('SIGKILL');
    await first.exitCode;
    const left = leftovers(engine());
    expect(left).toHaveLength(3);
    const adopted = kprobe('run', pod, '--create', ...NETWORK, '--adopt', '--for', '170s', '-v');
    await adopted.until(/readiness +success/);
    expect(leftovers(engine())).toEqual(left);
    expect(adopted.output).not.toContain('Container created');
    adopted.kill('SIGKILL');
    await adopted.exitCode;
    const down = kprobe('down');
    expect(await down.exitCode).toBe(0);
    expect(down.output).toContain('removed default/pod\n');
  });
});
