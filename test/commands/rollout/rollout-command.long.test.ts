import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import type { RolloutRuns } from '../../../src/rollout/measure.js';
import type { RolloutLine } from '../../../src/rollout/recorder.js';
import type { Distribution } from '../../../src/sim/many-runs.js';
import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';
import { startKprobe } from '../../helpers/kprobe.js';

const file = join(mkdtempSync(join(tmpdir(), 'kprobe-rollout-')), 'web.yaml');
writeFileSync(
  file,
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      affinity: {}
      containers:
      - {name: app, image: web:1, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}}
`,
);

interface RolloutEnd {
  readonly kind: 'result';
  readonly leastReady: { readonly count: number };
  readonly rollout: { readonly doneAt: number };
  readonly counts: object;
}

/** Lines of -o json. */
async function linesOf(args: readonly string[]): Promise<readonly (RolloutLine | RolloutEnd)[]> {
  const { stdout } = await inProcess(['rollout', ...args]);
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RolloutLine | RolloutEnd);
}

describe('kprobe rollout', () => {
  it('answers first, names what is not simulated, and exits with 0', async () => {
    const { code, stdout, stderr } = await inProcess(['rollout', file, '--ready-after', '20s']);
    const [answer, ready] = stdout.split('\n');
    expect(answer).toMatch(/^Deployment web: rolled out in \d\d\.\d s$/);
    expect(ready).toBe('  ready     at least 3 of 4 replicas, from the start');
    expect(stderr).toBe(
      'kprobe: not simulated: affinity; assumed: a pod goes to the node with the fewest pods\n',
    );
    expect(code).toBe(0);
  });

  it('says what blocks a rollout, and exits with 1', async () => {
    const { code, stdout } = await inProcess([
      'rollout',
      file,
      '--ready-after',
      '1h',
      '--for',
      '15m',
    ]);
    expect(stdout).toContain(
      'not rolled out after 15m0s: 2 of 4 replicas are new, 3 are available',
    );
    expect(stdout).toContain('deadline  ProgressDeadlineExceeded at 10m1s');
    expect(stdout).toContain('blocked   2 pods: Readiness probe failed: dial tcp <pod IP>:80');
    expect(code).toBe(1);
  });

  it('prints every change and the result as NDJSON', async () => {
    const lines = await linesOf([file, '-o', 'json']);
    const kinds = new Set(lines.map(({ kind }) => kind));
    for (const kind of ['pod', 'endpoint', 'event', 'condition', 'replicas']) {
      expect(kinds).toContain(kind);
    }
    expect(lines.at(-1)).toMatchObject({ kind: 'result', workload: 'Deployment web', exitCode: 0 });
  });

  it('has the figures of the answer in -o json, and the replicas that are left', async () => {
    const lines = await linesOf([file, '--ready-after', '20s', '-o', 'json']);
    const states = new Map<string, string>();
    const ready: number[] = [];
    for (const line of lines) {
      if (line.kind === 'pod') states.set(line.pod, line.state);
      if (line.kind === 'replicas') ready.push(line.old.ready + line.new.ready);
    }
    const { leastReady, rollout, counts } = lines.at(-1) as RolloutEnd;
    expect(leastReady.count).toBe(Math.min(...ready));
    expect(counts).toEqual({ wanted: 4, updated: 4, available: 4 });
    const left = [...states].filter(([, state]) => state !== 'gone');
    expect(left.map(([, state]) => state)).toEqual(Array<string>(4).fill('ready'));
    const { stdout } = await inProcess(['rollout', file, '--ready-after', '20s']);
    const [answer = ''] = stdout.split('\n');
    expect(answer).toBe(`Deployment web: rolled out in ${rollout.doneAt.toFixed(1)} s`);
  });

  it('draws replicas and failed requests as one SVG', async () => {
    const args = ['rollout', file, '--rate', '100/s', '-o', 'svg'];
    const { code, stdout } = await inProcess(args);
    expect(stdout).toMatch(/^<svg [^]*<title>Rollout of Deployment web<\/title>[^]*<\/svg>\n$/);
    const rows = [...stdout.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(rows.join('\n')).toMatch(
      /^old, ready: at most 3\nnew, ready: at most 4\n[^]*failed requests/,
    );
    expect(code).toBe(1);
  });

  it.each([
    [['rollout']],
    [['rollout', file, '--drain', 'node-9@60s']],
    [['rollout', file, '--drain', 'two@60s']],
    [['rollout', file, '--ready-after', 'api=3s']],
    [['rollout', file, '--workload', 'api']],
    [['rollout', file, '--tui', '-o', 'json']],
    [['rollout', file, '--tui', '--runs', '3']],
    [['rollout', file, '--tui', '--compare', file]],
    [['rollout', 'examples/simulate-runs/pod.yaml']],
  ])('exits with 2 for %#', async (args) => {
    expect(await inProcess(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [['--for', '9999h'], 'A simulation lasts at most a year: 8760h'],
    [['--nodes', '2147483647'], 'Write a whole number from 1 to 5000.'],
    [['--rate', '100000000'], 'at most 10000000 requests, and 100000000/s for 10m0s are more'],
    [
      ['--rate', '100/s', '--for', '8000h'],
      'at most 10000000 requests, and 100/s for 8000h0m are more',
    ],
  ])('refuses what would take hours: %s', async (args, problem) => {
    const { code, stdout, stderr } = await inProcess(['rollout', file, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it('says how long a rollout of many hours takes', async () => {
    const child = startKprobe(['rollout', file, '--for', '8000h']);
    child.stdout?.resume();
    child.stderr?.on('data', (data) => String(data).includes(' left') && child.kill());
    expect(await text(child.stderr!)).toMatch(/ of 28800000 s simulated, about .* left\n/);
  });

  it('says what --tui needs where there is no terminal', async () => {
    const { code, stdout, stderr } = await inProcess(['rollout', file, '--tui']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^kprobe: --tui needs a terminal for standard input and output/);
  });
});

describe('kprobe rollout --runs', () => {
  const args = ['rollout', file, '--ready-after', '10s..20s', '--rate', '100/s', '--runs', '12'];

  it('summarizes the runs in a few lines, and exits with 1 as some lose requests', async () => {
    const { code, stdout } = await inProcess(args);
    expect(stdout).toMatch(
      /^Deployment web, 12 runs\n {2}rolled out in 100 % of the runs: in \d+ – \d+ s \(p50 \d+\)\n {2}at least 3 replicas ready\n {2}100 % of the runs lose requests: \d+ – \d+ \(p50 \d+\)\n$/,
    );
    expect(code).toBe(1);
  });

  it('has the figures of the text in -o json, the same for each seed, and others for another', async () => {
    const [json, again, other, text] = await Promise.all([
      inProcess([...args, '--seed', '7', '-o', 'json']),
      inProcess([...args, '--seed', '7', '-o', 'json']),
      inProcess([...args, '--seed', '8', '-o', 'json']),
      inProcess([...args, '--seed', '7']),
    ]);
    expect(again.stdout).toBe(json.stdout);
    const figures = ({ stdout }: InProcessEnd) => JSON.parse(stdout) as RolloutRuns;
    expect(figures(other).failed).not.toEqual(figures(json).failed);
    const { rolledOut, failed } = figures(json);
    const range = ({ min, max }: Distribution) => `${Math.round(min)} – ${Math.round(max)}`;
    expect(text.stdout).toContain(`in ${range(rolledOut!)} s (p50`);
    expect(text.stdout).toContain(`lose requests: ${range(failed!)} (p50 ${failed!.p50})`);
  });

  it('exits with 0 when all runs are rolled out without requests', async () => {
    const { code, stdout } = await inProcess(['rollout', file, '--runs', '3']);
    expect(stdout).toMatch(/^Deployment web, 3 runs\n {2}rolled out in 100 % of the runs/);
    expect(code).toBe(0);
  });
});

describe('kprobe rollout --compare', () => {
  const careful = join(dirname(file), 'careful.yaml');
  const strategy = 'strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}';
  writeFileSync(careful, readFileSync(file, 'utf8').replace('  selector', `  ${strategy}\n$&`));

  it('shows both side by side, what is better and what it costs', async () => {
    const compare = ['rollout', '--compare', file, careful, '--ready-after', '20s'];
    const { code, stdout } = await inProcess(compare);
    const rows = stdout.split('\n').map((row) => row.trim().split(/ {2,}/));
    expect(rows[0]).toEqual([file, careful]);
    expect(rows.map(([label]) => label)).toContain('rolled out in');
    expect(rows).toContainEqual(['least ready replicas', '3', '4']);
    expect(stdout).toContain(`better in ${careful}: least ready replicas`);
    expect(stdout).toContain('it costs: rolled out in');
    expect(code).toBe(0);
  });

  it('finds nothing better in the same manifest', async () => {
    const { stdout } = await inProcess(['rollout', '--compare', file, file]);
    expect(stdout).toContain(`better in ${file}: nothing\nit costs: nothing\n`);
  });

  it.each([
    ['--runs', '2'],
    ['-o', 'json'],
  ])('cannot be combined with %s', async (...words) => {
    const { code, stdout } = await inProcess(['rollout', '--compare', file, careful, ...words]);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('kprobe rollout --report', () => {
  it('writes several reports with one verdict beside the answer on the screen', async () => {
    const [junit, markdown] = ['rollout.xml', 'rollout.md'].map((name) =>
      join(dirname(file), name),
    ) as [string, string];
    const reports = ['--report', `junit=${junit}`, '--report', `markdown=${markdown}`];
    const { code, stdout } = await inProcess(['rollout', file, '--rate', '100/s', ...reports]);
    const [answer = ''] = stdout.split('\n');
    const lost = /^\d+ of \d+ requests fail$/m.exec(stdout)?.[0] ?? 'no line of lost requests';
    const [xml, text] = [readFileSync(junit, 'utf8'), readFileSync(markdown, 'utf8')];
    expect(xml).toMatch(/^<\?xml [^]*<testsuites name="kprobe rollout" tests="\d+" failures="1" /);
    expect(xml).toContain(`<failure message="${lost}">`);
    expect(text).toContain(`## ❌ kprobe rollout: ${answer}; ${lost}\n`);
    expect(text).toContain('| ✅ passed | rolled out | 4 of 4 replicas are new, 4 are available |');
    expect(code).toBe(1);
  });

  it('writes the answer, its checks and the replicas', async () => {
    const drained = ['--drain', 'node-2@5s', '--restart'];
    const args = ['rollout', file, ...drained, '--ready-after', '1h', '--report', 'tap=-'];
    const { code, stdout } = await inProcess(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^not ok \d+ - .*rolled out$/m);
    expect(stdout).toMatch(/^ok \d+ - .*node-2 is drained$/m);
    expect(stdout).toMatch(/^not ok \d+ - default\/web-\w+-\w+ app readiness: tcp :80$/m);
  });

  it('draws the replicas over time in HTML, before the pods', async () => {
    const html = join(dirname(file), 'report.html');
    const { code } = await inProcess(['rollout', file, '-q', '--report', `html=${html}`]);
    expect(code).toBe(0);
    expect(readFileSync(html, 'utf8')).toMatch(
      /<h1 class=good>Deployment web: rolled out[^]*<svg[^]*Rollout of Deployment web[^]*<h2>default\/web-/,
    );
  });

  it.each([
    ['--runs', '2'],
    ['--compare', file],
  ])('cannot be combined with %s', async (...words) => {
    const { code, stderr } = await inProcess(['rollout', file, '--report', 'tap=-', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`'${words[0]} <`)]);
  });
});
