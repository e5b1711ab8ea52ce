import { expect, it } from 'vitest';

import type { ProcessFacts } from '../../src/kubelet/ports.js';
import { lookAt } from '../../src/session/process-look.js';

const FACTS = { started: true, sockets: [], processes: [] };

/** Looks at one run again and again; each look has its time and the busy time in seconds, and the state at that moment. */
function busyAt(looks: readonly (readonly [number, number, ProcessFacts['state']?])[]) {
  let look: ReturnType<typeof lookAt> | undefined;
  return looks.map(([at, busyTime, state]) => {
    look = lookAt(look, { ...FACTS, busyTime, ...(state && { state }) }, 0, at * 1000);
    return look.isBusy;
  });
}

it.each([
  ['runs at the first look', [[1, 0.3, 'busy']], [true]],
  ['waits at the first look', [[1, 0.3]], [false]],
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
    'is looked at twice at once',
    [
      [1, 0.3],
      [2, 0.35],
      [2.002, 0.36, 'busy'],
    ],
    [false, false, false],
  ],
  [
    'runs long after the last look',
    [
      [1, 0.3],
      [60, 0.9, 'busy'],
    ],
    [false, true],
  ],
] as const)('a process that %s: %j is busy: %j', (_, looks, expected) => {
  expect(busyAt(looks)).toEqual(expected);
});

it('counts of another run say nothing of this one', () => {
  const before = lookAt(undefined, { ...FACTS, busyTime: 9 }, 0, 1000);
  expect(lookAt(before, { ...FACTS, busyTime: 9.9 }, 1, 2000).isBusy).toBe(false);
});
