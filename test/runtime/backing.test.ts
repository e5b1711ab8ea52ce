import { expect, test } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import {
  type AttachedRun,
  attachedRun,
  localBackings,
  PersistentProcess,
} from '../../src/runtime/backing.js';
import { aContainer, aPod } from './local-rig.js';

const APP = aContainer();
const SIDECAR = aContainer({ name: 'sidecar', restartPolicy: 'Always' });
const SETUP = aContainer({ name: 'setup' });
const OTHER = aContainer({ name: 'other' });
const POD = aPod(APP, { containers: [APP, OTHER], initContainers: [SETUP, SIDECAR] });
const argv = ['node', 'server.js'] as const;

test.each([
  [undefined, { app: 'attached', other: 'attached', setup: 'completed', sidecar: 'attached' }],
  ['app', { app: 'process', other: 'attached', setup: 'completed', sidecar: 'attached' }],
  ['setup', { app: 'attached', other: 'attached', setup: 'process', sidecar: 'attached' }],
  ['sidecar', { app: 'attached', other: 'attached', setup: 'completed', sidecar: 'process' }],
])('a command for %s replaces only that container', (container, expected) => {
  const processes = container === undefined ? [] : [{ podUID: 'uid-web', container, argv }];
  const backingFor = localBackings(processes);
  const kinds = [APP, OTHER, SETUP, SIDECAR].map((c) => [c.name, backingFor(POD, c).kind]);
  expect(Object.fromEntries(kinds)).toEqual(expected);
});

test('a command replaces a container of one pod only', () => {
  const backingFor = localBackings([{ podUID: 'uid-other', container: 'app', argv }]);
  expect(backingFor(POD, APP)).toEqual({ kind: 'attached' });
});

test('a process outlives simulated restarts, and is started again when it has ended by itself', async () => {
  const clock = new VirtualClock();
  const started: AttachedRun[] = [];
  const start = () => {
    const run = attachedRun(clock);
    started.push(run);
    return Promise.resolve(run);
  };
  const kept = new PersistentProcess(clock);
  const first = await kept.launch('app-0', start);
  first.stop(30);
  await first.ended;
  const second = await kept.launch('app-1', start);
  expect([started.length, started[0]?.hasEnded, kept.containerID]).toEqual([1, false, 'app-1']);
  started[0]?.end({ exitCode: 7, finishedAt: 0, message: '' });
  expect(await second.ended).toMatchObject({ exitCode: 7 });
  await kept.launch('app-2', start);
  expect(started).toHaveLength(2);
});
