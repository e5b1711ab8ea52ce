import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { kprobe, startKprobe } from '../helpers/kprobe.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
const POD = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, image: a}\n`;
writeFileSync(join(folder, 'pod.yaml'), POD);

const run = (...flags: readonly string[]) => [
  ...['run', 'pod.yaml', '--plain', '-q', ...flags],
  ...['--', process.execPath, '-e', 'setTimeout(() => {}, 60_000)'],
];

it.each([
  ['--report', 'junit=/dev/full', 'the report is incomplete'],
  ['--record', '/dev/full', 'the recording is incomplete'],
])('a run whose %s %s is not whole goes on, and ends with 3', async (flag, value, message) => {
  const { code, stderr } = await kprobe(run('--for', '2s', flag, value), { cwd: folder });
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
});

it('the second of two runs with one --record is refused, and no lock is left', async () => {
  const args = run('--for', '8s', '--record', 'run.ndjson');
  const first = startKprobe(args, { cwd: folder });
  await expect.poll(() => readdirSync(folder)).toContain('run.ndjson.kprobe-lock');
  const { code, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining('another kprobe')]);
  expect(await new Promise((resolve) => first.once('close', resolve))).toBe(0);
  expect(readdirSync(folder)).not.toContain('run.ndjson.kprobe-lock');
});
