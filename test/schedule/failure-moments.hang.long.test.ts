import { describe, expect, it } from 'vitest';

import type { Container, Pod, Probe } from '../../src/api/index.js';
import { failureMoments } from '../../src/schedule/failure-moments.js';
import { DEFAULT_RUN } from '../../src/sim/scenario.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import {
  expectReached,
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

/** Seconds that are simulated. */
const UNTIL = 500;
/** Seconds after a hang in which everything that follows from it happens. */
const SETTLED = 200;

const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });

/** A container with any probes, a grace period of its liveness probe's, and a preStop hook. */
const containers: fc.Arbitrary<Partial<Container>> = fc
  .record({
    role: roles,
    startupProbe: maybe(probes('start')),
    readinessProbe: maybe(probes('ready', 3)),
    livenessProbe: maybe(probes('alive')),
    grace: maybe(fc.integer({ min: 1, max: 20 })),
    sleep: maybe(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ role, startupProbe, readinessProbe, livenessProbe, grace, sleep }) => ({
    ...role,
    ...(startupProbe && { startupProbe }),
    ...(readinessProbe && { readinessProbe }),
    ...(livenessProbe && {
      livenessProbe: { ...livenessProbe, ...(grace && { terminationGracePeriodSeconds: grace }) },
    }),
    ...(sleep && { lifecycle: { preStop: { sleep: { seconds: sleep } } } }),
  }));

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** A pod of these containers and sidecars, behind an init container. */
function podWith(all: readonly Container[], terminationGracePeriodSeconds: number): Pod {
  const regular = all.filter((container) => !isSidecar(container));
  return buildPod({
    spec: {
      initContainers: [buildContainer({ name: 'init' }), ...all.filter(isSidecar)],
      containers: regular.length > 0 ? regular : [buildContainer({ name: 'main' })],
      terminationGracePeriodSeconds,
    },
  });
}

const hangs = (at: number) => ({
  'exec alive': { hangsAt: [{ from: at, to: Infinity }] },
  'exec ready': { hangsAt: [{ from: at, to: Infinity }] },
});

/** Seconds from each hang to what the kubelet does about it; undefined where it did nothing. */
function afterHangs(seen: Observed, at: number) {
  const times = (is: (line: TraceLine) => boolean): number[] =>
    seen.lines.filter(is).map(({ t }) => t);
  const starts = times((line) => line.kind === 'started' && line.container === 'app');
  const kills = times(
    (line) =>
      line.kind === 'event' &&
      line.reason === 'Killing' &&
      line.fieldPath?.endsWith('{app}') === true,
  );
  return starts.flatMap((start, run) => {
    const began = start + at / 1000;
    const next = starts[run + 1] ?? Infinity;
    if (began > Math.min(next, UNTIL - SETTLED) || !wasReady(seen, began)) return [];
    const notReady = statusAt(seen, (app) => !app.ready, began);
    const until = Math.min(notReady ?? Infinity, next);
    const since = (t: number | undefined) => (t === undefined ? undefined : t - began);
    return [
      {
        'hang: not ready': since(notReady),
        'hang: killed': since(kills.find((t) => t >= began)),
        'hang: still sent traffic': since(until === Infinity ? undefined : until),
      },
    ];
  });
}

function wasReady({ lines }: Observed, at: number): boolean {
  const last = lines.findLast((line) => line.kind === 'status' && line.t <= at);
  if (last?.kind !== 'status') return false;
  return [...last.containers, ...last.initContainers].some(
    ({ name, ready }) => name === 'app' && ready,
  );
}

const probeOf = (name: string, settings: Partial<Probe>): Probe =>
  buildProbe({ timeoutSeconds: 1, periodSeconds: 1, exec: { command: [name] }, ...settings });

/** The container hangs before its third success in a row, and its next run is ready later. */
const NOT_READY_YET: [Partial<Container>, Partial<Container>[], number, number, number, Phase] = [
  {
    startupProbe: probeOf('start', { initialDelaySeconds: 1, failureThreshold: 1 }),
    readinessProbe: probeOf('ready', {
      ...{ initialDelaySeconds: 16, periodSeconds: 15 },
      ...{ successThreshold: 3, failureThreshold: 1 },
    }),
    livenessProbe: probeOf('alive', { timeoutSeconds: 2, failureThreshold: 4 }),
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
  },
  [
    {
      startupProbe: probeOf('start', { initialDelaySeconds: 6, failureThreshold: 1 }),
      readinessProbe: probeOf('ready', {
        ...{ initialDelaySeconds: 10, periodSeconds: 3 },
        ...{ successThreshold: 2, failureThreshold: 1 },
      }),
    },
  ],
  5,
  60_000,
  1997,
  { initTakes: 1, relist: 0, startTakes: 7, seed: 1 },
];

describe('a container that hangs among others', () => {
  it('is not ready, killed and without traffic within the predicted times', () =>
    fc.assert(
      fc.asyncProperty(
        containers,
        fc.array(containers, { maxLength: 2 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 60_000, max: 80_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        phases,
        async (overrides, more, grace, at, stopTakes, phase) => {
          const app = buildContainer(overrides);
          const others = more.map((other, index) =>
            buildContainer({ ...other, name: `other-${index}` }),
          );
          const pod = podWith([app, ...others], grace);
          const script = { ...DEFAULT_RUN, stopTakes, behaviors: hangs(at) };
          const seen = await observe(overrides, script, phase, UNTIL, {
            pod,
            containers: {
              init: [{ ...DEFAULT_RUN, exitAfter: phase.initTakes }],
              app: [{ ...script, startTakes: phase.startTakes }, script],
              ...Object.fromEntries(others.map(({ name }) => [name, [DEFAULT_RUN]])),
            },
          });
          const moments = failureMoments(pod, app);
          for (const found of afterHangs(seen, at)) {
            for (const [topic, time] of Object.entries(found)) {
              const { span } = moments.find((moment) => moment.topic === topic)!;
              // What has no latest time may also not happen.
              if (time === undefined && span.to === Infinity) continue;
              expect(within(time, 0, span), topic).toBe(true);
            }
          }
        },
      ),
      { numRuns: 120 * RUNS_FACTOR, examples: [NOT_READY_YET] },
    ));

  const settings = { periodSeconds: 4, timeoutSeconds: 2 };
  const container: Partial<Container> = {
    readinessProbe: buildProbe({ ...settings, failureThreshold: 9, exec: { command: ['ready'] } }),
    livenessProbe: buildProbe({
      ...settings,
      failureThreshold: 2,
      terminationGracePeriodSeconds: 5,
      exec: { command: ['alive'] },
    }),
  };

  it.each(['hang: not ready', 'hang: killed', 'hang: still sent traffic'] as const)(
    'reaches both ends of %s, where liveness comes first',
    async (topic) => {
      const seen = await spread(async (phase: Phase) => {
        const at = 2000 + (phase.seed % 8000);
        const latency = { from: 1 + (phase.seed % 1998), to: 1 + (phase.seed % 1998) };
        const behaviors = Object.fromEntries(
          Object.entries(hangs(at)).map(([name, how]) => [name, { ...how, latency }]),
        );
        const script = { stopTakes: phase.seed % 2 === 0 ? 1 : 1e9, behaviors };
        return afterHangs(await observe(container, script, phase, 260), at).flatMap(
          (found) => found[topic] ?? [],
        );
      });
      const moments = failureMoments(podOf(container), buildContainer(container));
      expectReached(seen, moments.find((moment) => moment.topic === topic)!.span);
    },
  );
});
