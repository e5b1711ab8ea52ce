import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ended, kprobe, startKprobe } from '../helpers/kprobe.js';

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
])('a run whose %s %s is incomplete goes on, and ends with 3', async (flag, value, message) => {
  const { code, stderr } = await kprobe(run('--for', '2s', flag, value), { cwd: folder });
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
});

/** The last line of a trace. */
const endOf = (trace: string): unknown => JSON.parse(trace.trimEnd().split('\n').at(-1) ?? '');

it.each([
  ['--record', '/dev/full'],
  ['--report', 'junit=/dev/full'],
  ['--report', 'html=/dev/full'],
])('the end of a trace has the exit code 3 when %s %s is incomplete', async (flag, value) => {
  const args = ['run', 'pod.yaml', '-o', 'json', '--for', '1s', flag, value];
  const others = flag === '--report' ? ['--record', 'run-1.ndjson'] : [];
  const command = ['--', process.execPath, '-e', 'setTimeout(() => {}, 60_000)'];
  const { code, stdout } = await kprobe([...args, ...others, ...command], { cwd: folder });
  const end = { kind: 'end', verdict: 'holds', exitCode: 3 };
  expect([code, endOf(stdout)]).toEqual([3, expect.objectContaining(end)]);
  if (flag !== '--report') return;
  const recorded = readFileSync(join(folder, 'run-1.ndjson'), 'utf8');
  expect(endOf(recorded)).toMatchObject(end);
});

it('simulate --trace writes the other traces when one finds no room, and ends with 3', async () => {
  const traces = join(folder, 'traces');
  mkdirSync(traces);
  symlinkSync('/dev/full', join(traces, 'default_web.ndjson'));
  writeFileSync(join(folder, 'pods.yaml'), `${POD}---\n${POD.replace('web', 'api')}`);
  const args = ['simulate', 'pods.yaml', '--trace', 'traces'];
  const { code, stderr } = await kprobe(args, { cwd: folder });
  expect(stderr).toBe(
    'kprobe: traces/default_web.ndjson: no space left on the device: the recording is incomplete\n',
  );
  expect(code).toBe(3);
  expect(endOf(readFileSync(join(traces, 'default_api.ndjson'), 'utf8'))).toMatchObject({
    kind: 'end',
  });
});

it('a run without room for temporary files goes on, and ends with 3', async () => {
  const env = { TMPDIR: join(folder, 'none\x1b') };
  const args = run('--for', '1s', '--report', 'junit=junit.xml');
  const { code, stderr } = await kprobe(args, { cwd: folder, env });
  expect(stderr).toMatch(
    /^kprobe: junit\.xml: no such file or folder in .*none\\x1b: the report is incomplete$/m,
  );
  expect(code).toBe(3);
});

it('init says before it starts anything that its file cannot be written', async () => {
  mkdirSync(join(folder, 'folder.yaml'));
  const command = ['--', process.execPath, '-e', 'setTimeout(() => {}, 60_000)'];
  const args = ['init', '--force', 'folder.yaml', ...command];
  const { code, stdout, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stdout, stderr]).toEqual([2, '', 'kprobe: folder.yaml: is a folder\n']);
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

it('of two runs that find the lock of a killed one at the same moment, one is refused', async () => {
  mkdirSync(join(folder, 'both.ndjson.kprobe-lock/999999999.1'), { recursive: true });
  const starts = [1, 2].map(() => {
    const child = startKprobe(run('--for', '10m', '--record', 'both.ndjson'), { cwd: folder });
    return { child, end: ended(child) };
  });
  const first = await Promise.race(starts.map(({ end }) => end));
  for (const { child } of starts) child.kill('SIGTERM');
  const ends = await Promise.all(starts.map(({ end }) => end));
  expect(first.stderr).toContain('another kprobe');
  expect(ends.filter(({ stderr }) => stderr.includes('another kprobe'))).toEqual([first]);
  expect(readdirSync(folder)).not.toContain('both.ndjson.kprobe-lock');
});

it.each([
  ['of a killed run', '999999999.1'],
  ['that nobody has', ''],
])('a lock %s does not count', async (_, owner) => {
  mkdirSync(join(folder, 'free.ndjson.kprobe-lock', owner), { recursive: true });
  const { code } = await kprobe(run('--for', '1s', '--record', 'free.ndjson'), { cwd: folder });
  expect(code).toBe(0);
  expect(readdirSync(folder)).not.toContain('free.ndjson.kprobe-lock');
});

it('a lock that cannot be read is an error with its name', async () => {
  writeFileSync(join(folder, 'held.ndjson.kprobe-lock'), '');
  const { code, stderr } = await kprobe(run('--record', 'held.ndjson'), { cwd: folder });
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/held\.ndjson\.kprobe-lock: no such file or folder/),
  ]);
});

it('a recording whose name leaves no room for that of a lock is written', async () => {
  const name = 'n'.repeat(255);
  const { code } = await kprobe(run('--for', '1s', '--record', name), { cwd: folder });
  expect(code).toBe(0);
  expect(endOf(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ kind: 'end' });
});

it('an empty recording that cannot be removed stays when a run does not begin', async () => {
  const args = ['watch', '--kubeconfig', 'none', '--record', '/proc/self/oom_score_adj'];
  const { code, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, 'kprobe: none: no such file (a kubeconfig)\n']);
});
