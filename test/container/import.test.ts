import { execFileSync } from 'node:child_process';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { docker, IMAGE, requireEngine } from './engine.js';
import { startKprobe } from './kprobe.js';
import { textFile } from './pod-file.js';

const NAME = `kprobe-import-${process.pid}`;
const HEALTH = [
  '--health-cmd',
  'test -f /tmp/ok',
  '--health-interval',
  '2s',
  '--health-retries',
  '4',
];

beforeAll(() => {
  requireEngine();
  docker(['run', '-d', '--name', NAME, '--network', 'none', ...HEALTH, IMAGE, 'sleep', '1000']);
});
afterAll(() => void docker(['rm', '--force', NAME]));

it('writes the probes of a HEALTHCHECK, which then run in its container', async () => {
  const imported = startKprobe(['import', '--docker', NAME]);
  expect(await imported.exitCode).toBe(0);
  expect(imported.output).toContain('# Docker only marks the container');
  execFileSync('docker', ['exec', NAME, 'touch', '/tmp/ok']);
  const file = textFile(imported.output);
  const run = startKprobe(['run', file, '--docker', NAME, '--until', 'ready', '--timeout', '170s']);
  expect(await run.exitCode).toBe(0);
  expect(run.output).toContain('exec /bin/sh -c "test -f /tmp/ok", every 2 s');
});

it('says which container is not there', async () => {
  const imported = startKprobe(['import', '--docker', 'kprobe-no-such']);
  expect(await imported.exitCode).toBe(2);
  expect(imported.output).toContain('no such container: kprobe-no-such');
});
