import { resolve } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { sleep } from '../../src/clock/clock.js';
import { RealClock } from '../../src/clock/real-clock.js';
import { freePort } from '../helpers/free-port.js';
import { dockerWrapper } from './docker-wrapper.js';
import { docker, ensureNetwork, IMAGE, requireEngine } from './engine.js';
import type { Kprobe } from './kprobe.js';
import { startKprobe } from './kprobe.js';
import { podFile } from './pod-file.js';

/** With this machine's Node, which the image has not. */
const GRPC_SERVER = resolve(import.meta.dirname, '../fixtures/processes/grpc-health.js');

beforeAll(requireEngine);

const made: string[] = [];
const started: Kprobe[] = [];
let next = 0;

/** Starts a container of this script; it is removed after the test. */
function container(script: string, ...options: string[]): string {
  const name = `kprobe-attach-${process.pid}-${next++}`;
  made.push(name);
  const network = options.includes('--network') ? [] : ['--network', 'none'];
  docker(['run', '-d', '--name', name, ...network, ...options, IMAGE, 'sh', '-c', script]);
  return name;
}

function kprobe(...args: string[]): Kprobe {
  const run = startKprobe(args);
  started.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  const names = made.splice(0);
  if (names.length > 0) docker(['rm', '--force', ...names]);
});

const SERVE = 'trap "exit 3" TERM; while :; do sleep 0.1; done';
/** An engine on a busy machine may need longer than a second for a command. */
const exec = (...command: string[]) => ({ exec: { command }, periodSeconds: 1, timeoutSeconds: 5 });

describe('kprobe run --docker', () => {
  it('runs exec probes in the container, and takes their exit code', async () => {
    const name = container(`touch /tmp/ok; ${SERVE}`);
    const pod = podFile({ readinessProbe: exec('test', '-f', '/tmp/ok') });
    const run = kprobe('run', pod, '--docker', name, '--until', 'ready', '--timeout', '170s');
    expect(await run.exitCode).toBe(0);
    expect(run.output).toContain(`attached to ${name}`);
  });

  it('throws away what could not be started, as the kubelet does', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('no-such-command', '-x') });
    const run = kprobe('run', pod, '--docker', name, '--timeout', '170s');
    await run.until(/not counted after 3 tries/);
    await run.until('"no-such-command": executable file not found in $PATH: unknown');
  });

  it.each([
    [126, /Readiness probe failed: (?:out )?\(1 of/],
    [127, /Readiness probe failed: (?:out )?\(1 of/],
  ])('takes a command that exits %i by itself for a failure', async (code, text) => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('sh', '-c', `exit ${code}`) });
    const run = kprobe('run', pod, '--docker', name, '--timeout', '170s');
    await run.until(text);
  });

  it('ends in the container what a command has left that ran out of time, and says so', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('sh', '-c', 'sleep 4321 & sleep 1234') });
    const run = kprobe('run', pod, '--docker', name, '--timeout', '170s');
    await run.until(/the kubelet would leave them.*sleep 4321/);
    await run.end();
    expect(docker(['exec', name, 'ps'])).not.toMatch(/sleep (?:4321|1234)/);
  });

  it('sees a restart from outside as a new run, with the exit code of the last one', async () => {
    const name = container(SERVE);
    const run = kprobe('run', podFile({}), '--docker', name, '--for', '170s');
    await run.until(/running, started, ready/);
    docker(['restart', '--time', '5', name]);
    await run.until(/Ended +exit code 3/);
    await run.until(/restarts 1/);
  });

  it('sees a container made anew under its name as a new run', async () => {
    const name = container(SERVE);
    const run = kprobe('run', podFile({}), '--docker', name, '--for', '170s');
    await run.until(/running, started, ready/);
    docker(['rm', '--force', name]);
    await run.until(/Ended +exit code 137/);
    docker(['run', '-d', '--name', name, '--network', 'none', IMAGE, 'sh', '-c', SERVE]);
    // One more where the kubelet has tried to start it meanwhile.
    await run.until(/running, started, ready, restarts [12]/);
  });

  it('follows a container that is renamed, and not another one that takes its name', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: exec('true') });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/readiness +success/);
    const renamed = `${name}-old`;
    made.push(renamed);
    docker(['rename', name, renamed]);
    docker(['run', '-d', '--name', name, '--network', 'none', IMAGE, 'sh', '-c', SERVE]);
    await run.until(/(?:readiness +success[^]*){4}/);
    expect(run.output).not.toContain('Ended');
    docker(['kill', '--signal', 'TERM', renamed]);
    await run.until(/Ended +exit code 3/);
  });

  it('reads the output of a run that ends at once after a restart of its own', async () => {
    const leftover =
      '[ -e /tmp/app.pid ] && { echo app.pid exists >&2; exit 1; }; touch /tmp/app.pid';
    const name = container(`${leftover}; ${SERVE}`);
    const pod = podFile({ livenessProbe: { ...exec('false'), failureThreshold: 1 } });
    const run = kprobe('run', pod, '--docker', name, '--restart', 'real', '--for', '170s');
    await run.until(/app crashed 1 × \(exit 1\): app\.pid exists.*Let its command remove/);
  });

  it('counts an end that no relist has seen when the time is up', async () => {
    const env = dockerWrapper('test "$1" = events && exit 1; exec "$DOCKER" "$@"');
    const name = container(SERVE);
    const run = startKprobe(['run', podFile({}), '--docker', name, '--for', '20s'], env);
    started.push(run);
    await run.until(/started, ready/);
    // No relist is over before the time is up: kprobe stands still until then.
    run.kill('SIGSTOP');
    docker(['kill', name]);
    await sleep(new RealClock(), 20_000);
    run.kill('SIGCONT');
    expect(await run.exitCode).toBe(1);
    expect(run.output).toMatch(/app ended with exit code 137/);
  });

  it('names the engine that was asked to end a container', async () => {
    const name = container(SERVE);
    const run = kprobe('run', podFile({}), '--docker', name, '--for', '170s');
    await run.until(/started, ready/);
    docker(['kill', name]);
    await run.until(/Cause .*\(exit 137\): somebody had docker send it KILL/);
  });

  it('shows the end and the output of a container that has ended before, and --until stable ends', async () => {
    const name = container('echo no license >&2; exit 3');
    docker(['wait', name]);
    const run = kprobe(
      'run',
      podFile({}),
      '--docker',
      name,
      '--until',
      'stable',
      '--timeout',
      '60s',
    );
    expect(await run.exitCode).toBe(1);
    expect(run.output).toMatch(
      /Cause .*app crashed 1 × \(exit 3\): its last line: no license → kprobe goes on/,
    );
    expect(run.output).toContain('app ended with exit code 3, and nothing starts it again');
    expect(run.output).not.toContain('BackOff');
  });

  it('says why a container ended that its engine is about to start again', async () => {
    const name = container('echo no license >&2; exit 3', '--restart', 'always');
    const restarts = () => Number(docker(['inspect', '--format', '{{.RestartCount}}', name]));
    // The engine waits longer each time, soon for seconds.
    await expect.poll(restarts, { timeout: 120_000, interval: 200 }).toBeGreaterThan(5);
    const run = kprobe('run', podFile({}), '--docker', name, '--timeout', '60s');
    expect(await run.exitCode).toBe(1);
    expect(run.output).toMatch(/Cause .*app crashed \d+ × \(exit 3\): its last line: no license/);
  });

  it('with --restart real stops and starts the container', async () => {
    const name = container(`rm -f /tmp/bad; ${SERVE}`);
    const before = docker(['inspect', '--format', '{{.State.StartedAt}}', name]);
    const livenessProbe = { ...exec('test', '!', '-f', '/tmp/bad'), failureThreshold: 1 };
    const pod = podFile({ livenessProbe }, { terminationGracePeriodSeconds: 30 });
    const run = kprobe('run', pod, '--docker', name, '--restart', 'real', '--for', '170s');
    await run.until(/liveness +success/);
    docker(['exec', name, 'touch', '/tmp/bad']);
    await run.until(/Ended +exit code 3/);
    await run.until(/restarts 1/);
    expect(docker(['inspect', '--format', '{{.State.StartedAt}}', name])).not.toBe(before);
  });

  it('runs no hooks in a container whose restarts are simulated, and says so', async () => {
    const name = container(`rm -f /tmp/bad; ${SERVE}`);
    const hook = { exec: { command: ['sh', '-c', 'echo ran >> /tmp/hook; kill 1'] } };
    const livenessProbe = { ...exec('false'), failureThreshold: 1, initialDelaySeconds: 1 };
    const pod = podFile({ lifecycle: { postStart: hook, preStop: hook }, livenessProbe });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s');
    await run.until(/restarts 1/);
    await run.until(
      'hooks do not run, since restarts are simulated: postStart of app, preStop of app (--run-hooks runs them)',
    );
    expect(docker(['inspect', '--format', '{{.State.Running}}', name])).toBe('true');
    expect(docker(['exec', name, 'ls', '/tmp'])).toBe('');
  });

  it('with --run-hooks runs them, and says so', async () => {
    const name = container(SERVE);
    const preStop = { exec: { command: ['touch', '/tmp/hook'] } };
    const livenessProbe = { ...exec('false'), failureThreshold: 1, initialDelaySeconds: 1 };
    const pod = podFile({ lifecycle: { preStop }, livenessProbe });
    const run = kprobe('run', pod, '--docker', name, '--run-hooks', '--for', '170s');
    await run.until(/restarts 1/);
    await run.until('hooks run although restarts are simulated: preStop of app');
    expect(docker(['exec', name, 'ls', '/tmp'])).toBe('hook');
  });

  it('makes HTTP and TCP attempts from within with --via exec', async () => {
    const name = container('touch /tmp/index.html; httpd -p 8080 -h /tmp; sleep 1000');
    const pod = podFile({
      ports: [{ containerPort: 8080, name: 'http' }],
      readinessProbe: { httpGet: { port: 'http', path: '/index.html' }, periodSeconds: 1 },
      livenessProbe: { tcpSocket: { port: 9999 }, periodSeconds: 1 },
    });
    const run = kprobe('run', pod, '--docker', name, '--via', 'exec', '--for', '170s');
    await run.until(/readiness +success/);
    await run.until(/dial tcp 127\.0\.0\.1:9999: connect: connection refused/);
    await run.until(
      "port 8080 of app is reached at 127.0.0.1:8080 (from within the container's network)",
    );
  });

  it('goes to the published port', async () => {
    const network = ensureNetwork();
    const script = 'touch /tmp/index.html; httpd -f -p 8080 -h /tmp';
    const name = container(script, '--network', network, '--publish', '127.0.0.1::8080');
    const pod = podFile({
      readinessProbe: { httpGet: { port: 8080, path: '/index.html' }, periodSeconds: 1 },
      livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
    });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/Probe +readiness +success/);
    await run.until(/Probe +liveness +success/);
    await run.until(/port 8080 of app is reached at 127\.0\.0\.1:\d+ \(the published port\)/);
  });

  it('asks a gRPC server in the container', async () => {
    const port = await freePort();
    const command = ['chroot', '/host', process.execPath, GRPC_SERVER, `${port}`].join(' ');
    const name = container(command, '--network', 'host', '--volume', '/:/host:ro');
    const pod = podFile({ readinessProbe: { grpc: { port }, periodSeconds: 1 } });
    const run = kprobe('run', pod, '--docker', name, '--until', 'ready', '--timeout', '170s');
    expect(await run.exitCode).toBe(0);
    expect(run.output).toMatch(/Probe +readiness +success/);
  });

  it('goes to 127.0.0.1 on the network of the host', async () => {
    const port = await freePort();
    const name = container(
      `touch /tmp/index.html; httpd -p 127.0.0.1:${port} -h /tmp; sleep 1000`,
      '--network',
      'host',
    );
    const pod = podFile({ readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } });
    const run = kprobe('run', pod, '--docker', name, '--until', 'ready', '--timeout', '170s');
    expect(await run.exitCode).toBe(0);
    expect(run.output).toContain(
      `port ${port} of app is reached at 127.0.0.1:${port} (the host's network)`,
    );
  });

  it('reaches a container in the network of another one, until that is removed', async () => {
    const holder = container('sleep 1000', '--network', ensureNetwork());
    const script = 'touch /tmp/index.html; httpd -f -p 8080 -h /tmp';
    const name = container(script, '--network', `container:${holder}`);
    const pod = podFile({
      readinessProbe: { httpGet: { port: 8080, path: '/index.html' }, periodSeconds: 1 },
    });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s', '-v');
    await run.until(/Probe +readiness +success/);
    docker(['rm', '--force', holder]);
    await run.until(`${name} is in the network of a container that does not run`);
  });

  it('says of a container that was never started how to start it', async () => {
    const name = container('sleep 1000');
    docker(['rm', '--force', name]);
    docker(['create', '--name', name, '--network', ensureNetwork(), IMAGE, 'sleep', '1000']);
    const pod = podFile({ readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 } });
    const run = kprobe('run', pod, '--docker', name, '--for', '170s');
    await run.until(`container ${name} was never started: docker start ${name}`);
  });

  it('says of a port that cannot be reached what to do, before it starts', async () => {
    const name = container(SERVE);
    const pod = podFile({ readinessProbe: { tcpSocket: { port: 8080 } } });
    const run = kprobe('run', pod, '--docker', name);
    expect(await run.exitCode).toBe(2);
    expect(run.output).toMatch(/pod\.yaml:\d+:\d+: error: .*has no network \(add --via exec\)/);
  });

  it('names the containers of a service of compose', async () => {
    const service = `kprobe-service-${process.pid}`;
    const name = container(SERVE, '--label', `com.docker.compose.service=${service}`);
    const run = kprobe('run', podFile({}), '--docker', service);
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain(
      `no such container: ${service} (of this service of compose: ${name})`,
    );
  });

  it('says which container is not there', async () => {
    const run = kprobe('run', podFile({}), '--docker', 'kprobe-no-such');
    expect(await run.exitCode).toBe(2);
    expect(run.output).toContain(
      'no such container: kprobe-no-such (docker ps -a lists all containers)',
    );
  });
});
