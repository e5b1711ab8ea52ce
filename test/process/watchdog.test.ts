import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { build } from 'tsdown';
import { afterAll, afterEach, expect, test } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { markVariable, newMark, Watchdog } from '../../src/process/watchdog.js';
import { childrenOf, expectGone, isGone } from '../runtime/is-gone.js';
import { fixture, node } from '../runtime/local-rig.js';

const onLinux = process.platform === 'linux';
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** victim.ts bundled for node, since these tests kill a whole process. */
const directory = await mkdtemp(join(tmpdir(), 'kprobe-'));
await build({
  config: false,
  entry: fileURLToPath(new URL('../runtime/victim.ts', import.meta.url)),
  outDir: directory,
  dts: false,
  logLevel: 'silent',
});

afterAll(() => rm(directory, { recursive: true }));

interface Victim {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The process of the container, and the watchdog. */
  readonly children: readonly number[];
  readonly grandchild: number;
}

/** Starts victim.ts in a process group of its own, as a terminal does, and waits for its grandchild. */
async function startVictim(end: string, script: string): Promise<Victim> {
  const argv = node(script, fixture('ignore-term.js'));
  const child = spawn(process.execPath, [join(directory, 'victim.mjs'), end, ...argv], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  started.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const grandchild = Number(line.replace('grandchild ', ''));
  return { child, pid: child.pid!, children: childrenOf(child.pid!), grandchild };
}

async function expectAllGone({ children, grandchild }: Victim): Promise<void> {
  await Promise.all([...children, grandchild].map((pid) => expectGone(pid)));
}

test('child, grandchild and watchdog are gone after SIGKILL', async () => {
  const victim = await startVictim('wait', 'spawn-grandchild.js');
  expect(victim.children).toHaveLength(2);
  expect(isGone(victim.grandchild)).toBe(false);
  process.kill(victim.pid, 'SIGKILL');
  await expectAllGone(victim);
});

test('nothing is left after an unhandled Ctrl-C in the terminal', async () => {
  const victim = await startVictim('wait', 'spawn-grandchild.js');
  process.kill(-victim.pid, 'SIGINT');
  await expectAllGone(victim);
});

test.each(['exit', 'throw', 'close'])('nothing is left after the end by %s', async (end) => {
  const victim = await startVictim(end, 'spawn-grandchild.js');
  if (victim.child.exitCode === null) await once(victim.child, 'exit');
  expect(victim.child.exitCode).toBe(end === 'throw' ? 1 : 0);
  await expectAllGone(victim);
});

test.runIf(onLinux)('a daemon is gone after SIGKILL', async () => {
  const victim = await startVictim('wait', 'spawn-daemon.js');
  process.kill(victim.pid, 'SIGKILL');
  await expectAllGone(victim);
});

test('a killed watchdog is replaced', async () => {
  const victim = await startVictim('wait', 'spawn-grandchild.js');
  const [watchdog = 0, child = 0] = victim.children;
  process.kill(watchdog, 'SIGKILL');
  const replaced = (): boolean =>
    childrenOf(victim.pid).some((pid) => !victim.children.includes(pid));
  await expect.poll(replaced).toBe(true);
  expect(isGone(child)).toBe(false);
  process.kill(victim.pid, 'SIGKILL');
  await expectAllGone(victim);
});

test.runIf(onLinux)(
  'a watchdog finds a process in an unknown group by its environment variable',
  async () => {
    const mark = newMark('KPROBE_MARK_CONTAINER');
    const watchdog = new Watchdog(new RealClock(), mark);
    watchdog.start();
    const [file, ...args] = node('forever.js');
    const child = spawn(file, args, { env: markVariable(`${mark}app-0`), detached: true });
    started.push(child);
    await once(child.stdout, 'data');
    await watchdog.close();
    await expectGone(child.pid!);
  },
);

test('a watchdog ignores a group that was removed from it', async () => {
  const watchdog = new Watchdog(new RealClock(), newMark('KPROBE_MARK_CONTAINER'));
  const [file, ...args] = node('forever.js');
  const children = [spawn(file, args, { detached: true }), spawn(file, args, { detached: true })];
  started.push(...children);
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const [removed = 0, kept = 0] = children.map((child) => child.pid);
  watchdog.start();
  watchdog.add(removed);
  watchdog.add(kept);
  watchdog.remove(removed);
  await watchdog.close();
  await expectGone(kept);
  expect(isGone(removed)).toBe(false);
});

test('close() of a watchdog that never started does nothing', async () => {
  const watchdog = new Watchdog(new RealClock(), newMark('KPROBE_MARK_CONTAINER'));
  await expect(watchdog.close()).resolves.toBeUndefined();
  watchdog.start();
  await expect(watchdog.close()).resolves.toBeUndefined();
});
