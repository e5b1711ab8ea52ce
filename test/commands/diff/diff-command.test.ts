import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';

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
function diff(before: string, after: string, ...args: readonly string[]): Promise<InProcessEnd> {
  const file = join(folder, 'before.yaml');
  writeFileSync(file, before);
  return inProcess(['diff', file, '-', ...args], { input: after });
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

  it('accepts changed probes with the gate of 1.38, and says that nothing restarts', async () => {
    const gate = '--feature-gates=MutableContainerProbes=true';
    const changed = POD.replace('port: 80}', 'port: 80}, periodSeconds: 5');
    const { stdout, stderr } = await diff(POD, changed, gate);
    expect(stderr).toContain('MutableContainerProbes is a preview of Kubernetes 1.38');
    expect(stdout).toContain(
      '  changed probes take effect in the running pod: no container restarts for them\n',
    );
    expect(stdout).not.toMatch(/refused|restarts:/);
    const init = changed.replace(
      'containers:',
      'initContainers:\n  - {name: i, image: i}\n  containers:',
    );
    expect((await diff(POD, init, gate)).stdout).toContain('refused');
  });

  it('prints JSON with null for never', async () => {
    const without = POD.replace(/, livenessProbe.*}}(?=})/, '');
    const { stdout, code } = await diff(without, POD, '-o', 'json');
    const { differs, objects } = JSON.parse(stdout) as {
      differs: boolean;
      objects: { behavior: { containers: { times: unknown[] }[] } }[];
    };
    expect([code, differs]).toEqual([1, true]);
    expect(objects[0]?.behavior.containers[0]?.times).toContainEqual({
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
    ['only one manifest', ['-'], "missing required argument 'after' (or --kube kind/name, or"],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, stderr } = await inProcess(['diff', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('lists its exit codes in --help', async () => {
    expect((await inProcess(['diff', '--help'])).stdout).toContain('1    some differ');
  });
});

describe('kprobe diff --kubernetes-version', () => {
  const upgrade = (text: string, range: string, ...args: readonly string[]) =>
    inProcess(['diff', '-', '--kubernetes-version', range, ...args], { input: text });
  const ready = POD.replace('livenessProbe', 'readinessProbe');

  it('shows what changes for the pod, with the release and the gate that bring it', async () => {
    const { code, stdout } = await upgrade(ready, '1.34..1.36');
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'Pod default/web: Kubernetes 1.34 → 1.36',
        '  1.35',
        '    A pod in CrashLoopBackOff is synced again when the back-off ends, or up to half of it (30 s at most) later; every 60 – 90 s while it lasts longer.',
        '    before: A pod in CrashLoopBackOff is synced every 10 – 15 s, with a BackOff event each time, so a restart comes up to 15 s late.',
        '    spec.restartPolicy',
        '  1.35 (feature gate ChangeContainerStatusOnKubeletRestart)',
        '    A restart of the kubelet keeps the probe results of containers that had started more than 10 s before it.',
        '    before: A restart of the kubelet resets the probe results: pods become not ready, and startup probes run again.',
        '    spec.containers[0].readinessProbe',
        '',
      ].join('\n'),
    );
  });

  it('exits with 0 and says in one line that nothing changes', async () => {
    const { code, stdout } = await upgrade(ready, '1.35..1.36');
    expect([code, stdout]).toEqual([0, 'Kubernetes 1.35 → 1.36 changes nothing for these pods\n']);
  });

  it('prints the changes as JSON', async () => {
    const { stdout } = await upgrade(ready, '1.34..1.36', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ differs: true, from: '1.34', to: '1.36' },
      objects: [{ kind: 'Pod', name: 'web', changes: [{ since: '1.35' }, { since: '1.35' }] }],
    });
  });

  it.each(['1.20..1.36', '1.34..1.45', '1.34..1.35..1.36', 'a..b', ''])(
    'refuses %j with exit code 2 and names the releases that it knows',
    async (range) => {
      const { code, stderr } = await upgrade(ready, range);
      expect([code, stderr]).toEqual([2, expect.stringContaining('1.32 – 1.37')]);
    },
  );

  it('names a field that the earlier API server drops', async () => {
    const { stdout } = await upgrade(
      POD.replace('spec:', 'spec:\n  hostUsers: false'),
      '1.32..1.33',
    );
    expect(stdout).toBe(
      [
        'Pod default/web: Kubernetes 1.32 → 1.33',
        '  1.33',
        '    The API server stores the field.',
        '    before: The API server drops the field, or refuses it as unknown.',
        '    spec.hostUsers',
        '',
      ].join('\n'),
    );
  });

  it('refuses a downgrade with exit code 2', async () => {
    const { code, stdout, stderr } = await upgrade(ready, '1.37..1.36');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--kubernetes-version: Kubernetes 1.36 is older than 1.37');
  });

  it('compares two manifests as ever where only one release is set', async () => {
    const { code } = await diff(POD, POD, '--kubernetes-version', '1.34');
    expect(code).toBe(0);
  });

  it('takes one manifest only', async () => {
    const { code, stderr } = await inProcess([
      'diff',
      'a',
      'b',
      '--kubernetes-version',
      '1.34..1.36',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('name one manifest')]);
  });
});
