import { expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/clock/virtual-clock.js';
import type { EngineRuntimeOptions } from '../../../../src/runtime/container/create/engine-context.js';
import { EngineRuntime } from '../../../../src/runtime/container/create/engine-runtime.js';
import { buildPod } from '../../../helpers/builders.js';

it('removes what is there, and says that more may come, when a creation does not end', async () => {
  const clock = new VirtualClock();
  const never = new Promise<never>(() => undefined);
  const removed: unknown[] = [];
  const notes: string[] = [];
  const runtime = new EngineRuntime({
    clock,
    session: 'a',
    node: { allocatable: {} },
    execs: { close: () => Promise.resolve() },
    onClose: () => undefined,
    listener: { onNote: (_severity: string, text: string) => notes.push(text) },
    engine: {
      kind: { name: 'docker' },
      ping: () => Promise.resolve(undefined),
      states: () => Promise.resolve(new Map([['c', 'created']])),
      commands: {
        images: { getImageRef: () => never },
        volumePath: () => never,
        remove: (ids: unknown) => Promise.resolve(void removed.push(ids)),
        volumesWith: () => Promise.resolve([]),
      },
    },
  } as unknown as EngineRuntimeOptions);
  void runtime.runPodSandbox(buildPod(), 0);
  const closed = runtime.close();
  await clock.advance(10_000);
  await closed;
  expect([removed, notes]).toEqual([
    [['c']],
    ['could not remove everything, run kprobe down later: docker is still creating'],
  ]);
});
