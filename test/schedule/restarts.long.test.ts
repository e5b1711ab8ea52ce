import { beforeAll, describe, expect, it } from 'vitest';

import type { Container, Lifecycle } from '../../src/api/index.js';
import { failureMoments, unansweredLife } from '../../src/schedule/failure-moments.js';
import type { Span } from '../../src/schedule/probe-times.js';
import { backOffSteps } from '../../src/schedule/restarts.js';
import { stopTimes } from '../../src/schedule/stop-times.js';
import { DEFAULT_RUN, type ScriptedRun } from '../../src/sim/scenario.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import {
  expectReached,
  type Life,
  livesOf,
  observe,
  type Phase,
  phases,
  podOf,
  probes,
  roles,
  spanOf,
  within,
} from './observe.js';

const GRACE = 30;
const answer = (exit: number, takes = 5) => ({ takes, exit, stdout: '', stderr: '' });

/** The predicted times of the container's failures by topic. */
function failureSpans(overrides: Partial<Container>): (topic: string) => Span {
  const moments = failureMoments(podOf(overrides), buildContainer(overrides));
  return (topic) => moments.find((moment) => moment.topic === topic)!.span;
}

const hooks = fc.oneof(
  fc.constant<Lifecycle>({}),
  fc
    .integer({ min: 1, max: 40 })
    .map((seconds): Lifecycle => ({ preStop: { sleep: { seconds } } })),
  fc.constant<Lifecycle>({ preStop: { exec: { command: ['hook'] } } }),
);

const policies = fc.constantFrom('Always', 'OnFailure', 'Never');

describe('a container that never answers', () => {
  it('is killed and restarted within the predicted time, repeatedly', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        policies,
        fc.constantFrom('startup', 'liveness'),
        probes('check'),
        hooks,
        fc.constantFrom(5, 1e9),
        fc.integer({ min: 1, max: 40_000 }),
        phases,
        async (role, policy, type, probe, lifecycle, takes, stopTakes, phase) => {
          const container = { ...role, [`${type}Probe`]: probe, lifecycle };
          const exec = { check: [answer(1, takes)], hook: [answer(0, stopTakes / 2)] };
          const { spec, ...rest } = podOf(container);
          // A sidecar is restarted with any restart policy of the pod.
          const restartPolicy = role.restartPolicy === 'Always' ? policy : 'Always';
          const pod = { ...rest, spec: { ...spec, restartPolicy } };
          const seen = await observe(container, { exec, stopTakes }, phase, 1500, { pod });
          const span = failureSpans(container);
          const lives = livesOf(seen);
          const life = unansweredLife(podOf(container), buildContainer(container))!;
          const backOff = backOffSteps(life, undefined, lives.length);
          expect(lives.length).toBeGreaterThan(4);
          for (const [index, { start, killed, end }] of lives.entries()) {
            const next = lives[index + 1];
            if (killed === undefined || end === undefined || next === undefined) break;
            expect(within(killed, start, span('slow start: killed'))).toBe(true);
            expect(within(end, killed, stopTimes(buildContainer({ lifecycle }), GRACE))).toBe(true);
            const { neverAnswers } = backOff[index]!;
            expect(within(next.start, end, neverAnswers!)).toBe(true);
            if (index === 0) {
              expect(within(next.start, start, span('slow start: restarted'))).toBe(true);
            }
          }
        },
      ),
      { numRuns: 30 * RUNS_FACTOR },
    ));
});

/** Runs that answer for some time and then fail. */
const failing = fc.array(
  fc.record({
    up: fc.integer({ min: 1, max: 90_000 }),
    stopTakes: fc.integer({ min: 1, max: 40_000 }),
  }),
  { minLength: 6, maxLength: 8 },
);

describe('a container that repeatedly stops answering', () => {
  it('is restarted at once, or when its back-off is over', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        probes('check'),
        failing,
        phases,
        async (role, livenessProbe, runs, phase) => {
          const scripts = runs.map(({ up, stopTakes }): ScriptedRun => ({
            ...DEFAULT_RUN,
            stopTakes,
            exec: { check: [{ ...answer(0), until: up }, answer(1)] },
          }));
          const containers = {
            init: [{ ...DEFAULT_RUN, exitAfter: phase.initTakes }],
            app: scripts,
          };
          const seen = await observe({ ...role, livenessProbe }, {}, phase, 1500, { containers });
          const lives = livesOf(seen);
          const backOff = backOffSteps(undefined, undefined, lives.length);
          for (const [index, { end }] of lives.entries()) {
            const [next, before] = [lives[index + 1], lives[index - 1]?.end ?? -Infinity];
            if (end === undefined || next === undefined) break;
            const { killed } = backOff[index]!;
            const left = killed.delay - (end - before);
            // The trace is exact only to the millisecond, so the order of the two is unknown.
            if (Math.abs(left) < 0.005) continue;
            const wanted = left < 0 ? { from: 0, to: 0 } : killed.span;
            expect(within(next.start, end, wanted)).toBe(true);
          }
        },
      ),
      { numRuns: 30 * RUNS_FACTOR },
    ));

  it('is restarted within the predicted time after its first hang', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        probes('check'),
        hooks,
        fc.integer({ min: 40_000, max: 60_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        phases,
        async (role, livenessProbe, lifecycle, at, stopTakes, phase) => {
          const container = { ...role, livenessProbe, lifecycle };
          const exec = { hook: [answer(0, stopTakes / 2)] };
          const behaviors = {
            'exec check': { hangsAt: [{ from: at, to: Infinity }] },
          };
          const script = { exec, behaviors, stopTakes };
          const lives = livesOf(await observe(container, script, phase, 300));
          const began = (lives[0]?.start ?? NaN) + at / 1000;
          const span = failureSpans(container);
          expect(within(lives[1]?.start, began, span('hang: restarted'))).toBe(true);
        },
      ),
      { numRuns: 30 * RUNS_FACTOR },
    ));
});

describe('both ends of the predicted time occur', () => {
  const probe = buildProbe({ periodSeconds: 4, timeoutSeconds: 2, failureThreshold: 2 });
  /** Runs that exit either at once after TERM or only after KILL, depending on the phase. */
  const runs = ({ seed }: Phase): ScriptedRun[] =>
    Array.from({ length: 8 }, (_, index) => ({
      ...DEFAULT_RUN,
      stopTakes: (seed >> index) % 2 === 0 ? 1 : 1e9,
      exec: { check: [answer(1, seed % 3 === 0 ? 1e9 : 1)] },
    }));
  const container = { startupProbe: probe };
  const life = unansweredLife(podOf(container), buildContainer(container));
  const inPhase = async (phase: Phase): Promise<Life[]> => {
    const containers = { init: [{ ...DEFAULT_RUN, exitAfter: phase.initTakes }], app: runs(phase) };
    return livesOf(await observe(container, {}, phase, 300, { containers }));
  };
  let all: readonly Life[][] = [];
  beforeAll(async () => {
    all = await Promise.all(
      fc.sample(phases, { seed: 7, numRuns: 150 * RUNS_FACTOR }).map(inPhase),
    );
  });

  it.each([1, 2, 3, 4, 5])('for restart %i of a container that never answers', (restart) => {
    const seen = all.flatMap((lives) => {
      const [before, after] = lives.slice(restart - 1);
      return before?.end === undefined || after === undefined ? [] : [after.start - before.end];
    });
    expectReached(spanOf(seen), backOffSteps(life)[restart - 1]!.neverAnswers!);
  });

  it('for the first restart, counted from the start', () => {
    const seen = all.map(([first, second]) => (second?.start ?? NaN) - (first?.start ?? NaN));
    expectReached(spanOf(seen), failureSpans(container)('slow start: restarted'));
  });
});
