import { expect, it } from 'vitest';

import type { ProcessFacts } from '../../src/kubelet/ports.js';
import { sampleOf } from '../../src/session/process-sample.js';

const FACTS = { started: true, sockets: [], processes: [] };

/** Samples one run again and again; each sample has its time and the busy time in seconds, and the state at that moment. */
function busyAt(samples: readonly (readonly [number, number, ProcessFacts['state']?])[]) {
  let sample: ReturnType<typeof sampleOf> | undefined;
  return samples.map(([at, busyTime, state]) => {
    sample = sampleOf(sample, { ...FACTS, busyTime, ...(state && { state }) }, 0, at * 1000);
    return sample.isBusy;
  });
}

it.each([
  ['runs in the first sample', [[1, 0.3, 'busy']], [true]],
  ['waits in the first sample', [[1, 0.3]], [false]],
  [
    'runs for a moment',
    [
      [1, 0.3],
      [2, 0.35, 'busy'],
    ],
    [false, false],
  ],
  [
    'works, and waits for a moment',
    [
      [1, 0.3],
      [2, 1.2],
    ],
    [false, true],
  ],
  [
    'ends its work',
    [
      [1, 0.3, 'busy'],
      [2, 1.2, 'busy'],
      [3, 1.3, 'busy'],
    ],
    [true, true, false],
  ],
  [
    'is sampled twice at once',
    [
      [1, 0.3],
      [2, 0.35],
      [2.002, 0.36, 'busy'],
    ],
    [false, false, false],
  ],
  [
    'runs long after the last sample',
    [
      [1, 0.3],
      [60, 0.9, 'busy'],
    ],
    [false, true],
  ],
] as const)('a process that %s: %j is busy: %j', (_, samples, expected) => {
  expect(busyAt(samples)).toEqual(expected);
});

it('counts of another run say nothing of this one', () => {
  const before = sampleOf(undefined, { ...FACTS, busyTime: 9 }, 0, 1000);
  expect(sampleOf(before, { ...FACTS, busyTime: 9.9 }, 1, 2000).isBusy).toBe(false);
});
