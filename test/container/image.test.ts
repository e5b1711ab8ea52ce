import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { startHttpServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/kprobe.js';
import { addNode, docker, importImage, requireEngine } from './engine.js';

const BASE = 'kprobe-node:1';
const KPROBE = 'kprobe-packaged:1';

let folder = '';

beforeAll(() => {
  requireEngine();
  folder = mkdtempSync(join(tmpdir(), 'kprobe-packaged-'));
  chmodSync(folder, 0o755);
  importImage(BASE, addNode);
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
