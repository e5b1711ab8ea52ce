import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKprobe } from '../container/kprobe.js';
import { apply, createNamespace, kubeconfig, kubectl } from './kubectl.js';

/** Ten Deployments that get ready: five stay so, and five have a fault that restarts them within two minutes. */

const NAMESPACE = `stable-${process.pid}`;
const FLAGS = ['-n', NAMESPACE, '--kubeconfig', kubeconfig()];

const IDLE = 'exec sleep 10000';
const SUCCESS = { exec: { command: ['true'] }, timeoutSeconds: 5 };
const FAILURE = { exec: { command: ['false'] }, timeoutSeconds: 5 };

interface Case {
  readonly container: object;
  readonly isStable: boolean;
}

function run(script: string, probes: object = {}): object {
  const command = ['sh', '-c', script];
  const image = { image: 'local/box:1', imagePullPolicy: 'Never' };
  return { name: 'app', ...image, command, readinessProbe: SUCCESS, ...probes };
}

const CASES: Readonly<Record<string, Case>> = {
  'no-liveness': { isStable: true, container: run(IDLE) },
  'good-liveness': { isStable: true, container: run(IDLE, { livenessProbe: SUCCESS }) },
  'late-liveness': {
    isStable: true,
    container: run(IDLE, { livenessProbe: { ...SUCCESS, initialDelaySeconds: 40 } }),
  },
  'slow-start': {
    isStable: true,
    container: run(`sleep 15; touch /tmp/up; ${IDLE}`, {
      startupProbe: { exec: { command: ['test', '-e', '/tmp/up'] }, failureThreshold: 30 },
      livenessProbe: SUCCESS,
    }),
  },
  'fails-once': {
    isStable: true,
    container: run(IDLE, {
      livenessProbe: {
        exec: { command: ['sh', '-c', 'test -e /tmp/once || { touch /tmp/once; false; }'] },
        timeoutSeconds: 5,
      },
    }),
  },
  'killed-at-30s': { isStable: false, container: run(IDLE, { livenessProbe: FAILURE }) },
  'killed-at-60s': {
    isStable: false,
    container: run(IDLE, { livenessProbe: { ...FAILURE, failureThreshold: 6 } }),
  },
  'killed-at-90s': {
    isStable: false,
    container: run(IDLE, { livenessProbe: { ...FAILURE, initialDelaySeconds: 60 } }),
  },
  'hangs-each-time': {
    isStable: false,
    container: run(IDLE, {
      livenessProbe: { exec: { command: ['sleep', '60'] }, periodSeconds: 20, timeoutSeconds: 3 },
    }),
  },
  'exits-after-8s': { isStable: false, container: run('sleep 8; exit 3') },
};

function deployment(name: string, container: object): object {
  const labels = { app: name };
  const spec = { hostNetwork: true, terminationGracePeriodSeconds: 1, containers: [container] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

beforeAll(() => createNamespace(NAMESPACE));

afterAll(() => {
  kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
});

it('--until stable is right about ten Deployments', { timeout: 600_000 }, async () => {
  const names = Object.keys(CASES);
  apply(
    NAMESPACE,
    names.map((name) => deployment(name, CASES[name]?.container ?? {})),
  );
  const watches = names.map((name) => {
    const watch = (until: string, limit: string) =>
      startKprobe([
        'watch',
        `deploy/${name}`,
        '--plain',
        '--until',
        until,
        '--timeout',
        limit,
        ...FLAGS,
      ]);
    return { name, ready: watch('ready', '170s'), stable: watch('stable', '170s') };
  });
  const found = await Promise.all(
    watches.map(async ({ name, ready, stable }) => {
      const codes = [await ready.exitCode, await stable.exitCode];
      return [name, { codes, output: stable.output.slice(-500) }] as const;
    }),
  );
  const wanted = names.map((name) => {
    const last = CASES[name]?.isStable === true ? 0 : 124;
    return [name, { codes: [0, last], output: expect.any(String) as string }];
  });
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
});

it('once --kube --until stable makes attempts until the pod is stable', async () => {
  const pod = kubectl([
    ...['get', 'pods', '-n', NAMESPACE, '-l', 'app=good-liveness'],
    ...['-o', 'jsonpath={.items[0].metadata.name}'],
  ]);
  const words = ['once', '--kube', `pod/${pod}`, '--until', 'stable', '--timeout', '120s'];
  const once = startKprobe([...words, ...FLAGS]);
  expect([await once.exitCode, once.output]).toEqual([
    0,
    expect.stringMatching(/stable at the earliest in [^]* stable after/),
  ]);
});
