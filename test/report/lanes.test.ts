import { expect, it } from 'vitest';

import { seeded } from '../../src/clock/clock.js';
import { AttemptHistory, probeLane, readinessLane, wholeWindow } from '../../src/report/lanes.js';
import type { AttemptView } from '../../src/trace/summary/probe-view.js';
import type { LineOf } from '../../src/trace/trace-line.js';
import { summaryAt } from '../helpers/ui.js';

it.each([
  [60, 60, 1, 60],
  [60, 59, 1.5, 40],
  [600, 90, 7.5, 80],
  [3, 100, 0.25, 12],
  [0.1, 100, 0.25, 1],
  [1e8, 10, 10_000_000, 10],
])(
  'wholeWindow of %d s in %d columns has cells of %d s, %d of them',
  (seconds, columns, cell, width) => {
    expect(wholeWindow(seconds, columns)).toEqual({ cell, first: 0, width });
  },
);

it.each([
  [
    'a pod that was Ready',
    [
      { t: 4, ready: true },
      { t: 8, ready: false },
    ],
    '  ▄▄████▄▄  ',
  ],
  ['a pod that never was Ready', [], '  ▄▄▄▄▄▄▄▄  '],
])('readinessLane draws %s from its begin until now', async (_, readiness, drawn) => {
  const [pod] = (await summaryAt(12, 'flap')).pods;
  const window = { cell: 1, first: 0, width: 12 };
  const lane = readinessLane({ ...pod!, readiness, addedAt: 2 }, 9.9, window);
  expect(lane.map(({ text }) => text).join('')).toBe(drawn);
});

it.each([1, 2, 3, 4, 5])(
  'AttemptHistory given a cell draws the same with few attempts (seed %d)',
  async (seed) => {
    const summary = await summaryAt(12, 'flap');
    const [pod] = summary.pods;
    const [container] = pod!.containers;
    const [probe] = container!.probes;
    const line = { pod: pod!.key, container: container!.name, probe: probe!.type };
    const whole = new AttemptHistory();
    const thin = new AttemptHistory();
    const random = seeded(seed);
    const window = wholeWindow(20_000, 50);
    for (let t = 0; t < 20_000; t++) {
      // One attempt hangs.
      if (t > 9100 && t < 10_000) continue;
      // Some stretches never change, and others change at every other attempt.
      const isCalm = Math.floor(t / 3000) % 2 === seed % 2;
      const result = isCalm || random() < 0.5 ? 'success' : 'failure';
      const attempt: AttemptView = {
        ...probe!.attempts.at(-1)!,
        startedAt: t === 10_000 ? 9100 : t,
        endedAt: t + 0.1,
        run: Math.floor(t / 7000),
        result,
        set: random() < 0.7 / seed ** 3 ? result : undefined,
      };
      const probes = [{ ...probe!, attempts: [attempt] }];
      const pods = [{ ...pod!, containers: [{ ...container!, probes }] }];
      whole.add(line as LineOf<'attemptDone'>, { ...summary, pods });
      thin.add(line as LineOf<'attemptDone'>, { ...summary, pods }, window.cell);
    }
    const attemptsOf = (history: AttemptHistory): readonly AttemptView[] =>
      [...history.ofPod(line.pod).values()].flat();
    const drawn = (history: AttemptHistory): string =>
      probeLane({ ...probe!, attempts: attemptsOf(history) }, 20_000, window)
        .map(({ text }) => text)
        .join('');
    expect(drawn(thin)).toBe(drawn(whole));
    expect(attemptsOf(whole)).toHaveLength(19_101);
    expect(attemptsOf(thin).length).toBeLessThan(64 * window.width);
  },
);
