import { describe, expect, it } from 'vitest';

import type { Container, Pod } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { aliveCheck, runCheck, startupCheck } from '../../../src/commands/ci/checks.js';
import { type CiEnd, type CiOptions, runChecks } from '../../../src/commands/ci/ci.js';
import type { ProbeOutcome } from '../../../src/kubelet/ports.js';
import { Session } from '../../../src/session/session.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { AttemptView } from '../../../src/trace/summary/probe-view.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { fakeTransports } from '../../helpers/fake-transports.js';
import { inProcess } from '../../helpers/in-process.js';
import { ListenedRuntime } from '../../helpers/listened-runtime.js';

interface Script extends Partial<Pick<CiOptions, 'strict' | 'timeout'>> {
  readonly spec?: Partial<Pod['spec']>;
  /** Returns true at a time in seconds at which attempts fail. */
  readonly fails?: (path: string, t: number) => boolean;
  /** Seconds after which the first run exits by itself, and its exit code. */
  readonly life?: number;
  readonly exitCode?: number;
  /** Seconds after which a signal comes. */
  readonly signal?: number;
  readonly isCreated?: boolean;
}

/** Checks a pod in virtual time. */
async function check(container: Partial<Container>, script: Script = {}): Promise<CiEnd> {
  const { spec, fails = () => false, life, exitCode = 4, strict = false, timeout = 300 } = script;
  const clock = new VirtualClock();
  const origin = clock.now();
  const runtime = new ListenedRuntime(clock);
  const http = (_: unknown, { url }: { url: { path: string } }): Promise<ProbeOutcome> =>
    Promise.resolve(
      fails(url.path, (clock.now() - origin) / 1000)
        ? { result: 'failure', output: 'failed', statusCode: 500 }
        : { result: 'success', output: '', statusCode: 200 },
    );
  const transports = { ...fakeTransports().transports, http };
  const session = new Session({
    ...{
      clock,
      hostIP: '127.0.0.1',
      kubeletAge: 3_600_000,
      kubelet: { version: '1.36' },
      transports,
    },
    createRuntime(listener) {
      runtime.listener = listener;
      return runtime;
    },
  });
  if (life !== undefined) clock.setTimeout(() => runtime.exit('app-1', exitCode), life * 1000);
  const stop = new AbortController();
  if (script.signal !== undefined) clock.setTimeout(() => stop.abort(143), script.signal * 1000);
  session.start([buildPod({ spec: { containers: [buildContainer(container)], ...spec } })]);
  const name = script.isCreated === true ? 'created' : 'process';
  const checking = runChecks({
    ...{ clock, session, strict, timeout: timeout * 1000, signal: stop.signal },
    target: { name, realRestarts: ['app'], transports },
    trafficPath: undefined,
  });
  let end: CiEnd | undefined;
  void checking.then((result) => (end = result));
  while (end === undefined) await clock.advance(50);
  return end;
}

const rowOf = ({ checks }: CiEnd, name: string) =>
  checks.find((row) => row.name.startsWith(name)) ?? expect.fail(`there is no row ${name}`);

const probe = (path: string, settings: Parameters<typeof buildProbe>[0] = {}) => {
  const { exec: _, ...others } = buildProbe(settings);
  return { ...others, httpGet: { path, port: 80 } };
};

const DEFAULTS = { livenessProbe: probe('/live'), readinessProbe: probe('/ready') };

const attempt = (endedAt: number): AttemptView => ({
  ...{ attempt: 1, run: 0, startedAt: endedAt, endedAt, tries: 1, latency: 0, threshold: 1 },
  ...{ result: 'success', output: '', lastResult: 'success', resultRun: 1 },
  before: { resultRun: 0 },
});

describe('kprobe ci', () => {
  it('passes a good pod, and says what was seen', async () => {
    const end = await check(DEFAULTS);
    expect(end.verdict).toEqual({ kind: 'holds', sentence: 'all checks passed' });
    expect(rowOf(end, 'alive').text).toMatch(
      /^app readiness: \d+ attempts, \d+ succeeded; app liveness: \d attempts, \d succeeded$/,
    );
  });

  it.each<[string, string, Partial<Container>, Script]>([
    [
      'whose liveness fails every time',
      'alive',
      { livenessProbe: probe('/live', { failureThreshold: 5 }) },
      { fails: () => true },
    ],
    [
      'whose liveness fails after a long initial delay',
      'alive',
      { livenessProbe: probe('/live', { initialDelaySeconds: 60 }) },
      { fails: () => true },
    ],
    [
      'whose readiness fails from the first attempts on',
      'ready',
      { readinessProbe: probe('/ready') },
      { fails: () => true },
    ],
    ['that crashes in the last second', 'alive', DEFAULTS, { life: 31.9 }],
    [
      'that crashes before it has started',
      'startup',
      { startupProbe: probe('/start') },
      { life: 2, fails: () => true },
    ],
    ['that crashes', 'ready', { readinessProbe: probe('/ready') }, { life: 3, fails: () => true }],
  ])('fails a container %s', async (_, name, container, script) => {
    const end = await check(container, script);
    expect(end.verdict.kind).toBe('doesNotHold');
    if (end.kind === 'goal') expect(rowOf(end, name).kind).toBe('failed');
    else expect(rowOf(end, name)).toMatchObject({ kind: 'skipped', text: 'not reached' });
  });

  it.each([
    ['interrupted', { signal: 5 }],
    ['timeout', { timeout: 5 }],
  ] as const)(
    'that ends by %s reports what was not reached, and no success',
    async (kind, script) => {
      const slow = { ...DEFAULTS, startupProbe: probe('/start', { failureThreshold: 30 }) };
      const end = await check(slow, { ...script, fails: (path) => path === '/start' });
      expect([end.kind, end.verdict.kind]).toEqual([kind, 'doesNotHold']);
      expect(end.checks.slice(1).map((row) => [row.kind, row.text])).toEqual(
        Array.from({ length: 5 }, () => ['skipped', 'not reached']),
      );
      expect(end.verdict.sentence).toContain('not reached');
    },
  );

  it.each([
    [4, 'app after 3.0 s of 4 s'],
    [5.1, 'app after 4.1 s, in the last attempt'],
  ])('shows the budget of a start only where it was enough: a success at %f s', (endedAt, text) => {
    const startupProbe = probe('/start', { periodSeconds: 2, failureThreshold: 2 });
    const object = buildPod({ spec: { containers: [buildContainer({ startupProbe })] } });
    const summary = newPodSummary('default/web', object, 0);
    const containers = summary.containers.map((container) => ({
      ...{ ...container, started: true, runs: [{ run: 0, startedAt: 1 }] },
      probes: container.probes.map((view) => ({ ...view, attempts: [attempt(endedAt)] })),
    }));
    const row = startupCheck({ ...EMPTY_SUMMARY, pods: [{ ...summary, containers }] });
    expect(row).toMatchObject({ kind: 'passed', text });
  });

  it.each([
    [false, 'skipped', 'holds'],
    [true, 'failed', 'doesNotHold'],
  ] as const)(
    'names containers that it does not run (--strict %s)',
    async (strict, kind, verdict) => {
      const containers = [buildContainer(), buildContainer({ name: 'second' })];
      const end = await check({}, { strict, spec: { containers } });
      expect(rowOf(end, 'all containers')).toMatchObject({
        kind,
        text: 'not run: second (only --create, or a command for each, runs all containers)',
      });
      expect(end.verdict.kind).toBe(verdict);
      expect(rowOf(end, 'shutdown').text).not.toContain('second');
    },
  );

  it.each([
    ['a sidecar', { name: 'proxy', restartPolicy: 'Always' } as const],
    ['an init container', { name: 'setup', command: ['false'] }],
  ])('names %s that it does not run, and fails with --strict', (_, init) => {
    const initContainers = [buildContainer(init)];
    const pods = [buildPod({ spec: { initContainers, containers: [buildContainer()] } })];
    const runs = ({ name }: { readonly name: string }): boolean => name === 'app';
    const text = `not run: ${init.name} (only --create, or a command for each, runs all containers)`;
    expect(runCheck(pods, runs, false)).toMatchObject({ kind: 'skipped', text });
    expect(runCheck(pods, runs, true)).toMatchObject({ kind: 'failed', text });
    expect(runCheck(pods, () => true, true).kind).toBe('passed');
  });

  it('names the pod that was killed, where there are several', () => {
    const pods = ['api', 'web'].map((name) => {
      const summary = newPodSummary(`default/${name}`, buildPod({ metadata: { name } }), 0);
      const run = { run: 0, startedAt: 1, endedAt: 9, exitCode: 137, killReason: 'LivenessProbe' };
      const runs = name === 'api' ? [] : [run, { run: 1, startedAt: 10 }];
      const containers = summary.containers.map((one) => ({ ...one, runs }));
      return { ...summary, containers };
    });
    const verdict = { kind: 'doesNotHold', sentence: '' } as const;
    const row = aliveCheck({ ...EMPTY_SUMMARY, pods }, verdict);
    expect([row.kind, row.text]).toEqual(['failed', expect.stringMatching(/^default\/web: app/)]);
  });

  it('measures the startup, the latencies and the shutdown', async () => {
    const startupProbe = probe('/start', { periodSeconds: 1, failureThreshold: 20 });
    const end = await check(
      { ...DEFAULTS, startupProbe },
      { fails: (path, t) => path === '/start' && t < 4 },
    );
    expect(end.measures?.map(({ words, limit }) => [words, limit])).toEqual([
      ['startup took', 20],
      ['readiness p99', 1],
      ['liveness p99', 1],
      ['shutdown took', 30],
    ]);
    const [startup] = end.measures ?? [];
    expect(startup?.seconds).toBeGreaterThan(3);
    expect(startup?.seconds).toBeLessThan(5);
  });

  it('measures the time to ready of a pod without startup probes', async () => {
    const { measures } = await check({ readinessProbe: probe('/ready') });
    expect(measures?.map(({ name, limit }) => [name, limit])).toEqual([
      ['ready', undefined],
      ['app readiness', 1],
      ['app shutdown', 30],
    ]);
  });

  it('passes a pod that succeeds', async () => {
    const script: Script = { spec: { restartPolicy: 'Never' }, life: 0.02, exitCode: 0 };
    const end = await check({}, script);
    expect(end.verdict.kind).toBe('holds');
    expect(rowOf(end, 'ready').text).toMatch(/succeeded/);
  });
});

it('has the options of run for pods that kprobe creates', async () => {
  const [ci, run] = await Promise.all(
    ['ci', 'run'].map(async (command) => (await inProcess([command, '--help'])).stdout),
  );
  const options = ['create', 'runtime', 'network', 'image', 'volume', 'replace', 'strict'];
  for (const option of [...options, 'allow-host-path', 'allow-privileged']) {
    expect([ci, run]).toEqual(Array(2).fill(expect.stringMatching(`\n  --${option} `)));
  }
});
