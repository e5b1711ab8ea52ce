import { expect, test } from 'vitest';

import { expectGone } from './is-gone.js';
import { fixture, LocalRig, node } from './local-rig.js';

test('close() gives processes time to exit', async () => {
  const rig = LocalRig.of(node('exit-on-term.js', '0'));
  const id = await rig.start();
  await rig.line('ready');
  await rig.runtime.close(30);
  expect(rig.texts()).toContain('bye');
  expect(rig.exits).toEqual([{ id, exitCode: 0 }]);
});

test('close() kills processes that do not exit in time, with their children', async () => {
  const rig = LocalRig.of(node('spawn-grandchild.js', fixture('ignore-term.js')));
  const stubborn = LocalRig.of(node('ignore-term.js'));
  await Promise.all([rig.start(), stubborn.start()]);
  const pids = [Number(await rig.line('grandchild')), Number(await stubborn.line('ready'))];
  await Promise.all([rig.runtime.close(30), stubborn.runtime.close(0.1)]);
  await Promise.all(pids.map((pid) => expectGone(pid)));
  expect(stubborn.exits).toMatchObject([{ exitCode: 137 }]);
});

test('a second close() shortens the grace period', async () => {
  const rig = LocalRig.of(node('ignore-term.js'));
  await rig.start();
  await rig.line('ready');
  const closing = rig.runtime.close(60);
  await rig.line('ignored SIGTERM');
  await rig.runtime.close(0);
  await closing;
  expect(rig.exits).toMatchObject([{ exitCode: 137 }]);
});

test('close() during a start waits for it and stops the container', async () => {
  const rig = LocalRig.of(node('forever.js'));
  const id = await rig.create();
  const started = rig.runtime.startContainer(id);
  await rig.runtime.close(30);
  await started;
  expect(rig.exits).toMatchObject([{ exitCode: 143 }]);
});

test('close() returns at once when nothing was started', async () => {
  const rig = LocalRig.of(node('forever.js'));
  await rig.create();
  await rig.runtime.close();
  await rig.runtime.close();
});
