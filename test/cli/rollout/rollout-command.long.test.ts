import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { kprobe } from '../../helpers/kprobe.js';

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

describe('kprobe rollout', () => {
  it('answers first, names what is not simulated, and exits with 0', async () => {
    const { code, stdout, stderr } = await kprobe(['rollout', file, '--ready-after', '20s']);
    const [answer, ready] = stdout.split('\n');
    expect(answer).toMatch(/^Deployment web: rolled out in \d\d\.\d s$/);
    expect(ready).toBe('  ready     at least 3 of 4 replicas, from the start');
    expect(stderr).toBe(
      'kprobe: not simulated: affinity; assumed: a pod goes to the node with the fewest pods\n',
    );
    expect(code).toBe(0);
  });

  it('says what blocks a rollout, and exits with 1', async () => {
    const { code, stdout } = await kprobe(['rollout', file, '--ready-after', '1h', '--for', '15m']);
    expect(stdout).toContain(
      'not rolled out after 15m0s: 2 of 4 replicas are new, 3 are available',
    );
    expect(stdout).toContain('deadline  ProgressDeadlineExceeded at 10m1s');
    expect(stdout).toContain('blocked   2 pods: Readiness probe failed: dial tcp <pod IP>:80');
    expect(code).toBe(1);
  });

  it('prints every change and the result as NDJSON', async () => {
    const { stdout } = await kprobe(['rollout', file, '-o', 'json']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string });
    const kinds = new Set(lines.map(({ kind }) => kind));
    for (const kind of ['pod', 'endpoint', 'event', 'condition', 'replicas']) {
      expect(kinds).toContain(kind);
    }
    expect(lines.at(-1)).toMatchObject({ kind: 'result', workload: 'Deployment web', exitCode: 0 });
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
    expect(await kprobe(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it('says what --tui needs where there is no terminal', async () => {
    const { code, stdout, stderr } = await kprobe(['rollout', file, '--tui']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^kprobe: --tui needs a terminal: /);
  });
});

describe('kprobe rollout --report', () => {
  it('writes the answer, its checks and the replicas', async () => {
    const drained = ['--drain', 'node-2@5s', '--restart'];
    const args = ['rollout', file, ...drained, '--ready-after', '1h', '--report', 'tap=-'];
    const { code, stdout } = await kprobe(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^not ok \d+ - .*rolled out$/m);
    expect(stdout).toMatch(/^ok \d+ - .*node-2 is drained$/m);
    expect(stdout).toMatch(/^not ok \d+ - default\/web-\w+-\w+ app readiness: tcp :80$/m);
  });

  it('draws the replicas over time in HTML, before the pods', async () => {
    const html = join(dirname(file), 'report.html');
    const { code } = await kprobe(['rollout', file, '-q', '--report', `html=${html}`]);
    expect(code).toBe(0);
    expect(readFileSync(html, 'utf8')).toMatch(
      /<h1 class=good>Deployment web: rolled out[^]*<svg[^]*Rollout of Deployment web[^]*<h2>default\/web-/,
    );
  });

  it.each([
    ['--runs', '2'],
    ['--compare', file],
  ])('cannot be combined with %s', async (...words) => {
    const { code, stderr } = await kprobe(['rollout', file, '--report', 'tap=-', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`'${words[0]} <`)]);
  });
});
