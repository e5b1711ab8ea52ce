import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { startHttpServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/kprobe.js';
import { docker, requireEngine } from './engine.js';

const BASE = 'kprobe-node:1';
const KPROBE = 'kprobe-packaged:1';

let folder = '';

beforeAll(() => {
  requireEngine();
  folder = mkdtempSync(join(tmpdir(), 'kprobe-packaged-'));
  chmodSync(folder, 0o755);
  importNode();
  const context = join(folder, 'package');
  for (const part of [...packageJson.files, 'package.json', 'LICENSE']) {
    cpSync(join(ROOT, part), join(context, part), { recursive: true });
  }
  const dockerfile = join(ROOT, 'packaging/Dockerfile');
  docker(['build', '--build-arg', `BASE=${BASE}`, '-f', dockerfile, '-t', KPROBE, context]);
});

afterAll(() => {
  docker(['rmi', '--force', KPROBE, BASE]);
  rmSync(folder, { recursive: true });
});

/** An image of this machine's Node and the libraries that it loads. */
function importNode(): void {
  const root = join(folder, 'root');
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [file] of libraries.matchAll(/\/\S+/g)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    execFileSync('cp', ['-L', file, join(root, file)]);
  }
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(process.execPath, join(root, 'bin/node'));
  const input = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 512 * 1024 * 1024 });
  docker(['import', '--change', 'ENV PATH=/bin', '-', BASE], { input });
}

/** Not with `docker()`, which waits: the server is in this process. */
async function run(...args: string[]): Promise<string> {
  const options = ['--rm', '--network', 'host', '-v', `${folder}:/work:ro`];
  return (await execa('docker', ['run', ...options, KPROBE, ...args])).stdout;
}

describe("kprobe's image", () => {
  it('says its version, as a user without rights', async () => {
    expect(await run('--version')).toBe(packageJson.version);
    expect(docker(['image', 'inspect', '--format', '{{.Config.User}}', KPROBE])).toBe('1000:1000');
  });

  it('runs the probes of a manifest in the current folder against a server of the host', async () => {
    const server = await startHttpServer(200);
    const probe = `readinessProbe: {httpGet: {port: ${server.port}}}`;
    writeFileSync(
      join(folder, 'pod.yaml'),
      `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: a:1, ${probe}}]}}`,
    );
    const printed = await run('run', 'pod.yaml');
    await server.close();
    expect(printed).toMatch(/default\/web ready after/);
  });
});
