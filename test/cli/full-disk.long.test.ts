import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ended, KPROBE, kprobe, startKprobe } from '../helpers/kprobe.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-test-'));
const POD = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, image: a}\n`;
writeFileSync(join(folder, 'pod.yaml'), POD);
writeFileSync(join(folder, 'job.yaml'), `${POD}  restartPolicy: Never\n`);

const run = (...flags: readonly string[]) => [
  ...['run', 'pod.yaml', '--plain', '-q', ...flags],
  ...['--', process.execPath, '-e', 'setTimeout(() => {}, 60_000)'],
];

/** A run that succeeds once a file of the folder is there. */
const runUntil = (name: string, ...flags: readonly string[]) => [
  ...['run', 'job.yaml', '--plain', '-q', '--until', 'succeeded', ...flags],
  ...['--', 'sh', '-c', `until test -e ${name}; do sleep 0.1; done`],
];

it.each([
  ['--report', 'junit=/dev/full', 'the report is incomplete'],
  ['--record', '/dev/full', 'the recording is incomplete'],
])('a run whose %s %s is incomplete goes on, and ends with 3', async (flag, value, message) => {
  const { code, stderr } = await kprobe(run('--until', 'ready', flag, value), { cwd: folder });
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
});

/** The last line of a trace. */
const endOf = (trace: string): unknown => JSON.parse(trace.trimEnd().split('\n').at(-1) ?? '');

it.each([
  ['--record', '/dev/full'],
  ['--report', 'junit=/dev/full'],
  ['--report', 'html=/dev/full'],
])('the end of a trace has the exit code 3 when %s %s is incomplete', async (flag, value) => {
  const args = ['run', 'pod.yaml', '-o', 'json', '--until', 'ready', flag, value];
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
  const args = run('--until', 'ready', '--report', 'junit=junit.xml');
  const { code, stderr } = await kprobe(args, { cwd: folder, env });
  expect(stderr).toMatch(
    /^kprobe: junit\.xml: no such file or folder in .*none\\x1b: the report is incomplete$/m,
  );
  expect(code).toBe(3);
});

/** Resolves once a run has written a file of the folder. */
const written = (name: string): Promise<unknown> =>
  expect
    .poll(() => readdirSync(folder).includes(name) && statSync(join(folder, name)).size > 0, LIMIT)
    .toBe(true);
const LIMIT = { timeout: 20_000 };

it.each([
  ['removed', (path: string) => rmSync(path)],
  ['replaced', (path: string) => renameSync(path, `${path}.old`)],
])('a recording that another program has %s is incomplete', async (how, change) => {
  const name = `${how}.ndjson`;
  const child = startKprobe(runUntil(`${how}.over`, '--record', name), { cwd: folder });
  const end = ended(child);
  await written(name);
  change(join(folder, name));
  if (how === 'replaced') writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, `${how}.over`), '');
  const { code, stderr } = await end;
  const problem = 'has been removed or replaced: the recording is incomplete';
  expect([code, stderr]).toEqual([3, `kprobe: ${name}: ${problem}\n`]);
});

it('a status that another program has removed is written again at the end', async () => {
  const child = startKprobe(run('--for', '15s', '--status-file', 'gone.yaml'), { cwd: folder });
  const end = ended(child);
  await written('gone.yaml');
  // The pod runs by then, and no status follows.
  await expect
    .poll(() => readFileSync(join(folder, 'gone.yaml'), 'utf8'), LIMIT)
    .toContain('phase: Running');
  rmSync(join(folder, 'gone.yaml'));
  expect((await end).code).toBe(0);
  expect(readFileSync(join(folder, 'gone.yaml'), 'utf8')).toContain('phase: Running');
});

it.each([20, 22, 24, 26, 28, 30])(
  'a command that cannot start for %i descriptors of kprobe is no failure of its own',
  async (limit) => {
    const args = [`ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, KPROBE];
    const shell = spawn('sh', ['-c', ...args, ...run('--for', '4s')], { cwd: folder });
    const { code, stderr } = await ended(shell);
    expect([0, 3], stderr).toContain(code);
  },
);

it('init says before it starts anything that its file cannot be written', async () => {
  mkdirSync(join(folder, 'folder.yaml'));
  const command = ['--', process.execPath, '-e', 'setTimeout(() => {}, 60_000)'];
  const args = ['init', '--force', 'folder.yaml', ...command];
  const { code, stdout, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stdout, stderr]).toEqual([2, '', 'kprobe: folder.yaml: is a folder\n']);
});

it('the second of two runs with one --record is refused, and no lock is left', async () => {
  const args = runUntil('first.over', '--record', 'run.ndjson');
  const first = startKprobe(args, { cwd: folder });
  await expect.poll(() => readdirSync(folder)).toContain('run.ndjson.kprobe-lock');
  const { code, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining('another kprobe')]);
  writeFileSync(join(folder, 'first.over'), '');
  expect((await ended(first)).code).toBe(0);
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
  const { code } = await kprobe(run('--until', 'ready', '--record', 'free.ndjson'), {
    cwd: folder,
  });
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
  const { code } = await kprobe(run('--until', 'ready', '--record', name), { cwd: folder });
  expect(code).toBe(0);
  expect(endOf(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ kind: 'end' });
});

it('an empty recording that cannot be removed stays when a run does not begin', async () => {
  const args = ['watch', '--kubeconfig', 'none', '--record', '/proc/self/oom_score_adj'];
  const { code, stderr } = await kprobe(args, { cwd: folder });
  expect([code, stderr]).toEqual([2, 'kprobe: none: no such file (a kubeconfig)\n']);
});
