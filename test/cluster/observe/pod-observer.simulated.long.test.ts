import { expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';
import { simulate } from '../../../src/sim/simulate.js';
import { type Decision, decisionsOf } from '../../../src/trace/decisions.js';
import type { Event } from '../../../src/trace/event.js';
import { toTraceLine, type TraceLine } from '../../../src/trace/trace-line.js';
import { arbitraryScenario, readScenario } from '../../helpers/arbitrary-scenario.js';
import { clusterReports, originOf, type Report } from '../../helpers/cluster-reports.js';
import { fc, RUNS_FACTOR } from '../../helpers/property.js';

/** Watches the reports from `from` on: the latest of each object is listed then. `elapsed` comes each second. */
function watch(reports: readonly Report[], origin: number, from = 0): TraceLine[] {
  const observer = new PodObserver();
  const lines: TraceLine[] = [];
  const add = (events: readonly Event[], now: number): void => {
    lines.push(...events.map((event) => toTraceLine(event, now, origin)));
  };
  const start = origin + from;
  const listed = new Map(
    reports.filter(({ now }) => now < start).map((one) => [one.id, { ...one, now: start }]),
  );
  const later = reports.filter(({ now }) => now >= start);
  let last = start;
  const byKind = [...listed.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  for (const { now, kind, object } of [...byKind, ...later]) {
    for (; last + 1000 < now; last += 1000) add(observer.elapsed(last), last);
    add(observer[kind](object, now), now);
  }
  return lines;
}

/** Leaves out what a pod's status does not show: failed starts, and containers that are removed with their end. */
const plain = (scenario: object): object =>
  JSON.parse(
    JSON.stringify(scenario, (key, value: unknown) =>
      key === 'startError' || key === 'restartPolicyRules' ? undefined : value,
    ),
  ) as object;

const traceOf = async (written: object, seed: number) => {
  const scenario = readScenario(written);
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line), seed);
  return { lines, reports: clusterReports(scenario, lines, seed), origin: originOf(scenario) };
};

/** Seconds until a status shows what has happened. */
const SHOWN_AFTER = 3;
const ABOUT_READY = ['started', 'ready', 'not ready'];

/** Puts a kill before an end in the same instant, as reports do: their order means nothing. */
const killsFirst = (decisions: readonly Decision[]): readonly Decision[] =>
  decisions.toSorted(
    (a, b) => a.t - b.t || +b.what.startsWith('killed') - +a.what.startsWith('killed'),
  );

/** Lists in which the order is certain: the life of each container, and its probes' results. */
const LISTS = ['app', 'web', 'init', 'sidecar'].flatMap((name) =>
  [true, false].map(
    (isReady) => (one: Decision) =>
      one.container === name && ABOUT_READY.includes(one.what) === isReady,
  ),
);

it('reports the decisions of a simulated kubelet', async () => {
  let [count, unseen, wrong] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(arbitraryScenario, fc.nat(), async (written, seed) => {
      const { lines, reports, origin } = await traceOf(plain(written), seed);
      const lastStatus = lines.findLast(({ kind }) => kind === 'status')?.t ?? 0;
      const decided = killsFirst(decisionsOf(lines));
      const observed = killsFirst(decisionsOf(watch(reports, origin)));
      for (const isListed of LISTS) {
        const seen = observed.filter(isListed);
        for (const one of decided.filter(isListed)) {
          count++;
          if (one.what === seen[0]?.what) seen.shift();
          else if (one.t < lastStatus - SHOWN_AFTER) unseen++;
        }
        wrong += seen.length;
      }
    }),
    { numRuns: 100 * RUNS_FACTOR, endOnFailure: true },
  );
  // Ends that no status shows, and kills whose events the spam filter drops.
  expect(unseen / count).toBeLessThan(0.03);
  expect(wrong / count).toBeLessThan(0.03);
});

it('names no divergence of a simulated kubelet', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryScenario, fc.nat(), fc.nat(60_000), async (written, seed, from) => {
      const { reports, origin } = await traceOf(written, seed);
      for (const lines of [watch(reports, origin), watch(reports, origin, from)]) {
        expect(lines.filter(({ kind }) => kind === 'divergence')).toEqual([]);
      }
    }),
    { numRuns: 200 * RUNS_FACTOR, endOnFailure: true },
  );
});
