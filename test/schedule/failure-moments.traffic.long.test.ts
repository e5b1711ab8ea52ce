import { describe, expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { failureMoments } from '../../src/schedule/failure-moments.js';
import type { Span } from '../../src/schedule/probe-times.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import {
  expectReached,
  livesOf,
  observe,
  type Observed,
  type Phase,
  phases,
  podOf,
  probes,
  roles,
  spread,
  statusAt,
  within,
} from './observe.js';

function span(overrides: Partial<Container>, topic: string): Span {
  const moments = failureMoments(podOf(overrides), buildContainer(overrides));
  return moments.find((moment) => moment.topic === topic)!.span;
}

/** Seconds from the hang until traffic ends, for each run. */
function sentAfterHang(seen: Observed, at: number): number[] {
  const lives = livesOf(seen);
  return lives.flatMap(({ start }, index) => {
    const began = start + at / 1000;
    const replaced = lives[index + 1]?.start ?? Infinity;
    if (began > replaced || !isReady(seen, began)) return [];
    const unready = statusAt(seen, ({ ready }) => !ready, began) ?? Infinity;
    const until = Math.min(unready, replaced);
    return until === Infinity ? [] : [until - began];
  });
}

function isReady({ lines }: Observed, t: number): boolean {
  const last = lines.findLast((line) => line.kind === 'status' && line.t <= t);
  return (
    last?.kind === 'status' &&
    [...last.containers, ...last.initContainers].some(({ name, ready }) => name === 'app' && ready)
  );
}

const hanging = (at: number) => ({
  'exec alive': { hangsAt: [{ from: at, to: Infinity }] },
  'exec ready': { hangsAt: [{ from: at, to: Infinity }] },
});

describe('a container that hangs', () => {
  it('gets traffic for the predicted time, in each run', () =>
    fc.assert(
      fc.asyncProperty(
        roles,
        fc.option(probes('alive'), { nil: undefined }),
        fc.option(probes('ready'), { nil: undefined }),
        fc.integer({ min: 60_000, max: 80_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        phases,
        async (role, livenessProbe, readinessProbe, at, stopTakes, phase) => {
          fc.pre(livenessProbe !== undefined || readinessProbe !== undefined);
          const container = {
            ...role,
            ...(livenessProbe && { livenessProbe }),
            ...(readinessProbe && { readinessProbe }),
          };
          const script = { stopTakes, behaviors: hanging(at) };
          const sent = sentAfterHang(await observe(container, script, phase, 500), at);
          const bounds = span(container, 'hang: still sent traffic');
          expect(sent.length).toBeGreaterThan(0);
          for (const seconds of sent) expect(within(seconds, 0, bounds)).toBe(true);
        },
      ),
      { numRuns: 20 * RUNS_FACTOR },
    ));

  const settings = { periodSeconds: 4, timeoutSeconds: 2, failureThreshold: 2 };
  const alive = buildProbe({ ...settings, exec: { command: ['alive'] } });
  const ready = buildProbe({ ...settings, exec: { command: ['ready'] } });

  it.each([
    ['readiness', { readinessProbe: ready }],
    ['liveness', { livenessProbe: { ...alive, terminationGracePeriodSeconds: 5 } }],
  ])(
    'gets traffic up to both ends of the predicted time, with a %s probe',
    async (_, container) => {
      const seen = await spread(async (phase) => {
        const at = 2000 + (phase.seed % 8000);
        const stopTakes = phase.seed % 2 === 0 ? 1 : 1e9;
        const latency = { from: 1 + (phase.seed % 1998), to: 1 + (phase.seed % 1998) };
        const slow = Object.entries(hanging(at)).map(([name, how]) => [name, { ...how, latency }]);
        const script = { stopTakes, behaviors: Object.fromEntries(slow) as never };
        // The second kill is followed by a back-off: then the next relist ends the traffic, not a start.
        return sentAfterHang(await observe(container, script, phase, 100), at);
      });
      expectReached(seen, span(container, 'hang: still sent traffic'));
    },
  );
});

describe('a container that crashes', () => {
  const sent = async (phase: Phase, container: Partial<Container>): Promise<number[]> => {
    const exitAfter = 3000 + (phase.seed % 1000);
    const seen = await observe(container, { exitAfter }, phase, 60);
    return livesOf(seen).flatMap(({ end = Infinity }) => {
      const unready = statusAt(seen, ({ ready }) => !ready, end);
      return unready === undefined ? [] : [unready - end];
    });
  };

  it.each([
    ['a readiness probe', { readinessProbe: buildProbe({ exec: { command: ['a'] } }) }],
    ['no readiness probe', {}],
  ])('with %s gets traffic for the predicted time, up to both ends', async (_, container) => {
    const bounds = span(container, 'crash: still sent traffic');
    const seen = await spread((phase) => sent(phase, container));
    expect(within(seen.from, 0, bounds)).toBe(true);
    expect(within(seen.to, 0, bounds)).toBe(true);
    expectReached(seen, bounds);
  });
});
