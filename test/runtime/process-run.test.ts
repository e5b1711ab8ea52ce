import { constants } from 'node:os';

import { afterEach, expect, test } from 'vitest';

import { LocalRig, node } from './local-rig.js';

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
])('%j ends with exit code %d', async (argv, exitCode, reason) => {
  const rig = rigOf(argv);
  const before = rig.clock.now();
  const id = await rig.start();
  const status = await rig.ended(id);
  expect(status).toMatchObject({ state: 'exited', exitCode, reason, message: '' });
  expect(status.startedAt).toBeGreaterThanOrEqual(before);
  expect(status.finishedAt).toBeGreaterThanOrEqual(status.startedAt!);
  expect(rig.exits).toEqual([{ id, exitCode }]);
});
