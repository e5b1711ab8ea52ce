import { describe, expect, it } from 'vitest';

import type { Lifecycle } from '../../src/api/index.js';
import { backOffSteps } from '../../src/schedule/restarts.js';
import { stopTimes } from '../../src/schedule/stop-times.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import { killedAt, observe, phases, roles, within } from './observe.js';

const hooks = fc.oneof(
  fc.constant<Lifecycle>({}),
  fc
    .integer({ min: 0, max: 40 })
    .map((seconds): Lifecycle => ({ preStop: { sleep: { seconds } } })),
  fc.constant<Lifecycle>({ preStop: { exec: { command: ['hook'] } } }),
);

describe('a container that is killed', () => {
  it('exits within the predicted time, with any hook and reaction to TERM', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        hooks,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        phases,
        async (role, lifecycle, grace, hookTakes, stopTakes, phase) => {
          const livenessProbe = buildProbe({
            periodSeconds: 5,
            failureThreshold: 1,
            terminationGracePeriodSeconds: grace,
          });
          const exec = {
            check: [{ takes: 5, exit: 1, stdout: '', stderr: '' }],
            hook: [{ takes: hookTakes, exit: 0, stdout: '', stderr: '' }],
          };
          const container = { ...role, livenessProbe, lifecycle };
          const seen = await observe(container, { exec, stopTakes }, phase, 100);
          const ended = seen.lines.find(
            (line) => line.kind === 'exited' && line.container === 'app',
          )?.t;
          const bounds = stopTimes(buildContainer({ lifecycle }), grace);
          expect(within(ended, killedAt(seen) ?? NaN, bounds)).toBe(true);
        },
      ),
      { numRuns: 30 * RUNS_FACTOR },
    ));

  it.each([
    ['no hook', {}, 30, 0, 30],
    ['no hook and a short grace period', {}, 1, 0, 2],
    ['a sleep', { preStop: { sleep: { seconds: 10 } } }, 30, 10, 30],
    ['a sleep longer than the grace period', { preStop: { sleep: { seconds: 60 } } }, 30, 30, 32],
    ['a command', { preStop: { exec: { command: ['a'] } } }, 30, 0, 32],
  ])('with %s has the predicted stop time', (_, lifecycle, grace, from, to) => {
    expect(stopTimes(buildContainer({ lifecycle }), grace)).toEqual({ from, to });
  });
});

const exits = fc.integer({ min: 1, max: 5000 });

describe('a container that exits repeatedly', () => {
  it('is restarted within the predicted time of each back-off', () =>
    fc.assert(
      fc.asyncProperty(roles, phases, exits, async (role, phase, exitAfter) => {
        const { lines } = await observe(role, { exitAfter }, phase, 700);
        const times = (kind: string): number[] =>
          lines.flatMap((line) =>
            line.kind === kind && 'container' in line && line.container === 'app' ? line.t : [],
          );
        const [exits, starts] = [times('exited'), times('started').slice(1)];
        for (const [index, { exited }] of backOffSteps().entries()) {
          if (starts[index] === undefined) break;
          expect(within(starts[index], exits[index] ?? NaN, exited.span)).toBe(true);
        }
        expect(starts.length).toBeGreaterThanOrEqual(6);
      }),
      { numRuns: 30 * RUNS_FACTOR },
    ));

  it('has a back-off that doubles up to five minutes', () => {
    const delays = backOffSteps().map(({ exited }) => exited.delay);
    expect(delays).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
  });
});
