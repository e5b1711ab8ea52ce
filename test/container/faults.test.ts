import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createConnectionServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { sleep } from '../../src/clock/clock.js';
import { RealClock } from '../../src/clock/real-clock.js';
import { dockerWrapper, withoutDocker } from './docker-wrapper.js';
import { docker, IMAGE, kprobeContainers, leftovers, requireEngine } from './engine.js';
import { type Kprobe, startKprobe } from './kprobe.js';
import { OwnEngine } from './own-engine.js';
import { podFile } from './pod-file.js';

beforeAll(requireEngine);

const started: Kprobe[] = [];
const engines: OwnEngine[] = [];
const made: string[] = [];

function kprobe(env: NodeJS.ProcessEnv, ...args: string[]): Kprobe {
  const run = startKprobe(args, env);
  started.push(run);
  return run;
}

function ownEngine(options?: { readonly size: string }): OwnEngine {
  const engine = new OwnEngine(options);
  engines.push(engine);
  return engine;
}

/** Starts a container of this script beside kprobe. */
function container(env: NodeJS.ProcessEnv, script: string, ...options: string[]): string {
  const name = `kprobe-fault-${process.pid}-${made.length}`;
  if (env === process.env) made.push(name);
  const about = ['--name', name, '--network', 'none', ...options];
  docker(['run', '-d', ...about, IMAGE, 'sh', '-c', script], { env });
  return name;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  for (const engine of engines.splice(0)) engine.remove();
  if (made.length > 0) docker(['rm', '--force', ...made.splice(0)]);
  expect(leftovers()).toEqual([]);
});

const SERVE = 'trap "exit 143" TERM; while :; do sleep 0.1; done';
const shell = (script: string) => ({ command: ['sh', '-c', script] });
const exec = (...command: string[]) => ({
  exec: { command },
  periodSeconds: 1,
  timeoutSeconds: 5,
});

/** An environment with a socket that passes requests of this kind to the engine some milliseconds later. */
async function slowSocket(late: RegExp, delay: number): Promise<NodeJS.ProcessEnv> {
  const real = (process.env['DOCKER_HOST'] ?? '/var/run/docker.sock').replace('unix://', '');
  const path = join(mkdtempSync(join(tmpdir(), 'kprobe-socket-')), 'docker.sock');
  const server = createConnectionServer((client) => {
    const engine = connect(real);
    client.on('data', (chunk) => {
      const wait = late.test(chunk.toString('latin1')) ? delay : 0;
      void sleep(new RealClock(), wait).then(() => engine.write(chunk));
    });
    engine.pipe(client);
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  });
  await once(server.listen(path), 'listening');
  server.unref();
  return { ...process.env, DOCKER_HOST: `unix://${path}` };
}

/** What lets another user read the manifest, but not write to the engine's socket. */
const READ_ALL = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];

/** Expects that a command of 1 s ends within its six seconds although it begins six seconds late, and that one of 60 s does not. */
async function expectFullTimeouts(env: NodeJS.ProcessEnv): Promise<void> {
  const name = container(process.env, SERVE);
  const readinessProbe = { ...exec('sleep', '1'), timeoutSeconds: 6 };
  const livenessProbe = { ...exec('sleep', '60'), timeoutSeconds: 6, failureThreshold: 99 };
  const pod = podFile({ readinessProbe, livenessProbe });
  const run = kprobe(env, 'run', pod, '--docker', name, '--for', '170s', '-v');
  await run.until(/(?:Probe +readiness +success[^]*){2}/);
  await run.until(/Liveness probe failed: command timed out: "sleep 60" timed out after 6s/);
  expect(run.output).not.toMatch(/Readiness probe failed|liveness +success/);
}

/** Runs each command that needs an engine. */
async function expectRefusal(
  text: string,
  env: NodeJS.ProcessEnv,
  by: readonly string[] = [],
): Promise<void> {
  const pod = podFile(READY);
  for (const args of [
    ['run', pod, '--create'],
    ['run', pod, '--docker', 'web'],
    ['import', '--docker', 'web'],
    ['down'],
  ]) {
    const run = startKprobe(args, env, by);
    started.push(run);
    expect(await run.exitCode).toBe(3);
    expect(run.output).toContain(`kprobe: ${text}`);
  }
}

const READY = { ...shell(SERVE), readinessProbe: exec('true') };

describe('an engine that is killed and comes back', () => {
  it('is an error of the probes, and then a new run of what kprobe made', async () => {
    const engine = ownEngine();
    const run = kprobe(engine.env, 'run', podFile(READY), '--create', '--for', '170s', '-v');
    await run.until(/started, ready/);
    engine.signal('SIGKILL');
    await run.until(/Runtime +Down +the runtime cannot be reached: Cannot connect to the Docker/);
    await run.until(/unknown state: Cannot connect to the Docker.*not counted after 3 tries/);
    engine.start();
    await run.until(/Runtime +Up/);
    await run.until(/running, started, ready, restarts 1/);
    // One attempt may run out of time just as the engine is back.
    expect(run.output).not.toContain('2 of 3');
    expect(await run.end()).toBe(130);
    expect(leftovers({ env: engine.env })).toEqual([]);
  });

  it('is an error of a command that runs meanwhile, and no failure', async () => {
    const engine = ownEngine();
    const readinessProbe = { ...exec('sleep', '2'), timeoutSeconds: 10 };
    const pod = podFile({ ...shell(SERVE), readinessProbe });
    const run = kprobe(engine.env, 'run', pod, '--create', '--for', '170s', '-v');
    await run.until(/Probe +readiness +success/);
    const { length } = run.output;
    await expect
      .poll(() => docker(['ps', '--quiet', '--filter', 'name=-app-'], { env: engine.env }))
      .not.toBe('');
    const [app = ''] = kprobeContainers({ env: engine.env }).filter((name) =>
      name.includes('-app-'),
    );
    const execs = ['inspect', '--format', '{{json .ExecIDs}}', app];
    await expect.poll(() => docker(execs, { env: engine.env })).toContain('[');
    engine.signal('SIGKILL');
    await run.until(/unknown state: Cannot connect to the Docker.*not counted after 3 tries/);
    expect(run.output.slice(length)).not.toContain('Readiness probe failed');
  });

  it('is a new run of a container that it has started again itself', async () => {
    const engine = ownEngine();
    const name = container(engine.env, SERVE, '--restart', 'always');
    const pod = podFile({ readinessProbe: exec('true') });
    const run = kprobe(engine.env, 'run', pod, '--docker', name, '--for', '170s');
    await run.until(/started, ready/);
    engine.stop();
    await run.until(/Runtime +Down/);
    engine.start();
    await run.until(/Runtime +Up/);
    // One more where the kubelet has tried to start it meanwhile.
    await run.until(/running, started, ready, restarts [12]/);
  });

  it('fails no probe while it stands still for 20 s', async () => {
    const engine = ownEngine();
    const pod = podFile({ ...READY, livenessProbe: exec('true') });
    const run = kprobe(engine.env, 'run', pod, '--create', '--for', '170s', '-v');
    await run.until(/started, ready/);
    engine.signal('SIGSTOP');
    await run.until(/errored and resulted in unknown state: docker at \S+ did not answer in time/);
    await sleep(new RealClock(), 20_000);
    engine.signal('SIGCONT');
    const { length } = run.output;
    await expect.poll(() => run.output.slice(length)).toMatch(/ success/);
    expect(run.output).not.toMatch(/probe failed|restarts 1/);
  });

  it('when it is gone at the end, what was made is left for kprobe down', async () => {
    const engine = ownEngine();
    const run = kprobe(engine.env, 'run', podFile(READY), '--create', '--for', '170s');
    await run.until(/started, ready/);
    engine.signal('SIGKILL');
    expect(await run.end()).toBe(130);
    expect(run.output).toContain('could not remove everything, run kprobe down later');
    engine.start();
    const down = kprobe(engine.env, 'down');
    expect(await down.exitCode).toBe(0);
    expect(down.output).toContain('removed default/pod\n');
    expect(leftovers({ env: engine.env })).toEqual([]);
  });
});

describe('a network that this process may not enter', () => {
  const within = ['setpriv', '--bounding-set=-sys_admin'];
  const pod = () => podFile({ ...shell(SERVE), readinessProbe: { tcpSocket: { port: 80 } } });

  it('is refused before anything is made', async () => {
    const run = startKprobe(['run', pod(), '--create', '--network', 'none'], process.env, within);
    started.push(run);
    expect(await run.exitCode).toBe(2);
    expect(run.output).toMatch(
      /network none, probes from within: cannot enter the container's network: .*Operation not permitted \(run kprobe as root\)/,
    );
  });

  it('is no matter to a pod with no probe of its network', async () => {
    const args = ['run', podFile(READY), '--create', '--network', 'none', '--until', 'ready'];
    const run = startKprobe(args, process.env, within);
    started.push(run);
    expect(await run.exitCode).toBe(0);
  });

  it('is refused with --via exec', async () => {
    const name = container(process.env, SERVE);
    const args = ['run', pod(), '--docker', name, '--via', 'exec'];
    const run = startKprobe(args, process.env, within);
    started.push(run);
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain(`--via exec: ${name}: cannot enter the container's network`);
  });
});

describe('containers that somebody else removes', () => {
  it('is made again: a container', async () => {
    const run = kprobe(process.env, 'run', podFile(READY), '--create', '--for', '170s');
    for (const restarts of ['', ', restarts 1', ', restarts 2']) {
      await run.until(new RegExp(`running, started, ready${restarts}$`, 'm'));
      docker(['rm', '--force', ...kprobeContainers().filter((name) => name.includes('-app-'))]);
    }
    await run.until(/Ended +exit code 137/);
  });

  it('is made again: the sandbox, and with it the containers', async () => {
    const run = kprobe(process.env, 'run', podFile(READY), '--create', '--for', '170s');
    await run.until(/started, ready/);
    docker(['rm', '--force', ...kprobeContainers().filter((name) => name.includes('-sandbox-'))]);
    await run.until(/Killing +Stopping container app/);
    await run.until(/running, started, ready, restarts 1/);
    expect(await run.end()).toBe(130);
  });
});

describe('an image that is missing', () => {
  it('is pulled in vain, later and later, until it is there', async () => {
    const unknown = { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] };
    const registry = createServer(({ url }, response) =>
      response.writeHead(url === '/v2/' ? 200 : 404).end(JSON.stringify(unknown)),
    );
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const image = `127.0.0.1:${(registry.address() as AddressInfo).port}/none:1`;
    const run = kprobe(
      process.env,
      'run',
      podFile({ ...READY, image }),
      '--create',
      '--for',
      '170s',
    );
    await run.until(/Failed +Failed to pull image "127\.0\.0\.1:\d+\/none:1": .*manifest unknown/);
    await run.until(/Failed +Error: ErrImagePull/);
    await run.until(/waiting ErrImagePull/);
    await run.until(/BackOff +Back-off pulling image "127\.0\.0\.1:\d+\/none:1"/);
    await run.until(/waiting ImagePullBackOff/);
    docker(['tag', IMAGE, image]);
    await run.until(/running, started, ready/);
    expect(await run.end()).toBe(130);
    docker(['rmi', image]);
    registry.close();
  });
});

describe('a disk that is full', () => {
  it("of the engine: no new container, in the engine's words", async () => {
    const engine = ownEngine({ size: '24m' });
    const script = 'trap "exit 1" TERM; until test -f /go; do sleep 0.1; done';
    const fill = 'dd if=/dev/zero of=/big bs=1M; while :; do sleep 0.1; done';
    const readinessProbe = exec('sh', '-c', 'echo 1 > /`date +%s`');
    const pod = podFile({ ...shell(`${script}; ${fill}`), readinessProbe });
    const run = kprobe(engine.env, 'run', pod, '--create', '--for', '170s', '-v');
    await run.until(/readiness +success/);
    const [app = ''] = kprobeContainers(engine).filter((name) => name.includes('-app-'));
    docker(['exec', app, 'touch', '/go'], engine);
    await run.until(/Readiness probe failed: .*No space left on device/);
    docker(['kill', '--signal', 'TERM', app], engine);
    await run.until(/Ended +exit code 1/);
    await run.until(/Failed +Error: .*no space left on device/);
    await run.until(/waiting CreateContainerError/);
    expect(await run.end()).toBe(130);
    expect(leftovers({ env: engine.env })).toEqual([]);
  });

  it('of a container: what its probe writes fails, and works again', async () => {
    const script = `touch /data/a; dd if=/dev/zero of=/data/big bs=1k; ${SERVE}`;
    const name = container(process.env, script, '--tmpfs', '/data:size=64k');
    const pod = podFile({ readinessProbe: exec('sh', '-c', 'echo 1 > /data/state') });
    const run = kprobe(process.env, 'run', pod, '--docker', name, '--for', '170s');
    await run.until(/Readiness probe failed: .*No space left on device/);
    docker(['exec', name, 'rm', '/data/big']);
    await run.until(/started, ready/);
  });
});

describe('a CLI', () => {
  it('that takes 200 ms longer shows the same', async () => {
    const env = dockerWrapper('sleep 0.2; exec "$DOCKER" "$@"');
    const livenessProbe = { ...exec('test', '!', '-f', '/tmp/bad'), failureThreshold: 1 };
    const pod = podFile(
      { ...shell(`rm -f /tmp/bad; ${SERVE}`), livenessProbe },
      { terminationGracePeriodSeconds: 30 },
    );
    const run = kprobe(env, 'run', pod, '--create', '--for', '170s', '-v');
    await run.until(/Probe +liveness +success/);
    docker([
      'exec',
      kprobeContainers().find((name) => name.includes('-app-'))!,
      'touch',
      '/tmp/bad',
    ]);
    await run.until(/Ended +exit code 143/);
    await run.until(/running, started, ready, restarts 1/);
    expect(await run.end()).toBe(130);
  });

  it('that takes 6 s longer takes no time from a command', () =>
    expectFullTimeouts(dockerWrapper('test "$1" = exec && sleep 6; exec "$DOCKER" "$@"')));

  it('whose event stream ends at once is asked every second', async () => {
    const lock = join(mkdtempSync(join(tmpdir(), 'kprobe-lock-')), 'lock');
    const look = `test "$2" = inspect && exec flock --shared ${lock} "$DOCKER" "$@"`;
    const env = dockerWrapper(`test "$1" = events && exit 1; ${look}; exec "$DOCKER" "$@"`);
    const name = container(env, SERVE);
    made.push(name);
    const attached = kprobe(env, 'run', podFile({}), '--docker', name, '--for', '170s');
    const script = 'test -f /data/again || { touch /data/again; sleep 3; exit 7; }; sleep 1000';
    const pod = podFile(
      { ...shell(script), volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      { volumes: [{ name: 'data', emptyDir: {} }] },
    );
    const created = kprobe(env, 'run', pod, '--create', '--for', '170s');
    await attached.until(/started, ready/);
    // Between two looks: how the first life has ended is not known.
    execFileSync('flock', [lock, 'docker', 'restart', '--time', '30', name]);
    await attached.until(/Ended +exit code 137[^]*restarts 1/);
    await created.until(/Ended +exit code 7[^]*running, started, ready, restarts 1/);
  });

  it.each([
    [
      'is not there',
      () => withoutDocker('missing'),
      'docker is not installed, or not on the PATH: install it, or choose another engine with --runtime',
    ],
    ['may not be run', () => withoutDocker('not executable'), 'docker may not be run by this user'],
    [
      'may not talk to the engine',
      () => dockerWrapper('exec setpriv --reuid 65534 --clear-groups "$DOCKER" "$@"'),
      'this user may not use docker: permission denied while trying to connect to the Docker daemon socket',
    ],
    [
      'finds no engine',
      () => ({ ...process.env, DOCKER_HOST: 'tcp://localhost:1' }),
      'Cannot connect to the Docker daemon at tcp://localhost:1. Is the docker daemon running?',
    ],
    [
      'finds another server',
      () => dockerWrapper('echo "Error response from daemon: <!DOCTYPE HTML>" >&2; exit 1'),
      'docker is set to a server that is not a container engine',
    ],
    [
      'is told of a context that is not there',
      () => {
        const { DOCKER_HOST: _host, ...env } = process.env;
        return { ...env, DOCKER_CONTEXT: 'nope' };
      },
      'context "nope"',
    ],
  ])('that %s is told of, by each command, with exit code 3', (_, environment, text) =>
    expectRefusal(text, environment()),
  );
});

describe('a socket', () => {
  it('whose engine starts a command 6 s later takes no time from it', async () => {
    await expectFullTimeouts(await slowSocket(/^POST \S+\/exec\/\w+\/start /, 6000));
  });

  it('with no engine is told of, by each command, with exit code 3', () =>
    expectRefusal(
      'Cannot connect to the Docker daemon at unix:///no/such/docker.sock. Is the docker daemon running?',
      { ...process.env, DOCKER_HOST: 'unix:///no/such/docker.sock' },
    ));

  it('that this user may not use is told of, by each command, with exit code 3', () =>
    expectRefusal(
      'this user may not use docker: permission denied while trying to connect to its socket at unix:///',
      process.env,
      [...['setpriv', '--reuid', '65534', '--clear-groups'], ...READ_ALL],
    ));

  it("that is another server's is told of, by each command, with exit code 3", async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'kprobe-socket-')), 'web.sock');
    const server = createServer((_, response) => response.writeHead(404).end('<h1>nothing</h1>'));
    await once(server.listen(path), 'listening');
    const env = { ...process.env, DOCKER_HOST: `unix://${path}` };
    await expectRefusal(`unix://${path} is not the socket of a container engine`, env);
    server.close();
  });
});
