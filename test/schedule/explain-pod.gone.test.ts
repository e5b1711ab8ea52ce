import { describe, expect, it } from 'vitest';

import type { Container, Lifecycle, Pod } from '../../src/api/index.js';
import { explainPod } from '../../src/schedule/explain-pod.js';
import type { Span } from '../../src/schedule/probe-times.js';
import { DEFAULT_RUN, type Scenario, type ScriptedRun } from '../../src/sim/scenario.js';
import { simulate } from '../../src/sim/simulate.js';
import { buildContainer, buildPod, buildSidecar } from '../helpers/builders.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import { within } from './observe.js';

const DELETED = 60_500;

/** A container of the pod, with the duration of its hook and of its termination. */
interface Member {
  readonly lifecycle: Lifecycle;
  readonly isSidecar: boolean;
  readonly hookTakes: number;
  readonly stopTakes: number;
}

const HOOK: Lifecycle = { preStop: { exec: { command: ['hook'] } } };

const lifecycles = fc.oneof(
  fc.constant<Lifecycle>({}),
  fc
    .integer({ min: 1, max: 25 })
    .map((seconds): Lifecycle => ({ preStop: { sleep: { seconds } } })),
  fc.constant(HOOK),
);

const takes = fc.oneof(fc.integer({ min: 1, max: 25_000 }), fc.constant(1e6));

const member = (isSidecar: boolean) =>
  fc.record<Member>({
    lifecycle: lifecycles,
    isSidecar: fc.constant(isSidecar),
    hookTakes: takes,
    stopTakes: takes,
  });

const pods = fc.record({
  grace: fc.integer({ min: 0, max: 20 }),
  members: fc
    .tuple(
      fc.array(member(false), { minLength: 1, maxLength: 2 }),
      fc.array(member(true), { maxLength: 2 }),
    )
    .map((lists) => lists.flat()),
});

function podOf(grace: number, members: readonly Pick<Member, 'lifecycle' | 'isSidecar'>[]): Pod {
  const build = (isSidecar: boolean): Container[] =>
    members.flatMap((one, index) => {
      if (one.isSidecar !== isSidecar) return [];
      const own = { name: `c${index}`, lifecycle: one.lifecycle };
      return isSidecar ? buildSidecar(own) : buildContainer(own);
    });
  const terminationGracePeriodSeconds = grace;
  return buildPod({
    spec: { containers: build(false), initContainers: build(true), terminationGracePeriodSeconds },
  });
}

interface Ended {
  /** Seconds from the deletion to the end of the last container. */
  readonly gone: number;
  /** Seconds from the deletion to the TERM of each sidecar. */
  readonly terms: ReadonlyMap<string, number>;
}

async function end(pod: Pod, members: readonly Member[]): Promise<Ended> {
  const runs = members.map(({ hookTakes, stopTakes }, index): [string, ScriptedRun[]] => {
    const hook = [{ takes: hookTakes, exit: 0, stdout: '', stderr: '' }];
    return [`c${index}`, [{ ...DEFAULT_RUN, stopTakes, exec: { hook } }]];
  });
  const scenario: Scenario = {
    name: 's',
    until: 180_000,
    kubeletUp: 5370,
    pod,
    containers: Object.fromEntries(runs),
    actions: [{ at: DELETED, do: 'delete' }],
  };
  const ends: number[] = [];
  const terms = new Map<string, number>();
  await simulate(scenario, (line) => {
    if (line.kind === 'exited') ends.push(line.t);
    if (line.kind === 'stop') terms.set(line.container, line.t - DELETED / 1000);
  });
  expect(ends).toHaveLength(members.length);
  return { gone: Math.max(...ends) - DELETED / 1000, terms };
}

/** The predicted times at which each sidecar gets TERM. */
function termSpans(pod: Pod): Map<string, Span> {
  const { containers } = explainPod(pod, new Set());
  return new Map(
    containers.flatMap(({ name, life }) => {
      const term = life.find(({ topic }) => topic === 'TERM');
      return term === undefined ? [] : [[name, term.span]];
    }),
  );
}

describe('a deleted pod', () => {
  it('is gone within the predicted time, with any hooks and reactions to TERM', () =>
    fc.assert(
      fc.asyncProperty(pods, async ({ grace, members }) => {
        const pod = podOf(grace, members);
        const { span } = explainPod(pod, new Set()).gone;
        const ended = await end(pod, members);
        expect(within(ended.gone, 0, span)).toBe(true);
        for (const [name, term] of termSpans(pod)) {
          expect(within(ended.terms.get(name), 0, term)).toBe(true);
        }
      }),
      { numRuns: 150 * RUNS_FACTOR },
    ));

  const plain = { lifecycle: {}, isSidecar: false };
  const hooked = { lifecycle: HOOK, isSidecar: false };
  const sleeps = { lifecycle: { preStop: { sleep: { seconds: 5 } } }, isSidecar: false };
  const sidecar = { lifecycle: {}, isSidecar: true };
  const hookedSidecar = { lifecycle: HOOK, isSidecar: true };

  it.each([
    ['no hook', 10, [plain], [0, 10], []],
    ['no grace period', 0, [plain], [0, 2], []],
    ['a sleep', 10, [sleeps], [5, 10], []],
    ['a command', 10, [hooked], [0, 12], []],
    ['a sidecar', 10, [plain, sidecar], [0, 12], [[0, 10]]],
    ['a sidecar with a command', 10, [hooked, hookedSidecar], [0, 13], [[0, 11]]],
    ['a sidecar that sleeps', 10, [plain, { ...sleeps, isSidecar: true }], [5, 12], [[5, 10]]],
    [
      'two sidecars',
      10,
      [sleeps, sidecar, hookedSidecar],
      [5, 12],
      [
        [5, 10],
        [5, 10],
      ],
    ],
  ])(
    'with %s can be gone at both ends of the predicted time',
    async (_, grace, members, bounds, terms) => {
      const pod = podOf(grace, members);
      const seen: Ended[] = [];
      for (const hookTakes of [1, 990, 9990, 1e6]) {
        for (const stopTakes of [1, 9990, 1e6]) {
          const all = members.map((one) => ({ ...one, hookTakes, stopTakes }));
          // The hook of a sidecar may be short while those of others are long.
          const mixed = all.map((one) => (one.isSidecar ? { ...one, hookTakes: 990 } : one));
          seen.push(await end(pod, all), await end(pod, mixed));
        }
      }
      const gone = explainPod(pod, new Set()).gone.span;
      expect([gone.from, gone.to]).toEqual(bounds);
      expectBoth(
        seen.map((ended) => ended.gone),
        gone,
      );
      const said = termSpans(pod);
      expect([...said.values()].map(({ from, to }) => [from, to])).toEqual(terms);
      for (const [name, span] of said) {
        expectBoth(
          seen.map((ended) => ended.terms.get(name) ?? NaN),
          span,
        );
      }
    },
  );
});

function expectBoth(seen: readonly number[], { from, to }: Span): void {
  expect(Math.min(...seen)).toBeCloseTo(from, 1);
  expect(Math.max(...seen)).toBeCloseTo(to, 1);
}
