import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { TraceLine } from '../../../src/trace/trace-line.js';
import type { TraceRecord } from '../../../src/trace/trace-record.js';
import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';
import { startKprobe } from '../../helpers/kprobe.js';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: web:1
    startupProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 2, failureThreshold: 15}
    readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}
    livenessProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 10}
`;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-simulate-'));
  writeFileSync(join(folder, 'pod.yaml'), POD);
  writeFileSync(join(folder, 'two.yaml'), `${POD}---\n${POD.replace('name: web', 'name: shop')}`);
  writeFileSync(join(folder, 'slow.yaml'), 'until: 1m\ncontainers: {app: {readyAfter: 40s}}\n');
  writeFileSync(join(folder, 'bad.yaml'), 'until: 1m\ncontainers:\n  app: {readyAfter: later}\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const simulate = (...args: readonly string[]): Promise<InProcessEnd> =>
  inProcess(['simulate', ...args], { cwd: folder, env: { NO_COLOR: '1', LC_ALL: 'C.UTF-8' } });

/** The lines of a trace between its header and its end. */
const traceOf = (text: string): TraceLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceRecord)
    .filter((record): record is TraceLine => record.kind !== 'trace' && record.kind !== 'end');

describe('kprobe simulate of a manifest', () => {
  it('prints a timeline and exits with 0 when the pod is ready at the end', async () => {
    const { code, stdout } = await simulate('pod.yaml', '--ready-after', '25s', '--for', '1m');
    expect(stdout).toMatch(/^ {2}startup +✗[ ✗]+↑/m);
    expect(stdout).toMatch(/60\.000s {2}default\/web ready after 26\.0 s \(exit code 0\)\n$/);
    expect(code).toBe(0);
  });

  it('exits with 1 when a container is restarted', async () => {
    const { code, stdout } = await simulate('pod.yaml', '--ready-after', '40s');
    expect(stdout).toContain('Container app failed startup probe, will be restarted');
    expect(code).toBe(1);
  });

  it('accepts behavior options for a container and for a probe', async () => {
    const said = ['--ready-after', 'app=5s', '--fail-rate', 'app.readiness=100%'];
    const { stdout } = await simulate('pod.yaml', ...said, '--for', '1m', '-o', 'json');
    const results = traceOf(stdout).flatMap((line) =>
      line.kind === 'attemptDone' && line.t > 7 ? `${line.probe} ${line.result}` : [],
    );
    expect(new Set(results)).toEqual(new Set(['readiness failure', 'liveness success']));
  });

  it('merges the traces of several pods by time', async () => {
    const { stdout } = await simulate('two.yaml', '--for', '20s', '-o', 'json');
    const lines = traceOf(stdout);
    expect(new Set(lines.map((line) => 'pod' in line && line.pod))).toEqual(
      new Set(['default/web', 'default/shop']),
    );
    expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).sort((a, b) => a - b));
  });

  it('gives the same trace for the same seed', async () => {
    const args = ['pod.yaml', '--latency', '1s±900ms', '--fail-rate', '20%', '-o', 'json'];
    const [one, again, other] = await Promise.all([
      simulate(...args, '--seed', '7'),
      simulate(...args, '--seed', '7'),
      simulate(...args, '--seed', '8'),
    ]);
    expect(again.stdout).toBe(one.stdout);
    expect(other.stdout).not.toBe(one.stdout);
  });

  it('writes one trace file per pod with --trace', async () => {
    const { stdout } = await simulate('two.yaml', '--for', '5s', '--trace', 'out');
    expect(stdout).toBe('2 scenarios simulated into out\n');
    expect(traceOf(readFileSync(join(folder, 'out/default_shop.ndjson'), 'utf8'))[0]).toMatchObject(
      { t: 0, kind: 'pod', pod: 'default/shop' },
    );
  });

  it('judges a deleted pod by its state before the deletion', async () => {
    const { code, stdout } = await simulate('pod.yaml', '--delete-at', '30s', '--for', '1m');
    expect(stdout).toMatch(/^ {3}30\.000s .*delete/m);
    expect(code).toBe(0);
  });

  it.each([
    [['--latency', 'ap=5s'], 'no container "ap" (did you mean "app"?)'],
    [['--latency', 'app.ready=5s'], 'Before "=", write a container, or a container and a probe'],
    [['--latency', 'fast'], 'Write a duration such as "200ms", "200ms±50ms"'],
    [['--fail-rate', '3'], 'Write a share such as "2%"'],
    [['--dies-after', 'app.liveness=1s'], 'It applies to a container, not to a probe.'],
    [
      ['--fail-rate', 'app.startup=1%', '--fail-rate', 'app.liveness=2%'],
      "app's startup and liveness probes use the same endpoint",
    ],
    [['--for', '0s'], 'It must be more than 0.'],
  ])('rejects %j', async (flags, message) => {
    const { code, stdout, stderr } = await simulate('pod.yaml', ...flags);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('kprobe simulate of a scenario', () => {
  it('uses the pod of a manifest when the scenario has none', async () => {
    const { code, stdout } = await simulate('slow.yaml', 'pod.yaml', '-o', 'lines');
    expect(stdout).toContain('failed startup probe, will be restarted');
    expect(code).toBe(1);
  });

  it('reports errors with their position', async () => {
    const { code, stderr } = await simulate('bad.yaml', 'pod.yaml');
    expect(stderr).toMatch(
      /^bad\.yaml:3:21: error: containers\.app\.readyAfter: must be a duration/,
    );
    expect(code).toBe(2);
  });

  it('rejects behavior options', async () => {
    const { code, stderr } = await simulate('slow.yaml', 'pod.yaml', '--ready-after', '1s');
    expect(stderr).toContain('leave out the options');
    expect(code).toBe(2);
  });

  it('rejects a manifest with several pods', async () => {
    const { code, stderr } = await simulate('slow.yaml', 'two.yaml');
    expect(stderr).toContain('a scenario needs one pod: the manifests have 2');
    expect(code).toBe(2);
  });
});

describe('kprobe simulate --runs', () => {
  const runs = (...args: readonly string[]): Promise<InProcessEnd> =>
    simulate('pod.yaml', '--ready-after', '5s..40s', '--for', '2m', '--runs', '25', ...args);

  it('prints the same result for the same seed', async () => {
    const [one, again, other] = await Promise.all([
      runs('--seed', '7', '-o', 'json'),
      runs('--seed', '7', '-o', 'json'),
      runs('--seed', '8', '-o', 'json'),
    ]);
    expect(again.stdout).toBe(one.stdout);
    expect(other.stdout).not.toBe(one.stdout);
    expect(JSON.parse(one.stdout)).toMatchObject({
      simulations: [{ name: 'default_web', seed: 7, runs: 25, readyAfter: { count: 25 } }],
    });
  });

  it('prints histograms', async () => {
    const { stdout } = await runs();
    expect(stdout).toMatch(/^default\/web, 25 runs of 2m0s\n/);
    expect(stdout).toMatch(/^ {2}time to ready {2}min .* p50 .* max /m);
    expect(stdout).toContain('█');
  });

  it('reports why the pod was never ready', async () => {
    const never = ['--ready-after', 'app.readiness=1h'];
    const [text, json] = await Promise.all([runs(...never), runs(...never, '-o', 'json')]);
    const why = 'Readiness probe failed: HTTP probe failed with statuscode: 503';
    expect([text.code, text.stdout]).toEqual([
      1,
      expect.stringContaining(`  25 runs  app: ${why}`),
    ]);
    const obstacle = { container: 'app', probe: 'readiness', message: why, runs: 25 };
    expect(JSON.parse(json.stdout)).toMatchObject({
      simulations: [{ neverReady: 25, obstacles: [obstacle] }],
    });
  });

  it('rejects -o lines and --trace', async () => {
    expect((await runs('-o', 'lines')).stderr).toContain(
      '--runs cannot be combined with -o lines: use -o json',
    );
    expect((await runs('--trace', 'out')).stderr).toContain(
      "option '--runs <number>' cannot be used with option '--trace <folder>'",
    );
  });
});

describe('the exit code for a container that', () => {
  const scenario = (more: string): string =>
    `name: s\nuntil: 20s\npod: {metadata: {name: web}, spec: {${more}containers: [{name: app, image: a}]}}\ncontainers: {app: {runs: [{exitAfter: 5s}]}}\n`;
  const pod = (more: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {${more}containers: [{name: app, image: a}]}\n`;
  const flags = ['--for', '20s', '--dies-after', '5s'];

  it.each([
    ['exits with 0 and is restarted', pod(''), [...flags, '--exit-code', '0'], 1],
    ['exits with 1 and is restarted', pod(''), flags, 1],
    [
      'exits with 0 and is not restarted',
      pod('restartPolicy: Never, '),
      [...flags, '--exit-code', '0'],
      0,
    ],
    ['exits with 1 and is not restarted', pod('restartPolicy: Never, '), flags, 1],
    ['exits with 0 in a scenario and is restarted', scenario(''), [], 1],
    [
      'exits with 0 in a scenario and is not restarted',
      scenario('restartPolicy: OnFailure, '),
      [],
      0,
    ],
  ])('%s', async (_, input, args, wanted) => {
    expect((await inProcess(['simulate', '-', '-o', 'lines', ...args], { input })).code).toBe(
      wanted,
    );
  });
});

it('simulate --no-validate accepts an invalid manifest', async () => {
  const input = POD.replace('spec:', 'x: 1\nspec:\n  restartPolicy: Maybe');
  const args = ['simulate', '-', '--for', '20s', '-o', 'lines'];
  expect(await inProcess(args, { input })).toMatchObject({ code: 2, stdout: '' });
  const { code, stdout, stderr } = await inProcess([...args, '--no-validate'], { input });
  expect([code, stdout]).toEqual([0, expect.stringContaining('default/web ready after 2.6 s')]);
  expect(stderr.match(/^<stdin>.*/gm)).toEqual(['<stdin>:4:1: warning: x: unknown field']);
});

it.each([
  ['--for', '', ['--for', '999999h'], 'A simulation lasts at most a year: 8760h'],
  [
    'a scenario',
    'name: long\nuntil: 999999h\npod:\n  ',
    [],
    'a simulation lasts at most a year: 8760h',
  ],
])('simulate rejects more than a year in %s', async (_, scenario, args, problem) => {
  const pod =
    '{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: a}]}}';
  const input = `${scenario}${pod}\n`;
  const end = await inProcess(['simulate', '-', ...args], { input });
  expect(end).toMatchObject({ code: 2, stdout: '' });
  expect(end.stderr).toContain(problem);
});

it.each([
  ['a long simulation', ['--for', '8000h']],
  ['many runs', ['--for', '10h', '--runs', '20000']],
])('simulate announces the duration of %s', async (_, flags) => {
  const pod =
    '{apiVersion: v1, kind: Pod, metadata: {name: idle}, spec: {containers: [{name: a, image: b:1, livenessProbe: {tcpSocket: {port: 1}}}]}}';
  writeFileSync(join(folder, 'idle.yaml'), pod);
  expect(await estimate('idle.yaml', ...flags)).toBeGreaterThan(2);
});

/** Returns the seconds that a simulation announces, then stops it. */
async function estimate(...args: readonly string[]): Promise<number> {
  const child = startKprobe(['simulate', ...args], { cwd: folder });
  child.stderr?.once('data', () => child.kill());
  child.stdout?.resume();
  const note = child.stderr === null ? '' : await text(child.stderr);
  const [, hours = 0, minutes = 0, seconds = 0] =
    /about (?:(\d+)h)?(?:(\d+)m)?(?:(\d+) ?s)? left/.exec(note) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
