import { describe, expect, it } from 'vitest';

import { jsonOutput } from '../../../src/cli/shared/io.js';
import { diff } from '../../../src/commands/diff/diff.js';
import { diffText } from '../../../src/commands/diff/diff-text.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import { podYaml } from '../../helpers/loaded.js';

const POD = podYaml('containers: [{name: app, image: a:1, livenessProbe: {httpGet: {port: 80}}}]');
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: a:1, readinessProbe: {httpGet: {port: 80}}}
`;

const load = (text: string) => loadManifest([{ file: 'a.yaml', text }]).pods;
const differences = (before: string, after: string) => diff(load(before), load(after));
const shown = (before: string, after: string): string => diffText(differences(before, after));

describe('diffText', () => {
  it('reports an object that exists only before or only after', () => {
    expect(shown(POD, '')).toBe('Pod default/web: only before\n');
    expect(shown('', POD)).toBe('Pod default/web: only after\n');
  });

  it('reports changed fields of a workload and whether its pods change', () => {
    expect(shown(DEPLOYMENT, DEPLOYMENT.replace('a:1', 'a:2'))).toMatch(
      /^Deployment default\/web\n {2}\S.*\n {2}spec\.template\.spec\.containers\[0\]\.image +a:1 → a:2\n/,
    );
    const slower = DEPLOYMENT.replace('spec:\n', 'spec:\n  minReadySeconds: 3\n');
    expect(shown(DEPLOYMENT, slower)).toContain('  its pods stay as they are\n');
  });

  it.each([
    [2, 1, '1 pod is deleted'],
    [5, 2, '3 pods are deleted'],
    [1, 3, '2 pods are created'],
  ])('says of %i replicas that become %i: %s', (from, to, text) => {
    const of = (count: number): string =>
      DEPLOYMENT.replace('spec:\n', `spec:\n  replicas: ${count}\n`);
    expect(shown(of(from), of(to))).toContain(`  ${text}\n`);
    expect(shown(of(from), of(to).replace('a:1', 'a:2'))).toContain(`  ${text}\n`);
  });

  it('reports which probes are added, removed or changed, with their times', () => {
    const without = POD.replace(/, livenessProbe.*}}(?=})/, '');
    expect(shown(without, POD)).toContain('  app/liveness (added)\n');
    expect(shown(POD, without)).toContain('  app/liveness (removed)\n');
    const slower = DEPLOYMENT.replace('port: 80}', 'port: 80}, periodSeconds: 20');
    expect(shown(DEPLOYMENT, slower)).toMatch(/ {2}app\/readiness\n {4}.*periodSeconds +10 → 20\n/);
  });

  it('shortens long values and escapes control characters', () => {
    const long = POD.replace('a:1', `"${'x'.repeat(100)}"`);
    expect(shown(POD, long)).toContain(`a:1 → ${'x'.repeat(59)}…`);
    const escape = shown(POD, POD.replace('a:1', '"a\\u001b[2J"'));
    expect(escape).toContain('a:1 → a\\x1b[2J');
    expect(escape).not.toContain('\u001b');
  });

  it('has the same content as JSON', () => {
    const json = JSON.parse(jsonOutput(differences(POD, ''))) as unknown;
    expect(json).toMatchObject([{ kind: 'Pod', in: 'before' }]);
  });
});
