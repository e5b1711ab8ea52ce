import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { RuntimeError } from '../../src/kubelet/ports.js';
import { expectGone, isGone } from './is-gone.js';
import { aConfig, aContainer, aPod, fixture, HOST, LocalRig, node } from './local-rig.js';

const onLinux = process.platform === 'linux';
const rigs: LocalRig[] = [];

function rigOf(...args: Parameters<typeof LocalRig.of>): LocalRig {
  const rig = LocalRig.of(...args);
  rigs.push(rig);
  return rig;
}

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.runtime.close(0)));
});

test.each([
  [node('exit-with.js', '0'), 0, 'Completed'],
  [node('exit-with.js', '1'), 1, 'Error'],
  [node('exit-with.js', '255'), 255, 'Error'],
  [node('kill-itself.js', 'SIGTERM'), 143, 'Error'],
  [node('kill-itself.js', 'SIGKILL'), 137, 'Error'],
  [node('kill-itself.js', 'SIGABRT'), 128 + constants.signals.SIGABRT, 'Error'],
])('a process that exits becomes an exited container: %j', async (argv, exitCode, reason) => {
  const rig = rigOf(argv);
  const before = rig.clock.now();
  const id = await rig.start();
  expect(await rig.status(id)).toMatchObject({ state: 'running', reason: '' });
  const status = await rig.ended(id);
  expect(status).toMatchObject({ state: 'exited', exitCode, reason, message: '' });
  expect(status.startedAt).toBeGreaterThanOrEqual(before);
  expect(status.finishedAt).toBeGreaterThanOrEqual(status.startedAt!);
  expect(rig.exits).toMatchObject([{ id, exitCode }]);
});

const NO_SHEBANG = fixture('no-shebang.txt');

test.each([
  ['nod', 'exec: "nod": executable file not found in $PATH'],
  ['', 'exec: "": executable file not found in $PATH'],
  ['/no/such/file', 'exec: "/no/such/file": stat /no/such/file: no such file or directory'],
  ['./no/such/file', 'exec: "./no/such/file": stat ./no/such/file: no such file or directory'],
  [fixture('not-executable.js'), `exec: "${fixture('not-executable.js')}": permission denied`],
  [fixture('no-interpreter.sh'), `exec ${fixture('no-interpreter.sh')}: no such file or directory`],
  [NO_SHEBANG, `exec ${NO_SHEBANG}: exec format error`],
  [fixture('.'), `exec: "${fixture('.')}": is a directory`],
])('a command that cannot be started fails the start: %j', async (file, message) => {
  const rig = rigOf([file]);
  const id = await rig.create();
  await expect(rig.runtime.startContainer(id)).rejects.toEqual(new RuntimeError(message));
  const ended = { state: 'exited', exitCode: 128, reason: 'StartError', message };
  expect(await rig.status(id)).toMatchObject(ended);
  expect(rig.exits).toEqual([]);
  expect(rig.lines).toEqual([]);
});

test('a command is not interpreted by a shell', async () => {
  const rig = rigOf(node('print-argv.js', '$HOME', '`id`; exit 3', '*', 'a b', '"'));
  const id = await rig.start();
  expect((await rig.ended(id)).exitCode).toBe(0);
  expect(rig.texts()).toEqual(['["$HOME","`id`; exit 3","*","a b","\\""]']);
});

test('an argument with a NUL byte fails the start', async () => {
  const rig = rigOf(node('exit-with.js', 'a\0b'));
  await expect(rig.start()).rejects.toThrow(RuntimeError);
});

test.each([
  ['env', 'exec: "env": executable file not found in $PATH'],
  ['vitest', 'not found in $PATH (npm alone adds node_modules/.bin, which has it)'],
])('a command is searched in the PATH of the container: %s', async (command, message) => {
  const rig = rigOf([command]);
  const container = aContainer({ env: [{ name: 'PATH', value: '/no/such/directory' }] });
  const id = await rig.create(aConfig(aPod(container)));
  await expect(rig.runtime.startContainer(id)).rejects.toThrow(message);
});

interface Context {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function contextOf(rig: LocalRig, id: string): Promise<Context> {
  await rig.ended(id);
  return JSON.parse(rig.texts()[0]!) as Context;
}

test('the variables of the container override those of kprobe', async () => {
  const host = { ...HOST, env: { OWN: 'own', OVER: 'own' } };
  const rig = rigOf(node('print-context.js'), { host });
  const env = [
    { name: 'OVER', value: 'container' },
    { name: 'ALL', value: '$(OVER) $(OWN)' },
    { name: 'NODE_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ];
  const container = aContainer({ env, resources: { limits: { cpu: '2' } } });
  const id = await rig.start(aConfig(aPod(container)));
  expect((await contextOf(rig, id)).env).toEqual({
    OWN: 'own',
    OVER: 'container',
    // As in a pod, references resolve only to the container's own variables.
    ALL: 'container $(OWN)',
    NODE_IP: '127.0.0.1',
    CPU: '2',
    KPROBE_MARK_CONTAINER: expect.stringMatching(/\/app-0$/) as string,
  });
});

test('a missing ConfigMap is a configuration error', async () => {
  const rig = rigOf(node('forever.js'));
  const container = aContainer({ envFrom: [{ configMapRef: { name: 'settings' } }] });
  const error = new RuntimeError('configmap "settings" not found', 'configuration');
  await expect(rig.create(aConfig(aPod(container)))).rejects.toEqual(error);
  expect(await rig.runtime.getPods()).toEqual([]);
});

test('variables from ConfigMaps are in the environment', async () => {
  const data = { GREETING: 'hello' };
  const settings = { name: 'settings', namespace: 'default', data, binaryData: {} };
  const rig = rigOf(node('print-context.js'), { config: { configMaps: [settings], secrets: [] } });
  const container = aContainer({ envFrom: [{ configMapRef: { name: 'settings' } }] });
  const id = await rig.start(aConfig(aPod(container)));
  expect((await contextOf(rig, id)).env).toMatchObject(data);
});

test('a process starts in workingDir if that exists on this machine', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kprobe-'));
  const cwds = await Promise.all(
    [directory, '/no/such/directory', fixture('forever.js'), 'src', ''].map(async (workingDir) => {
      const rig = rigOf(node('print-context.js'));
      const id = await rig.start(aConfig(aPod(aContainer({ workingDir }))));
      return (await contextOf(rig, id)).cwd;
    }),
  );
  await rm(directory, { recursive: true });
  const own = process.cwd();
  expect(cwds).toEqual([directory, own, own, own, own]);
});

test.each([
  [node('forever.js'), 143],
  [node('exit-on-term.js', '0'), 0],
  [node('exit-on-term.js', '7'), 7],
])('a stopped process exits with its own code: %j', async (argv, exitCode) => {
  const rig = rigOf(argv);
  const id = await rig.start();
  await rig.line('ready');
  await rig.runtime.stopContainer(id, 30);
  expect(await rig.status(id)).toMatchObject({ state: 'exited', exitCode });
  expect(rig.exits).toMatchObject([{ id, exitCode }]);
});

test('a process that ignores TERM is killed at the end of the grace period', async () => {
  const rig = rigOf(node('ignore-term.js'));
  const id = await rig.start();
  await rig.line('ready');
  const before = rig.clock.now();
  await rig.runtime.stopContainer(id, 0.3);
  const status = await rig.status(id);
  expect(status).toMatchObject({ state: 'exited', exitCode: 137, reason: 'Error' });
  expect(status.finishedAt! - before).toBeGreaterThanOrEqual(300);
});

test('a process is stopped with the stopSignal of its container', async () => {
  const rig = rigOf(node('ignore-term.js'));
  const lifecycle = { stopSignal: 'SIGHUP' };
  const id = await rig.start(aConfig(aPod(aContainer({ lifecycle }))));
  await rig.line('ready');
  await rig.runtime.stopContainer(id, 60);
  expect((await rig.status(id)).exitCode).toBe(128 + constants.signals.SIGHUP);
});

test('a second stop can only shorten the grace period, and TERM is sent once', async () => {
  const rig = rigOf(node('ignore-term.js'));
  const id = await rig.start();
  await rig.line('ready');
  const first = rig.runtime.stopContainer(id, 60);
  await rig.line('ignored SIGTERM');
  const second = rig.runtime.stopContainer(id, 0.2);
  await Promise.all([first, second]);
  expect((await rig.status(id)).exitCode).toBe(137);
  expect(rig.texts().filter((text) => text === 'ignored SIGTERM')).toHaveLength(1);
  await rig.runtime.stopContainer(id, 60);
  expect(rig.exits).toHaveLength(1);
});

test('a stop with a grace period of 0 kills at once', async () => {
  const rig = rigOf(node('exit-on-term.js', '0'));
  const id = await rig.start();
  await rig.line('ready');
  await rig.runtime.stopContainer(id, 0);
  expect((await rig.status(id)).exitCode).toBe(137);
});

test('a stop during the start waits for it', async () => {
  const rig = rigOf(node('forever.js'));
  const id = await rig.create();
  const started = rig.runtime.startContainer(id);
  await rig.runtime.stopContainer(id, 30);
  await expect(started).resolves.toBeUndefined();
  expect(await rig.status(id)).toMatchObject({ state: 'exited', exitCode: 143 });
});

test('a stop before the start does nothing', async () => {
  const rig = rigOf(node('exit-with.js', '0'));
  const id = await rig.create();
  await rig.runtime.stopContainer(id, 30);
  expect((await rig.status(id)).state).toBe('created');
});

test('a stop ends the whole process group', async () => {
  const rig = rigOf(node('spawn-grandchild.js', fixture('ignore-term.js')));
  const id = await rig.start();
  const grandchild = Number(await rig.line('grandchild'));
  expect(isGone(grandchild)).toBe(false);
  await rig.runtime.stopContainer(id, 30);
  await expectGone(grandchild);
});

test.each(onLinux ? ['spawn-grandchild.js', 'spawn-daemon.js'] : ['spawn-grandchild.js'])(
  'children are killed when the process exits: %s',
  async (script) => {
    const rig = rigOf(node(script, fixture('ignore-term.js'), '3'));
    const id = await rig.start();
    const grandchild = Number(await rig.line('grandchild'));
    expect(await rig.ended(id)).toMatchObject({ exitCode: 3 });
    await expectGone(grandchild);
  },
);

test.runIf(onLinux)('a child in another process group is killed by its session', async () => {
  const rig = rigOf(node('spawn-own-group.js'));
  const id = await rig.start();
  const pids = [Number(await rig.line('grandchild')), Number(await rig.line('sibling'))];
  await rig.ended(id);
  await Promise.all(pids.map((pid) => expectGone(pid)));
});

test('a daemon with a wiped environment is not found, but delays nothing', async () => {
  const rig = rigOf(node('spawn-daemon.js', fixture('forever.js'), '0', '--wipe'));
  const id = await rig.start();
  const daemon = Number(await rig.line('grandchild'));
  await rig.ended(id);
  expect(isGone(daemon)).toBe(false);
  process.kill(daemon, 'SIGKILL');
  await expectGone(daemon);
});

test('removing a running container kills it', async () => {
  const rig = rigOf(node('forever.js'));
  const id = await rig.start();
  const pid = Number(await rig.line('ready'));
  await rig.runtime.removeContainer(id);
  await expectGone(pid);
  expect(await rig.runtime.getPods()).toEqual([]);
});
