import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { Tmux } from '../../scripts/screens/tmux.mjs';
import { type HttpServer, startHttpServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/kprobe.js';

/** A folder with nothing but the executable and manifests. */
let home = '';
let server: HttpServer;

beforeAll(async () => {
  const build = mkdtempSync(join(tmpdir(), 'kprobe-sea-build-'));
  execFileSync('npm', ['run', '--silent', 'sea', '--', build], { cwd: ROOT, stdio: 'pipe' });
  home = mkdtempSync(join(tmpdir(), 'kprobe-sea-'));
  copyFileSync(join(build, 'kprobe'), join(home, 'kprobe'));
  for (const text of ['LICENSE', 'LICENSE.node', 'third-party-licenses.txt']) {
    expect(readFileSync(join(build, text), 'utf8')).toMatch(/licen[cs]e/i);
  }
  rmSync(build, { recursive: true });
  server = await startHttpServer(200, 'ok');
  writeFileSync(join(home, 'pod.yaml'), manifest(1));
}, 300_000);

afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** A pod whose containers have two probes a second each. */
function manifest(containers: number): string {
  const probe = `{httpGet: {port: ${server.port}}, periodSeconds: 1}`;
  const probes = `readinessProbe: ${probe}, livenessProbe: ${probe}`;
  const names = Array.from({ length: containers }, (_, index) => `app-${index}`);
  const list = names.map((name) => `{name: ${name}, image: web:1, ${probes}}`);
  return `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [${list.join()}]}}`;
}

/** Runs the executable without PATH, home or any other variable. */
async function alone(...args: string[]) {
  const options = { cwd: home, env: {}, extendEnv: false, reject: false } as const;
  const { exitCode, stdout, stderr } = await execa('./kprobe', args, options);
  return { exitCode, stdout, stderr };
}

describe('the single executable, alone in a folder', () => {
  it('prints its version', async () => {
    expect(await alone('--version')).toEqual({
      ...{ exitCode: 0, stdout: packageJson.version, stderr: '' },
    });
  });

  it('takes less than 45 MB when compressed', () => {
    expect(gzipSync(readFileSync(join(home, 'kprobe'))).length).toBeLessThan(45e6);
  });

  it('makes an attempt', async () => {
    const { exitCode, stdout } = await alone('once', '--http', `:${server.port}/`);
    expect(stdout).toMatch(/success/);
    expect(exitCode).toBe(0);
  });

  it('validates a manifest', async () => {
    writeFileSync(
      join(home, 'wrong.yaml'),
      manifest(1).replace('periodSeconds: 1', 'periodSeconds: -1'),
    );
    const { exitCode, stdout } = await alone('validate', 'wrong.yaml');
    expect(stdout).toMatch(/wrong\.yaml:1:.*periodSeconds: .*must be greater than/);
    expect(exitCode).toBe(1);
  });

  it('runs a manifest with a command until it is ready', async () => {
    const args = ['run', 'pod.yaml', '--until', 'ready', '--allow-shared-port'];
    const { exitCode, stdout, stderr } = await alone(...args, '--', '/bin/sleep', '60');
    expect(stdout).toMatch(/default\/web ready after/);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('has the server of the demo', async () => {
    const { exitCode, stdout } = await alone('demo', 'crash');
    expect(stdout).toMatch(/\(exit 1\): Error: DATABASE_URL is not set/);
    expect(exitCode).toBe(0);
  });

  it('makes a thousand attempts a second in worker threads', async () => {
    writeFileSync(join(home, 'many.yaml'), manifest(500));
    const { exitCode, stdout, stderr } = await alone('run', 'many.yaml', '--until', 'ready');
    expect(stdout).toMatch(/default\/web ready after/);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('simulates in worker threads', async () => {
    const { exitCode, stdout } = await alone(
      'simulate',
      'pod.yaml',
      '--runs',
      '100',
      '--for',
      '1m',
    );
    expect(stdout).toMatch(
      /^default\/web, 100 runs of 60\.0 s\n {2}ready or succeeded at the end {2}100\.0 %/,
    );
    expect(exitCode).toBe(0);
  });

  it('is a plugin of kubectl by another name', async () => {
    symlinkSync('kprobe', join(home, 'kubectl-kprobe'));
    const plugin = join(home, 'kubectl-kprobe');
    const { stdout } = await execa(plugin, ['watch', '--help'], { env: {}, extendEnv: false });
    expect(stdout).toMatch(/^Usage: kubectl kprobe watch /);
  });

  it('shows its terminal UI', async () => {
    const tmux = new Tmux(`kprobe-sea-${process.pid}`);
    await tmux.start({ columns: 100, rows: 30, folder: home, env: { LC_ALL: 'C.UTF-8', CI: '' } });
    try {
      tmux.enter('./kprobe run pod.yaml');
      await tmux.shows(/Ready ✓/, /readiness/);
      tmux.press('q');
      await tmux.until(
        () => tmux.ask('#{alternate_on}'),
        (state) => state === '0',
        'the normal screen',
      );
    } finally {
      tmux.end();
    }
  });
});
