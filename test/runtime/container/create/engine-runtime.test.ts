import { expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/clock/virtual-clock.js';
import type { EngineRuntimeOptions } from '../../../../src/runtime/container/create/engine-context.js';
import { EngineRuntime } from '../../../../src/runtime/container/create/engine-runtime.js';
import { buildPod } from '../../../helpers/builders.js';

const never = new Promise<never>(() => undefined);

interface Ended {
  readonly removed: readonly unknown[];
  readonly notes: readonly string[];
}

/** Ends a run whose sandbox is still being created, and waits for so many milliseconds at most. */
async function end(limit: number, removal: Promise<unknown>): Promise<Ended> {
  const clock = new VirtualClock();
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
        remove: (ids: unknown) => removal.then(() => removed.push(ids)),
        volumesWith: () => Promise.resolve([]),
      },
    },
  } as unknown as EngineRuntimeOptions);
  void runtime.runPodSandbox(buildPod(), 0);
  const closed = runtime.close();
  await clock.advance(limit);
  await closed;
  return { removed, notes };
}

const NOTE = 'could not remove everything, run kprobe down later: docker';

it('removes what is there, and says that more may come, when a creation does not end', async () => {
  const { removed, notes } = await end(10_000, Promise.resolve());
  expect([removed, notes]).toEqual([[['c']], [`${NOTE} is still creating`]]);
});

it('ends 15 s later, and says so, when the engine does not remove what is there', async () => {
  expect((await end(25_000, never)).notes).toEqual([`${NOTE} is still removing it`]);
});
