import { describe, expect, it } from 'vitest';

import type { Container, Pod } from '../../src/api/index.js';
import { explainPod } from '../../src/schedule/explain-pod.js';
import { DEFAULT_RUN, type ScriptedRun } from '../../src/sim/scenario.js';
import { buildContainer, buildPod, buildProbe, buildSidecar } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import {
  expectReached,
  observe,
  type Phase,
  phases,
  probes,
  searchedSpan,
  within,
} from './observe.js';

/** A container of the pod: an init container with a duration, or a container with probes. */
interface Member {
  readonly takes?: number;
  readonly probes: Pick<Container, 'startupProbe' | 'readinessProbe'>;
}

const answering = fc
  .tuple(fc.option(probes('startup')), fc.option(probes('ready', 3)))
  .map(([startup, ready]): Member => ({
    probes: {
      ...(startup && { startupProbe: startup }),
      ...(ready && { readinessProbe: ready }),
    },
  }));

const completing = fc
  .integer({ min: 1, max: 9000 })
  .map((takes): Member => ({ takes, probes: {} }));

function podOf(inits: readonly Member[], mains: readonly Member[]): Pod {
  const initContainers = inits.map(({ takes, probes: own }, index) =>
    (takes === undefined ? buildSidecar : buildContainer)({ name: `init${index}`, ...own }),
  );
  const containers = mains.map(({ probes: own }, index) =>
    buildContainer({ name: `main${index}`, ...own }),
  );
  return buildPod({ spec: { initContainers, containers } });
}

interface Timing {
  /** Duration of each answer in milliseconds. */
  readonly answer: number;
  /** Duration of each container start except the first, in milliseconds. */
  readonly start: number;
}

/** Seconds from the first start until the pod is ready, without the duration of its init containers. */
async function readyAfter(
  inits: readonly Member[],
  mains: readonly Member[],
  phase: Phase,
  { answer, start }: Timing = { answer: 1, start: 1 },
): Promise<number> {
  const answers = [{ takes: answer, exit: 0, stdout: '', stderr: '' }];
  const exec = { startup: answers, ready: answers };
  const pod = podOf(inits, mains);
  const runs = [...inits, ...mains].map(({ takes }, index): ScriptedRun => ({
    ...DEFAULT_RUN,
    exec,
    startTakes: index === 0 ? phase.startTakes : start,
    ...(takes !== undefined && { exitAfter: takes }),
  }));
  const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((c) => c.name);
  const containers = Object.fromEntries(names.map((name, index) => [name, [runs[index]!]]));
  const { lines } = await observe({}, {}, phase, 300, { pod, containers }, 'main0');
  const began = lines.find((line) => line.kind === 'started')?.t ?? NaN;
  const ready = lines.find(
    (line) => line.kind === 'status' && line.conditions.Ready?.startsWith('True'),
  )?.t;
  const inInits = inits.reduce((sum, { takes = 0 }) => sum + takes, 0);
  return (ready ?? NaN) - began - inInits / 1000;
}

/** Milliseconds of init containers after a sidecar, which becomes ready in parallel. */
function besideSidecars(inits: readonly Member[]): number {
  const sidecar = inits.findIndex(({ takes }) => takes === undefined);
  return inits
    .slice(sidecar === -1 ? inits.length : sidecar)
    .reduce((sum, { takes = 0 }) => sum + takes, 0);
}

describe('a pod whose containers answer from the start', () => {
  it('is ready within the predicted time, with any init containers, sidecars and probes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(answering, completing), { maxLength: 3 }),
        fc.array(answering, { minLength: 1, maxLength: 2 }),
        phases,
        async (inits, mains, phase) => {
          const { from, to } = explainPod(podOf(inits, mains), new Set()).ready.span;
          const meanwhile = besideSidecars(inits) / 1000;
          const span = { from: from - meanwhile, to };
          expect(within(await readyAfter(inits, mains, phase), 0, span)).toBe(true);
        },
      ),
      { numRuns: 150 * RUNS_FACTOR },
    ));

  const probe = (command: string) =>
    buildProbe({ exec: { command: [command] }, periodSeconds: 4, timeoutSeconds: 2 });
  const sidecar = { probes: { startupProbe: probe('startup') } };
  const main = { probes: { readinessProbe: probe('ready') } };

  it.each([
    ['a sidecar', [sidecar], [{ probes: {} }]],
    ['a readiness probe', [], [main]],
    ['a sidecar and a readiness probe', [sidecar], [main]],
  ])('with %s can be ready at both ends of the predicted time', async (_, inits, mains) => {
    // A sum of several waits: it is rare that all of them are long, or short.
    // Ticks count from the pod, not from the start of a container: an init container shifts them.
    const all = (takes: number): Member[] => [{ takes, probes: {} }, ...inits];
    const seen = await searchedSpan(async (phase) => {
      const timing = { answer: phase.seed % 2 === 0 ? 1 : 1999, start: phase.seed % 1000 };
      const took = await readyAfter(all(phase.initTakes), mains, phase, timing);
      return took - (timing.start * (inits.length + mains.length)) / 1000;
    }, 600);
    expectReached(seen, explainPod(podOf(all(1), mains), new Set()).ready.span);
  });
});

it.each([
  [{}, 'All containers are ready then, if they answer from the start.'],
  [{ initContainers: [buildSidecar()] }, 'All containers and sidecars are ready then'],
  [{ initContainers: [buildContainer()] }, 'Add the time that init containers take.'],
  [
    { initContainers: [buildSidecar(), buildContainer()] },
    'Add the time that init containers take, but only once where sidecars get ready at the same time.',
  ],
  [
    { readinessGates: [{ conditionType: 'a.b/c' }] },
    'Its readiness gates (a.b/c) also have to be True',
  ],
])('the ready time of a pod with %j is explained', (spec, text) => {
  expect(explainPod(buildPod({ spec }), new Set()).ready.reason).toContain(text);
});
