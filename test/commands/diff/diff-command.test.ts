import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { kprobe, type KprobeEnd } from '../../helpers/kprobe.js';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: app, image: a:1, livenessProbe: {httpGet: {port: 80}}}
`;

const folder = mkdtempSync(join(tmpdir(), 'kprobe-diff-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Compares a manifest with standard input. */
function diff(before: string, after: string, ...args: readonly string[]): Promise<KprobeEnd> {
  const file = join(folder, 'before.yaml');
  writeFileSync(file, before);
  return kprobe(['diff', file, '-', ...args], { input: after });
}

describe('kprobe diff', () => {
  it('exits with 0 when nothing differs', async () => {
    const { code, stdout } = await diff(POD, POD);
    expect([code, stdout]).toEqual([0, 'no pod and no workload differs\n']);
  });

  it('exits with 1 and reports what is restarted', async () => {
    const { code, stdout } = await diff(POD, POD.replace('a:1', 'a:2'));
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'Pod default/web',
        '  spec.containers[0].image  a:1 → a:2',
        '  containers',
        '    app  hash 2cc6005a → 24227d00  restarts: stopped in 0 – 30 s, then started at once',
        '',
      ].join('\n'),
    );
  });

  it('reports rejected changes and the effect on times', async () => {
    const { stdout } = await diff(POD, POD.replace('port: 80}', 'port: 80}, periodSeconds: 5'));
    expect(stdout).toContain('  refused: ');
    expect(stdout).toMatch(/livenessProbe\.periodSeconds +10 → 5 +refused\n/);
    expect(stdout).toMatch(/hang: killed +20 – 32 s → 10 – 17 s after it begins to hang\n/);
  });

  it('prints JSON with null for never', async () => {
    const without = POD.replace(/, livenessProbe.*}}(?=})/, '');
    const { stdout, code } = await diff(without, POD, '-o', 'json');
    const { differs, objects } = JSON.parse(stdout) as {
      differs: boolean;
      objects: { behaviour: { containers: { times: unknown[] }[] } }[];
    };
    expect([code, differs]).toEqual([1, true]);
    expect(objects[0]?.behaviour.containers[0]?.times).toContainEqual({
      topic: 'hang: killed',
      since: 'it begins to hang',
      before: { from: null, to: null },
      after: { from: 20, to: 32 },
    });
  });

  it.each([
    ['an invalid manifest', POD, POD.replace('port: 80', 'port: 0'), /^<stdin>:6:\d+: error: /],
    [
      'a manifest without a pod',
      POD,
      '{kind: Service, apiVersion: v1}',
      /the file contains no pods/,
    ],
  ])('exits with 2 for %s', async (_, before, after, message) => {
    const { code, stderr, stdout } = await diff(before, after);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it.each([
    ['standard input given twice', ['-', '-'], 'only one of the two can be standard input'],
    ['only one manifest', ['-'], "missing required argument 'after'"],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, stderr } = await kprobe(['diff', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('lists its exit codes in --help', async () => {
    expect((await kprobe(['diff', '--help'])).stdout).toContain('1    some differ');
  });
});
