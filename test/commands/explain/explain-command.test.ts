import { describe, expect, it } from 'vitest';

import { inProcess, type InProcessEnd } from '../../helpers/in-process.js';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: app, image: a, readinessProbe: {httpGet: {port: 80}}}
  - {name: log, image: a}
`;

const explain = (input: string, ...args: readonly string[]): Promise<InProcessEnd> =>
  inProcess(['explain', '-', ...args], { input });

describe('kprobe explain', () => {
  it('explains all containers, without color when stdout is not a terminal', async () => {
    const { code, stdout } = await explain(POD);
    expect(stdout).toMatch(/^default\/web /);
    expect(stdout).toMatch(/\napp\n.*\nlog\n/s);
    expect(stdout).not.toContain('\u001b');
    expect(code).toBe(0);
  });

  it('explains only the container given by -c', async () => {
    const { stdout } = await explain(POD, '-c', 'log', '-o', 'json');
    const { pods } = JSON.parse(stdout) as { pods: { containers: { name: string }[] }[] };
    expect(pods.map(({ containers }) => containers.map(({ name }) => name))).toEqual([['log']]);
  });

  it('prints an SVG with -o svg', async () => {
    expect((await explain(POD, '-o', 'svg')).stdout).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it('exits with 2 for an unknown container and for an invalid manifest', async () => {
    const missing = await explain(POD, '-c', 'ap');
    expect(missing.stderr).toBe('kprobe: no container "ap" (did you mean "app"?)\n');
    const wrong = await explain(POD.replace('port: 80', 'port: 0'));
    expect(wrong.stderr).toMatch(/^<stdin>:6:\d+: error: /);
    expect([missing.code, wrong.code]).toEqual([2, 2]);
  });

  it('explains an invalid manifest with --no-validate', async () => {
    const rejected = POD.replace('spec:', 'x: 1\nspec:\n  restartPolicy: Maybe');
    expect(await explain(rejected)).toMatchObject({ code: 2, stdout: '' });
    const { code, stdout, stderr } = await explain(rejected, '--no-validate');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^default\/web /)]);
    expect(stderr.match(/^<stdin>.*/gm)).toEqual(['<stdin>:4:1: warning: x: unknown field']);
  });

  it('says that a workload without containers leaves nothing to explain', async () => {
    const pod = '{serviceName: web, template: {spec: {initContainers: [{name: a, image: a}]}}}';
    const set = `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: ${pod}\n`;
    const { code, stdout } = await explain(set, '--no-validate');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^default\/web(?:-0)? /)]);
    const none = set.replace('initContainers: [{name: a, image: a}]', 'containers: []');
    const { stderr } = await explain(none, '--no-validate');
    expect(stderr).toContain('kprobe: nothing to explain: the manifests have no container\n');
  });

  it('suggests kprobe simulate for a scenario', async () => {
    const { code, stderr } = await explain('until: 30s\npod: {spec: {containers: [{name: a}]}}\n');
    expect([code, stderr]).toEqual([
      2,
      'kprobe: <stdin>: is a scenario, not a manifest: kprobe simulate runs it\n',
    ]);
  });

  it('fits one screen of 80 columns, and gives the reasons with --long', async () => {
    const short = (await explain(POD, '-c', 'app')).stdout;
    expect(short.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(short).not.toContain('failureThreshold');
    const { stdout } = await explain(POD, '-c', 'app', '--long');
    expect(stdout).toContain('readinessProbe.failureThreshold 3 (default)');
  });

  it('prints the delay of each restart with --long', async () => {
    const { stdout } = await explain(POD, '--long');
    expect(stdout).toMatch(/restart {2}it exits\n +1 {8}0 – 1 s\n +2 {8}10 – 16 s\n/);
    const probed = await explain(
      POD.replace('readinessProbe', 'livenessProbe'),
      '-c',
      'app',
      '--long',
    );
    expect(probed.stdout).toMatch(/ 3 {8}20 – 31 s {4}10 – 16 s \* {7}at once\n/);
  });
});
