import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Pod } from '../../../src/api/index.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { type Tree } from '../../../src/manifest/pods/settings.js';
import { applyChanges, type PodSuggestions } from '../../../src/suggest/suggest.js';
import { inProcess } from '../../helpers/in-process.js';
import { strategicMerge } from '../../helpers/strategic-merge.js';
import { buildEnd, HEADER, podLine, traceText } from '../../helpers/traces.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-suggest-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const POD_SPEC = `
      containers:
      - name: app
        image: a
        livenessProbe: {httpGet: {port: 80}, timeoutSeconds: 30}
      - {name: log, image: a}`;

const template = (kind: string, version: string, more: string): string => `apiVersion: ${version}
kind: ${kind}
metadata: {name: shop, namespace: trade}
spec:
  ${more}
  template:
    metadata: {labels: {app: shop}}
    spec:${POD_SPEC}
`;

const SELECTOR = 'selector: {matchLabels: {app: shop}}';
const DEPLOYMENT = template('Deployment', 'apps/v1', SELECTOR);
const STATEFUL = template('StatefulSet', 'apps/v1', `serviceName: shop\n  ${SELECTOR}`);
const CRON = `apiVersion: batch/v1
kind: CronJob
metadata: {name: shop}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure${POD_SPEC.replaceAll('\n', '\n    ')}
`;
const POD = `apiVersion: v1\nkind: Pod\nmetadata: {name: shop}\nspec:${POD_SPEC}\n`;

const WITH_SIDECARS = `apiVersion: v1
kind: Pod
metadata: {name: shop}
spec:
  initContainers:
  - {name: setup, image: a}
  - name: proxy
    image: a
    restartPolicy: Always
    startupProbe: {httpGet: {path: /ready, port: 15021}, periodSeconds: 1, failureThreshold: 600}
    readinessProbe: {httpGet: {path: /ready, port: 15021}, periodSeconds: 15, timeoutSeconds: 30}
    livenessProbe: {httpGet: {path: /live, port: 15021}, initialDelaySeconds: 5}
  - name: logs
    image: a
    restartPolicy: Always
    livenessProbe: {exec: {command: [cat, /alive]}, initialDelaySeconds: 5}
  containers:
  - {name: app, image: a, readinessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 30}}
`;

/** The first pod of a manifest, with defaults. */
function podOf(text: string): Pod {
  const { pods, diagnostics } = loadManifest([{ file: 'a.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return pods[0]!.pod;
}

/** The trace of a simulation of the manifest. */
async function traceOf(manifest: string, readyAfter = 'app=8s'): Promise<string> {
  const args = ['simulate', '-', '--for', '60s', '--ready-after', readyAfter, '-o', 'json'];
  return (await inProcess(args, { input: manifest })).stdout;
}

describe.concurrent('kprobe suggest', () => {
  let deployment = '';
  beforeAll(async () => {
    deployment = await traceOf(DEPLOYMENT);
  });

  it('prints its reasons as comments above a patch', async () => {
    const { code, stdout } = await inProcess(['suggest', '-'], { input: deployment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# trade\/shop of Deployment shop\n#\n# app startup: every 1 s/);
    expect(stdout).toContain(
      '# apply it: kubectl patch deployment shop -n trade --type strategic ',
    );
    const patch = await inProcess(['suggest', '-', '-o', 'yaml'], { input: deployment });
    expect(load(stdout)).toEqual(load(patch.stdout));
    const { columns } = { columns: Math.max(...stdout.split('\n').map((line) => line.length)) };
    expect(columns).toBeLessThanOrEqual(100);
  });

  it('prints a Pod patch for a Rollout', async () => {
    const rollout = DEPLOYMENT.replace('apps/v1', 'argoproj.io/v1alpha1').replace(
      'kind: Deployment',
      'kind: Rollout',
    );
    const { code, stdout } = await inProcess(['suggest', '-'], { input: await traceOf(rollout) });
    expect([code, load(stdout)]).toEqual([0, expect.objectContaining({ kind: 'Pod' })]);
    expect(stdout).toMatch(/^# trade\/shop of Rollout shop\n/);
  });

  it.each([
    ['a Deployment', DEPLOYMENT, 'apps/v1', 'Deployment', 'spec.template'],
    ['a StatefulSet', STATEFUL, 'apps/v1', 'StatefulSet', 'spec.template'],
    ['a CronJob', CRON, 'batch/v1', 'CronJob', 'spec.jobTemplate.spec.template'],
    ['a Pod', POD, 'v1', 'Pod', ''],
  ])('prints a patch for %s', async (_, manifest, apiVersion, kind, path) => {
    const input = await traceOf(manifest);
    const { stdout } = await inProcess(['suggest', '-', '-o', 'yaml'], { input });
    const patch = load(stdout) as Record<string, unknown>;
    expect(patch).toMatchObject({ apiVersion, kind, metadata: { name: 'shop' } });
    const at = [...path.split('.'), 'spec']
      .filter((step) => step !== '')
      .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], patch);
    expect(at).toMatchObject({
      containers: [{ name: 'app', startupProbe: { httpGet: { port: 80 } } }],
    });
  });

  it.each([
    ['a Deployment', DEPLOYMENT, 'app=8s'],
    ['a CronJob', CRON, 'app=8s'],
    ['a Pod with sidecars', WITH_SIDECARS, 'proxy=8s'],
  ])('prints a patch that gives %s the proposed probes', async (_, manifest, readyAfter) => {
    const input = await traceOf(manifest, readyAfter);
    const { stdout } = await inProcess(['suggest', '-', '-o', 'json'], { input });
    const { pods } = JSON.parse(stdout) as { pods: [PodSuggestions] };
    const patched = strategicMerge(load(manifest) as Tree, pods[0].patch as Tree);
    const before = podOf(manifest);
    const after = podOf(JSON.stringify(patched));
    expect(after.spec).toEqual(applyChanges(before, pods[0].suggestions).spec);
    expect(after.spec).not.toEqual(before.spec);
  });

  it('prints the whole report with -o json', async () => {
    const { stdout } = await inProcess(['suggest', '-', '-o', 'json'], { input: deployment });
    const { pods, before, after } = JSON.parse(stdout) as Record<string, Record<string, unknown>[]>;
    expect(pods).toMatchObject([
      {
        pod: 'trade/shop',
        source: { kind: 'Deployment', name: 'shop' },
        suggestions: [{ container: 'app', probe: 'startup' }, { probe: 'liveness' }],
        patch: { kind: 'Deployment' },
      },
    ]);
    expect([before, after]).toMatchObject([[{ pod: 'trade/shop' }], [{ pod: 'trade/shop' }]]);
  });

  it('assumes a Pod when the trace does not name the source', async () => {
    const lines = deployment.split('\n');
    const { sources: _, ...header } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    const input = [JSON.stringify(header), ...lines.slice(1)].join('\n');
    const { stdout } = await inProcess(['suggest', '-'], { input });
    expect(stdout).toContain('kind: Pod\n');
    expect(stdout).toContain('# the probes of a Pod cannot be changed while it is there');
  });

  it('exits with 3 when no probe ever succeeded', async () => {
    const input = traceText(HEADER, podLine(), buildEnd());
    const { code, stdout } = await inProcess(['suggest', '-'], { input });
    expect(code).toBe(3);
    expect(stdout).toContain('# nothing to propose: no probe succeeded in the recording');
  });

  it('uses the readable part of a truncated trace only with --partial', async () => {
    const input = deployment.slice(0, deployment.lastIndexOf('{'));
    const refused = await inProcess(['suggest', '-'], { input });
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('--partial uses the ');
    const partial = await inProcess(['suggest', '-', '--partial'], { input });
    expect([partial.code, partial.stdout]).not.toContain('');
    expect(partial.stdout).toContain('kind: Deployment');
  });
});
