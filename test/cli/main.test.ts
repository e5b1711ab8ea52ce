import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeAll, describe, expect, it } from 'vitest';

import { ended, ROOT } from '../helpers/kprobe.js';

const FULL = '/dev/full';
const BIN = join(ROOT, 'bin/kprobe.js');

let pod = '';

beforeAll(() => {
  pod = join(mkdtempSync(join(tmpdir(), 'kprobe-full-')), 'pod.yaml');
  writeFileSync(
    pod,
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: web:1, readinessProbe: {tcpSocket: {port: 1}}}]}\n',
  );
});

/** Linux has a device that is always full. */
describe.runIf(existsSync(FULL))('a full disk for standard output', () => {
  it.each([
    [['--help']],
    [['validate', 'POD']],
    [['lint', 'POD']],
    [['explain', 'POD']],
    [['simulate', 'POD', '-o', 'json']],
    [['once', 'POD']],
    [['run', 'POD', '--for', '100ms']],
  ])('is reported with exit code 3: kprobe %s', async (args) => {
    const output = openSync(FULL, 'w');
    const own = args.map((arg) => (arg === 'POD' ? pod : arg));
    const child = spawn(process.execPath, [BIN, ...own], {
      stdio: ['ignore', output, 'pipe'],
    });
    closeSync(output);
    if (child.stderr === null) throw new Error('kprobe has no pipe');
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(stderr).toBe('kprobe: cannot write the output: no space left on the device\n');
    expect(child.exitCode).toBe(3);
  });
});

it('a file of kprobe that an update has removed is named, and no bug', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'kprobe-updated-'));
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  const [chunk = ''] = readdirSync(join(copy, 'dist')).filter((name) =>
    /^explain-command-/.test(name),
  );
  rmSync(join(copy, 'dist', chunk));
  const child = spawn(process.execPath, [join(copy, 'bin/kprobe.js'), 'explain', pod]);
  const { code, stderr } = await ended(child);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^kprobe: this machine: a file of kprobe is gone, perhaps by an update: run it again \(Cannot find module '\S+'\)\n$/,
    ),
  ]);
});

it('a bug ends kprobe although something is open', async () => {
  const broken =
    'setInterval(() => 0, 1000); Array.prototype.flatMap = () => { throw new Error("broken"); };';
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(broken)}`];
  const child = spawn(process.execPath, [...preload, BIN, 'lint', pod]);
  const { code, stderr } = await ended(child);
  expect([code, stderr]).toEqual([70, expect.stringContaining('this is a bug in kprobe')]);
});

it.skipIf(process.platform === 'win32')('SIGUSR1 opens no debugger', async () => {
  const child = spawn(process.execPath, [BIN, 'run', pod, '--for', '500ms']);
  child.stdout.once('data', () => child.kill('SIGUSR1'));
  const { signal, stderr } = await ended(child);
  expect([signal, stderr]).toEqual([null, '']);
});

/** Gives a command a terminal, which vanishes when it is killed. */
const SCRIPT = '/usr/bin/script';

it.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'a terminal that vanishes hangs kprobe up',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kprobe-vanished-'));
    const code = join(folder, 'code');
    writeFileSync(
      join(folder, 'run'),
      `trap '' HUP\n'${process.execPath}' '${BIN}' run '${pod}' --for 10m\necho $? > '${code}'\n`,
    );
    const terminal = spawn(SCRIPT, ['-qfc', `sh '${folder}/run'`, '/dev/null']);
    let screen = '';
    terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    await expect.poll(() => screen, { timeout: 30_000 }).toContain('app');
    terminal.kill('SIGKILL');
    const exitCode = (): string => (existsSync(code) ? readFileSync(code, 'utf8') : '');
    await expect.poll(exitCode, { timeout: 30_000 }).toBe('129\n');
  },
  70_000,
);

it.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'a change of the size of a terminal that has vanished hangs kprobe up',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kprobe-resized-'));
    const read = (name: string): string =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
    // In a session of its own, kprobe gets no SIGHUP for the terminal.
    writeFileSync(
      join(folder, 'inner'),
      `'${process.execPath}' '${BIN}' run '${pod}' --for 10m -q --status-file status &
echo $! > pid; wait $!; echo $? > code\n`,
    );
    const terminal = spawn(SCRIPT, ['-qfc', 'setsid -f sh inner; sleep 600', '/dev/null'], {
      cwd: folder,
    });
    await expect.poll(() => read('status'), { timeout: 60_000 }).toContain('phase: Running');
    terminal.kill('SIGKILL');
    await once(terminal, 'close');
    process.kill(Number(read('pid')), 'SIGWINCH');
    await expect.poll(() => read('code'), { timeout: 60_000 }).toBe('129\n');
  },
  130_000,
);

it('a current folder that was removed is an error', async () => {
  const { code, stderr } = await ended(
    spawn('sh', [
      '-c',
      'cd "$0" && rmdir "$0" && exec "$@"',
      mkdtempSync(join(tmpdir(), 'kprobe-gone-')),
      process.execPath,
      BIN,
      'doctor',
    ]),
  );
  expect([code, stderr]).toEqual([
    2,
    'kprobe: the current folder: no such file or folder: change to another one\n',
  ]);
});
