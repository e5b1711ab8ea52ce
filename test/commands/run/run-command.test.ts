import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { startHttpServer } from '../../helpers/http-server.js';
import { ended, kprobe, startKprobe } from '../../helpers/kprobe.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-run-'));
});

/** Writes a manifest with one container; `fields` has one field per line. */
function manifest(name: string, fields: string, spec = ''): string {
  const path = join(folder, `${name}.yaml`);
  const lines = fields.split('\n').map((line) => `    ${line}`);
  const head = `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n${spec}  containers:\n`;
  writeFileSync(path, `${head}  - name: app\n    image: web:1\n${lines.join('\n')}\n`);
  return path;
}

describe.concurrent('kprobe run without a terminal', () => {
  it('exits with 0 once the pod is ready', async () => {
    const server = await startHttpServer(200);
    const pod = manifest(
      'ready',
      `readinessProbe: {httpGet: {port: ${server.port}}, periodSeconds: 1}`,
    );
    const end = await kprobe(['run', pod]);
    await server.close();
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.stdout).toMatch(/default\/ready ready after \d+\.\d s \(exit code 0\)\n$/);
  });

  it('exits with 1 once a restart is decided', async () => {
    const server = await startHttpServer(500);
    const probe = `livenessProbe: {httpGet: {port: ${server.port}}, periodSeconds: 1, failureThreshold: 1}`;
    const pod = manifest('unhealthy', `readinessProbe: {tcpSocket: {port: 1}}\n${probe}`);
    const end = await kprobe(['run', pod]);
    await server.close();
    expect(end.code).toBe(1);
    expect(end.stdout).toContain('Container app failed liveness probe, will be restarted');
  });

  it('reports a closed port as probe failures', async () => {
    const pod = manifest('closed', 'readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 1}');
    const end = await kprobe(['run', pod, '--for', '5s']);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain(
      'Readiness probe failed: dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  it('exits with 3 when a probe always errors', async () => {
    const pod = manifest('named', 'readinessProbe: {httpGet: {port: htttp}, periodSeconds: 1}');
    const end = await kprobe(['run', pod]);
    expect(end.code).toBe(3);
    expect(end.stdout).toContain('the readiness probe errors: strconv.Atoi: parsing "htttp"');
  });

  it('accepts an invalid manifest with --no-validate', async () => {
    const pod = manifest('Not-A-Name', 'readinessProbe: {tcpSocket: {port: 1}}');
    const refused = await kprobe(['run', pod, '--for', '1s']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--no-validate runs it anyway');
    const run = await kprobe(['run', pod, '--for', '5s', '--no-validate']);
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(run.stdout).toContain('Readiness probe failed');
  });

  it('exits with 124 when --timeout runs out', async () => {
    const pod = manifest('late', 'readinessProbe: {tcpSocket: {port: 1}}');
    const end = await kprobe(['run', pod, '--timeout', '1s']);
    expect(end.code).toBe(124);
  });

  it.each([
    ['failed', 'Always', 1, 'can no longer fail'],
    ['succeeded', 'Always', 1, 'can no longer succeed'],
    ['succeeded', 'Never', 0, 'default/succeeded-never succeeded'],
    ['failed', 'Never', 1, 'default/failed-never can no longer fail'],
  ])(
    '--until %s of a pod that exits with restart policy %s ends with %i',
    async (until, policy, code, text) => {
      const name = `${until}-${policy}`.toLowerCase();
      const pod = manifest(name, '', `  restartPolicy: ${policy}\n`);
      const command = ['run', pod, '--until', until, '--', process.execPath, '-e', '0'];
      const end = await kprobe(command);
      expect(end.stdout).toContain(text);
      expect(end.code).toBe(code);
    },
  );

  it('starts the process with the environment of the container', async () => {
    const pod = manifest(
      'environment',
      'env: [{name: A, value: one}, {name: B, value: $(A) and more}, {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]',
      '  restartPolicy: Never\n',
    );
    const script = 'console.log(process.env.B, process.env.NAME)';
    const end = await kprobe([
      ...['run', pod, '--logs', '--until', 'succeeded'],
      ...['--', process.execPath, '-e', script],
    ]);
    expect(end.stdout).toContain('one and more environment');
  });

  it('prints the trace with -o json, one line per event', async () => {
    const pod = manifest('trace', '', '  restartPolicy: Never\n');
    const end = await kprobe(['run', pod, '-o', 'json', '--', process.execPath, '-e', '0']);
    const lines = end.stdout.trim().split('\n');
    const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(expect.arrayContaining(['pod', 'started', 'exited', 'event', 'status']));
  });

  it('prints the status as kubectl does with -o yaml, and writes it to --status-file', async () => {
    const pod = manifest('status', '', '  restartPolicy: Never\n');
    const file = join(folder, 'status.yaml.out');
    const end = await kprobe([
      ...['run', pod, '-o', 'yaml', '--status-file', file, '--until', 'succeeded'],
      ...['--', process.execPath, '-e', '0'],
    ]);
    expect(end.stdout).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n {2}name: status\n/);
    expect(end.stdout).toMatch(/^ {2}phase: Succeeded$/m);
    expect(end.stdout).toMatch(/^ {8}reason: Completed$/m);
    expect(readFileSync(file, 'utf8')).toBe(end.stdout);
  });

  it('applies a changed manifest with --watch and restarts a changed container', async () => {
    const pod = manifest('watched', 'readinessProbe: {tcpSocket: {port: 1}}');
    const child = startKprobe(['run', pod, '--watch', '--until', 'restarted', '--timeout', '50s']);
    child.stdout?.once('data', () => {
      writeFileSync(pod, readFileSync(pod, 'utf8').replace('web:1', 'web:2'));
    });
    const end = await ended(child);
    expect(end.stdout).toContain('Container app definition changed, will be restarted');
    expect(end.code).toBe(0);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('on %s exits with %i and stops its process', async (signal, code) => {
    const pod = manifest(
      `signal-${signal.toLowerCase()}`,
      'readinessProbe: {tcpSocket: {port: 1}}',
    );
    const script =
      "process.on('SIGTERM', () => {}); console.log('pid ' + process.pid); setInterval(() => {}, 1000)";
    const child = startKprobe(['run', pod, '--logs', '--', process.execPath, '-e', script]);
    let printed = '';
    const pid = await new Promise<number>((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const match = /pid (\d+)/.exec(printed);
        if (match !== null) resolve(Number(match[1]));
      });
    });
    child.kill(signal);
    const [exit] = await Promise.all([new Promise((resolve) => child.once('close', resolve))]);
    expect(exit).toBe(code);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
