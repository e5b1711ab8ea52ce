import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { kprobe } from '../helpers/kprobe.js';

describe('an engine that never answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
  const socket = join(folder, 'engine.sock');
  const server = createServer((connection) => connection.on('error', () => undefined).resume());
  const address = `unix://${socket}`;
  const env = { DOCKER_HOST: address, PATH: [folder, process.env['PATH']].join(delimiter) };

  beforeAll(async () => {
    writeFileSync(join(folder, 'docker'), '#!/bin/sh\necho "$DOCKER_HOST"\n');
    chmodSync(join(folder, 'docker'), 0o755);
    const container = '{name: app, image: a, readinessProbe: {tcpSocket: {port: 80}}}';
    writeFileSync(
      join(folder, 'pod.yaml'),
      `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [${container}]}\n`,
    );
    server.listen(socket);
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it.each([
    [['run', 'pod.yaml', '--create', '--for', '500ms'], 3],
    [['run', 'pod.yaml', '--docker', 'web', '--timeout', '500ms'], 124],
    [['ci', 'pod.yaml', '--create', '--timeout', '500ms'], 124],
  ])('is not waited for longer than the run may take: %j', async (args, code) => {
    const report = join(folder, 'report.html');
    const end = await kprobe([...args, '--report', `html=${report}`], { cwd: folder, env });
    const message = `no answer from docker at ${address} within 500 ms`;
    expect(end).toMatchObject({ code, stderr: `kprobe: ${message}\n` });
    expect(readFileSync(report, 'utf8')).toContain(`exit code ${code}`);
  });

  it('is missing for the doctor after a few seconds', async () => {
    const { code, stdout } = await kprobe(['doctor'], { cwd: folder, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('no answer within 5.0 s')]);
  });
});
