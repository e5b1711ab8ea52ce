import { copyFileSync } from 'node:fs';

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { sleep } from '../../src/clock/clock.js';
import { RealClock } from '../../src/clock/real-clock.js';
import { freePort } from '../helpers/free-port.js';
import {
  docker,
  ensureNetwork,
  IMAGE,
  kprobeContainers,
  leftovers,
  requireEngine,
} from './engine.js';
import type { Kprobe } from './kprobe.js';
import { startKprobe } from './kprobe.js';
import { podFile, textFile } from './pod-file.js';

beforeAll(requireEngine);

const started: Kprobe[] = [];

function kprobe(...args: string[]): Kprobe {
  const run = startKprobe(args);
  started.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((run) => run.end()));
  await startKprobe(['down']).exitCode;
  expect(leftovers()).toEqual([]);
});

const SERVE = 'trap "exit 143" TERM; while :; do sleep 0.1; done';
const shell = (script: string) => ({ command: ['sh', '-c', script] });

describe('kprobe run --create', () => {
  it('makes the pod with its environment, volumes and identity, and removes it at the end', async () => {
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'conf' },
      data: { greeting: 'hello', 'a.txt': 'text' },
    };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key' },
      stringData: { password: 'hidden' },
    };
    const script = [
      'echo "env $GREETING $SECRET $POD $CPU"',
      'echo "args $0 $1"',
      'echo "conf $(cat /conf/a.txt) $(stat -Lc %a /conf/a.txt) $(touch /conf/x 2>&1)"',
      'echo "labels $(cat /all/labels)"',
      'echo "sub $(ls -d /sub) $(cat /one)"',
      'echo "id $(id -u):$(id -g) $(id -G)"',
      'echo "host $(hostname) $(pwd)"',
      'echo "memory $(cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max)"',
      'echo "root $(touch /x 2>&1)"',
      SERVE,
    ].join('; ');
    const app = {
      name: 'app',
      image: IMAGE,
      imagePullPolicy: 'IfNotPresent',
      command: ['sh', '-c', script],
      args: ['zero', '$(GREETING)-$(UNKNOWN)'],
      workingDir: '/tmp',
      env: [
        { name: 'GREETING', valueFrom: { configMapKeyRef: { name: 'conf', key: 'greeting' } } },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'key', key: 'password' } } },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      ],
      resources: { limits: { memory: '64Mi', cpu: '500m' }, requests: { cpu: '100m' } },
      securityContext: { runAsUser: 1000, runAsGroup: 2000, readOnlyRootFilesystem: true },
      volumeMounts: [
        { name: 'conf', mountPath: '/conf' },
        { name: 'data', mountPath: '/sub', subPath: 'a/b' },
        { name: 'conf', mountPath: '/one', subPath: 'greeting' },
        { name: 'all', mountPath: '/all' },
        { name: 'data', mountPath: '/tmp' },
      ],
    };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'full', labels: { app: 'x' } },
      spec: {
        terminationGracePeriodSeconds: 2,
        securityContext: { fsGroup: 3000 },
        containers: [app],
        volumes: [
          { name: 'conf', configMap: { name: 'conf', defaultMode: 0o440 } },
          { name: 'data', emptyDir: {} },
          {
            name: 'all',
            projected: {
              sources: [
                {
                  downwardAPI: {
                    items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }],
                  },
                },
                { secret: { name: 'key' } },
              ],
            },
          },
        ],
      },
    };
    const file = textFile([config, secret, pod].map((o) => JSON.stringify(o)).join('\n---\n'));
    const run = kprobe('run', file, '--create', '--logs', '--for', '170s');
    await run.until(/root .*/);
    for (const text of [
      'env hello *** full 1',
      'args zero hello-$(UNKNOWN)',
      'conf text 440 touch: /conf/x: Read-only file system',
      'labels app="x"',
      'sub /sub hello',
      'id 1000:2000 2000 3000',
      'host full /tmp',
      'memory 67108864',
      'root touch: /x: Read-only file system',
    ]) {
      await run.until(text);
    }
    const labels = docker([
      'ps',
      '--filter',
      'label=io.kubernetes.pod.name=full',
      '--format',
      '{{.Label "io.kubernetes.container.name"}}',
    ]);
    expect(labels).toBe('app');
    expect(await run.end()).toBe(130);
    expect(kprobeContainers()).toEqual([]);
  });

  it.each([
    ['at published ports', [], /probed at published ports of 127\.0\.0\.1/],
    ['from within', ['--via', 'exec'], /probed from within the pod's network/],
  ])("probes a pod on a network of the engine's %s", async (_, options, text) => {
    const pod = podFile({
      ...shell('touch /tmp/index.html; httpd -f -p 8080 -h /tmp'),
      readinessProbe: { httpGet: { port: 8080, path: '/index.html' }, periodSeconds: 1 },
      livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
    });
    const network = ensureNetwork();
    const args = ['--create', '--network', network, ...options, '--for', '170s', '-v'];
    const run = kprobe('run', pod, ...args);
    await run.until(/Probe +readiness +success/);
    await run.until(/Probe +liveness +success/);
    await run.until(text);
  });

  it('is reached on the host network at 127.0.0.1', async () => {
    const port = await freePort();
    const pod = podFile(
      {
        ...shell(`touch /tmp/index.html; httpd -f -p 127.0.0.1:${port} -h /tmp`),
        readinessProbe: { httpGet: { port, path: '/index.html' }, periodSeconds: 1 },
      },
      { hostNetwork: true },
    );
    const run = kprobe('run', pod, '--create', '--for', '170s', '-v');
    await run.until(/Probe +readiness +success/);
  });

  it('runs hooks in the container, and takes its last words', async () => {
    const file = podFile(
      {
        ...shell(
          `trap 'echo -n "last words $(cat /tmp/hook)" > /dev/termination-log; exit 5' TERM; while :; do sleep 0.1; done`,
        ),
        lifecycle: {
          postStart: { exec: { command: ['sh', '-c', 'echo started > /tmp/hook'] } },
          preStop: { exec: { command: ['sh', '-c', 'echo stopping >> /tmp/hook'] } },
        },
        livenessProbe: {
          exec: { command: ['false'] },
          periodSeconds: 1,
          failureThreshold: 1,
          initialDelaySeconds: 2,
        },
      },
      { terminationGracePeriodSeconds: 30 },
    );
    const run = kprobe('run', file, '--create', '-o', 'json', '--until', 'restarted');
    await run.until(/"kind":"exited".*"exitCode":5/);
    await run.until(/last words started\\nstopping/);
  });

  it('says that a container was killed for its memory', async () => {
    const pod = podFile(
      { ...shell('sleep 1; exec tail /dev/zero'), resources: { limits: { memory: '16Mi' } } },
      { restartPolicy: 'Never' },
    );
    const run = kprobe('run', pod, '--create', '--until', 'failed', '--timeout', '170s');
    expect(await run.exitCode).toBe(0);
    expect(run.output).toMatch(/Run +Ended +exit code 137, OOMKilled/);
    expect(run.output).toContain('terminated OOMKilled 137');
  });

  it('says what is wrong with an image, and backs off', async () => {
    const file = podFile({
      ...shell(SERVE),
      image: 'kprobe-no-such-image:1',
      imagePullPolicy: 'Never',
    });
    const run = kprobe('run', file, '--create', '--for', '170s');
    await run.until(
      /ErrImageNeverPull: |Container image "kprobe-no-such-image:1" is not present with pull policy of Never/,
    );
    await run.until(/waiting ErrImageNeverPull/);
  });

  it('shows what cannot be started with the words of the runtime', async () => {
    const run = kprobe(
      'run',
      podFile({ command: ['/no/such/program'] }),
      '--create',
      '--for',
      '170s',
    );
    await run.until(
      /Error: failed to create (?:task|shim).*\/no\/such\/program.*no such file or directory/,
    );
    await run.until(/waiting (?:RunContainerError|CrashLoopBackOff)|terminated StartError 128/);
  });

  it.each([
    [
      'a volume of a cluster',
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
      /persistentVolumeClaim volume needs a cluster/,
    ],
    [
      'a folder of this machine',
      { volumes: [{ name: 'v', hostPath: { path: '/etc' } }] },
      /would mount \/etc of this machine.*--allow-host-path/,
    ],
    [
      'a ConfigMap that is not there',
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
      /no ConfigMap default\/c in the manifests/,
    ],
    [
      'the processes of this machine',
      { hostPID: true },
      /shares this machine's namespace.*--allow-privileged/,
    ],
  ])('refuses %s before it starts anything', async (_, spec, text) => {
    const run = kprobe('run', podFile(shell(SERVE), spec), '--create');
    expect(await run.exitCode).toBe(2);
    expect(run.output).toMatch(text);
    expect(kprobeContainers()).toEqual([]);
  });

  it('two runs of one manifest side by side do not meet', async () => {
    const file = podFile(shell(SERVE));
    const runs = [1, 2].map(() => kprobe('run', file, '--create', '--for', '170s'));
    await Promise.all(runs.map((run) => run.until(/running, started, ready/)));
    expect(kprobeContainers()).toHaveLength(4);
    await runs[0]!.end();
    expect(kprobeContainers()).toHaveLength(2);
  });

  it('after a kill -9, says what to do; --adopt goes on with the same containers', async () => {
    const file = podFile({
      ...shell(SERVE),
      readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
    });
    const killed = kprobe('run', file, '--create', '--for', '170s');
    await killed.until(/started, ready/);
    const before = kprobeContainers();
    killed.kill('SIGKILL');
    await killed.exitCode;
    expect(kprobeContainers()).toEqual(before);

    const asked = kprobe('run', file, '--create');
    expect(await asked.exitCode).toBe(2);
    expect(asked.output).toContain(
      'left default/pod (2 containers): add --adopt to take it over, or --replace to remove it first',
    );

    const adopted = kprobe('run', file, '--create', '--adopt', '--for', '170s');
    await adopted.until(/readiness +success/);
    expect(kprobeContainers()).toEqual(before);
    expect(adopted.output).not.toContain('Container created');
    await adopted.end();
    expect(kprobeContainers()).toEqual([]);
  });

  it('after a kill -9, --replace makes the pod anew', async () => {
    const file = podFile(shell(SERVE));
    const killed = kprobe('run', file, '--create', '--for', '170s');
    await killed.until(/started, ready/);
    const before = kprobeContainers();
    killed.kill('SIGKILL');
    await killed.exitCode;
    const run = kprobe('run', file, '--create', '--replace', '--for', '170s');
    await run.until(/started, ready/);
    expect(kprobeContainers().filter((name) => before.includes(name))).toEqual([]);
  });

  it('--keep leaves the pod, and kprobe down removes it, but not what runs', async () => {
    const kept = kprobe(
      'run',
      podFile(shell(SERVE), {}, 'kept'),
      '--create',
      '--keep',
      '--until',
      'ready',
    );
    expect(await kept.exitCode).toBe(0);
    const running = kprobe(
      'run',
      podFile(shell(SERVE), {}, 'running'),
      '--create',
      '--for',
      '170s',
    );
    await running.until(/started, ready/);
    const down = startKprobe(['down']);
    expect(await down.exitCode).toBe(0);
    expect(down.output).toContain(
      'removed default/kept\nleft default/running: a running kprobe uses it\n',
    );
    expect(kprobeContainers()).toHaveLength(2);
  });

  it.each([
    ['SIGINT', 'while its sandbox is made', /Pending/],
    ['SIGTERM', 'while its sandbox is made', /Pending/],
    ['SIGHUP', 'while its sandbox is made', /Pending/],
    ['SIGTERM', 'while its containers are made', /Normal +Pulled/],
    ['SIGINT', 'once it runs', /started, ready|started, not ready/],
    ['SIGTERM', 'while a container is stopped', /Killing/],
  ] as const)('on %s %s, nothing is left', async (signal, _, stage) => {
    const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 2 };
    const pod = podFile({ ...shell('trap "" TERM; sleep 1000'), livenessProbe });
    const run = kprobe('run', pod, '--create', '--for', '170s');
    await run.until(stage);
    run.kill(signal);
    expect(await run.exitCode).toBeGreaterThan(128);
    expect(leftovers()).toEqual([]);
  });

  it.each(['100ms', '300ms', '600ms', '1s'])(
    'ends after %s whatever was being made, in the order of time, and nothing is left',
    async (limit) => {
      const run = kprobe('run', podFile(shell(SERVE)), '--create', '--for', limit, '-o', 'json');
      expect([0, 1, 3]).toContain(await run.exitCode);
      const times = [...run.output.matchAll(/^\{"t":([\d.]+),/gm)].map(([, t]) => Number(t));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(leftovers()).toEqual([]);
    },
  );

  it('on SIGHUP again and again, as a terminal sends it that is closed, nothing is left', async () => {
    const run = kprobe('run', podFile(shell(SERVE)), '--create', '--for', '170s');
    await run.until(/started, ready/);
    for (let time = 0; time < 3; time++) {
      run.kill('SIGHUP');
      await sleep(new RealClock(), 50);
    }
    expect(await run.exitCode).toBe(129);
    expect(leftovers()).toEqual([]);
  });

  it('shows the last lines of a run that died beside its end, and takes up a changed manifest', async () => {
    const dying = podFile(shell('echo starting; sleep 2; echo no database >&2; exit 1'));
    const run = kprobe('run', dying, '--create', '--watch', '--for', '170s');
    await run.until(/Output +stderr +no database\n.*Run +Ended +exit code 1/);
    copyFileSync(podFile(shell(`echo mended; ${SERVE}`)), dying);
    await run.until(/the pod's update was requested/);
    const logs = (): readonly string[] =>
      kprobeContainers()
        .filter((name) => name.includes('-app-'))
        .map((name) => docker(['logs', name]));
    await vi.waitFor(() => expect(logs()).toContain('mended'), { timeout: 120_000, interval: 500 });
  });
});
