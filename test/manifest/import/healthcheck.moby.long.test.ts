import { expect, it } from 'vitest';

import {
  type Healthcheck,
  HEALTHCHECK_DEFAULTS,
} from '../../../src/manifest/import/healthcheck.js';
import { importedManifest } from '../../../src/manifest/import/imported-manifest.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';
import {
  DEFAULT_ANSWER,
  DEFAULT_RUN,
  KUBELET_UP,
  type ScriptedAnswer,
} from '../../../src/sim/scenario.js';
import { simulate } from '../../../src/sim/simulate.js';
import { fc, RUNS_FACTOR } from '../../helpers/property.js';

const RUNS = 150 * RUNS_FACTOR;

/** How an app answers its health check while it is younger than `until`; milliseconds. */
interface Spell {
  readonly isHealthy: boolean;
  readonly takes: number;
  readonly until: number;
}

/** Returns whether the engine calls the app unhealthy. Ports monitor and handleProbeResult (moby v28.5, daemon/health.go). */
function isEverUnhealthy(check: Healthcheck, spells: readonly Spell[]): boolean {
  const { interval, timeout, startPeriod, startInterval, retries } = check;
  let isStarting = true;
  let streak = 0;
  const pause = (age: number): number =>
    age < startPeriod && isStarting ? startInterval : interval;
  const end = spells.at(-1)!.until;
  for (let start = pause(0); start < end;) {
    const { isHealthy, takes } = spells.find(({ until }) => start < until)!;
    if (isHealthy && takes <= timeout) {
      isStarting = false;
      streak = 0;
    } else if (!isStarting || start >= startPeriod) {
      streak++;
      if (streak >= retries) return true;
    }
    const age = start + Math.min(takes, timeout);
    start = age + pause(age);
  }
  return false;
}

/** Returns the times in seconds at which a kubelet with the imported probes kills the app. */
async function kills(
  check: Healthcheck,
  spells: readonly Spell[],
  seed: number,
): Promise<readonly number[]> {
  const text = importedManifest([{ name: 'app', image: 'app:1', ports: [], healthcheck: check }]);
  const { pods, diagnostics } = loadManifest([{ file: 'app.yaml', text }]);
  expect(diagnostics).toEqual([]);
  const ok = spells.map(({ isHealthy, takes, until }): ScriptedAnswer => ({
    ...DEFAULT_ANSWER,
    exit: isHealthy ? 0 : 1,
    takes,
    until,
  }));
  const scenario = {
    name: 'import',
    until: spells.at(-1)!.until,
    kubeletUp: KUBELET_UP,
    pod: pods[0]!.pod,
    containers: { app: [{ ...DEFAULT_RUN, exec: { ok } }] },
    actions: [],
  };
  const stops: number[] = [];
  await simulate(scenario, (line) => line.kind === 'stop' && stops.push(line.t), seed);
  return stops;
}

const milliseconds = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: Math.ceil(min / 1000), max: max / 1000 }).map((s) => s * 1000),
    fc.integer({ min, max }),
  );

const CHECKS: fc.Arbitrary<Healthcheck> = fc.record({
  test: fc.constant(['CMD', 'ok']),
  interval: milliseconds(100, 12_000),
  timeout: fc.oneof(milliseconds(100, 12_000), fc.constant(HEALTHCHECK_DEFAULTS.timeout)),
  startPeriod: fc.oneof(fc.constant(0), milliseconds(100, 20_000)),
  startInterval: fc.oneof(
    fc.constant(HEALTHCHECK_DEFAULTS.startInterval),
    milliseconds(100, 10_000),
  ),
  retries: fc.integer({ min: 1, max: 4 }),
});

/** Numbers from 0 to 1: whether a spell is healthy, its length, and how long its checks take. */
const SHAPES = fc.array(
  fc.tuple(
    fc.boolean(),
    fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
    fc.constantFrom(0.01, 0.3, 0.9, 1.1, 3),
  ),
  {
    minLength: 1,
    maxLength: 4,
  },
);

/**
 * Returns an app's life. A healthy spell is as long as the longest time between two checks of either side: one that
 * is shorter may be seen by the one and missed by the other.
 */
function spellsOf(
  check: Healthcheck,
  shapes: readonly (readonly [boolean, number, number])[],
): Spell[] {
  const { interval, timeout, startPeriod, startInterval, retries } = check;
  const slowest = interval + timeout;
  const seen = Math.max(slowest, startInterval) + 2000;
  const spells: Spell[] = [];
  let until = 0;
  for (const [isHealthy, share, part] of [...shapes, [true, 1, 0.01] as const]) {
    const longest = startPeriod + (retries + 1) * slowest;
    until += Math.round(isHealthy ? seen * (1 + share) : share * longest);
    const takes = Math.round(timeout * (isHealthy ? Math.min(part, 0.9) : part));
    spells.push({ isHealthy, takes, until });
  }
  return [...spells, { isHealthy: true, takes: 1, until: until + 3 * seen }];
}

it('a kubelet with the imported probes kills nothing that the engine calls healthy', async () => {
  let healthy = 0;
  let killed = 0;
  const life = fc.tuple(CHECKS, SHAPES, fc.nat());
  await fc.assert(
    fc.asyncProperty(life, async ([check, shapes, seed]) => {
      const spells = spellsOf(check, shapes);
      const stops = await kills(check, spells, seed);
      if (isEverUnhealthy(check, spells)) {
        if (stops.length > 0) killed++;
        return;
      }
      healthy++;
      expect(stops).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // The lives are of both kinds.
  expect(healthy).toBeGreaterThan(RUNS / 4);
  expect(killed).toBeGreaterThan(RUNS / 10);
});
