import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { type Container, omitUndefined } from '../../src/api/index.js';
import type { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { Session } from '../../src/session/session.js';
import { goalOf, type RunEnd, waitForGoal } from '../../src/session/wait-for-goal.js';
import type { Condition } from '../../src/trace/summary/verdict.js';
import { buildPod } from '../helpers/builders.js';
import type { ListenedRuntime } from '../helpers/listened-runtime.js';
import {
  httpProbe as probe,
  type PodScript,
  settledIn,
  virtualRun,
} from '../helpers/virtual-run.js';

interface Script extends Omit<PodScript, 'exitCodes'> {
  readonly exitCode?: number;
  readonly until?: Condition | 'stable';
  readonly for?: number;
  readonly timeout?: number;
  readonly warningIn?: () => string | undefined;
  /** Acts on the run as its user or the container engine does. */
  readonly act?: (session: Session, runtime: ListenedRuntime, clock: VirtualClock) => void;
}

interface Ended extends RunEnd {
  readonly notes: readonly string[];
}

/** Runs a pod in virtual time until the goal, or for ten minutes. */
async function run(container: Partial<Container>, script: Script): Promise<Ended> {
  const { exitCode = 3, until, timeout = 600 } = script;
  const { clock, session, runtime, start } = virtualRun(container, {
    ...script,
    exitCodes: [exitCode],
  });
  start();
  script.act?.(session, runtime, clock);
  const waiting = waitForGoal({
    ...{ clock, session, signal: new AbortController().signal, timeout: timeout * 1000 },
    goal: goalOf(
      { until, for: script.for === undefined ? undefined : script.for * 1000 },
      'settled',
    ),
    ...omitUndefined({ warningIn: script.warningIn }),
  });
  const end = await settledIn(clock, waiting);
  return { ...end, notes: session.summary.notes.map(({ text }) => text) };
}

const DEFAULTS = { livenessProbe: probe('/live'), readinessProbe: probe('/ready') };

it('listens no longer to the signal of the command once the run has ended', async () => {
  const { signal } = new AbortController();
  const { clock, session, start } = virtualRun(DEFAULTS, { exitCodes: [0] });
  start();
  const goal = goalOf({ until: 'ready', for: undefined }, 'settled');
  await settledIn(clock, waitForGoal({ clock, session, signal, goal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('--until stable', () => {
  it('ends when all that a standing fault could bring has had its time, and says when', async () => {
    const { kind, verdict, t, notes } = await run(DEFAULTS, { until: 'stable' });
    expect([kind, verdict.kind]).toEqual(['goal', 'holds']);
    // Ten seconds to the first attempt, twenty to the third, the last one's timeout, and a relist.
    expect(t).toBeGreaterThanOrEqual(32);
    expect(t).toBeLessThan(35);
    expect(notes.filter((note) => note.startsWith('stable at the earliest in '))).toEqual([
      expect.stringMatching(/in 32 s: default\/web is not ready/),
      expect.stringMatching(
        /in 3\d s: default\/web: the (?:liveness|readiness) probe of app could/,
      ),
      expect.stringMatching(/in 30 s: /),
      expect.stringMatching(/in 10 s: /),
    ]);
  });

  it.each<[string, Partial<Container>, Script]>([
    [
      'whose liveness fails every time',
      { livenessProbe: probe('/live', { failureThreshold: 5 }) },
      { fails: () => true },
    ],
    [
      'whose liveness fails two times of three',
      { livenessProbe: probe('/live') },
      { fails: (_, t) => Math.floor(t / 10) % 3 !== 0 },
    ],
    ['that exits every seven seconds', {}, { lives: [7] }],
    ['that exits every 25 s', DEFAULTS, { lives: [25] }],
    ['that is never ready', DEFAULTS, { fails: (path) => path === '/ready' }],
    [
      'whose late liveness fails',
      { livenessProbe: probe('/live', { initialDelaySeconds: 60 }) },
      { fails: () => true },
    ],
  ])('never is of a container %s', async (_, container, script) => {
    const { kind, verdict, t } = await run(container, { ...script, until: 'stable' });
    expect([kind, verdict.kind, t]).toEqual(['timeout', 'doesNotHold', 600]);
    expect(verdict.sentence).toMatch(/^not stable: default\/web/);
  });

  it.each<[string, number, Partial<Container>, Script]>([
    [
      'the initial delay of its liveness',
      60 + 22,
      { livenessProbe: probe('/live', { initialDelaySeconds: 50 }) },
      {},
    ],
    [
      'a readiness that was lost within the first 30 s and came back at 60 s',
      60 + 30,
      DEFAULTS,
      { fails: (path, t) => path === '/ready' && t > 5 && t < 60 },
    ],
    [
      'a failure of liveness at 20 s',
      20 + 30,
      DEFAULTS,
      { fails: (path, t) => path === '/live' && t > 15 && t < 25 },
    ],
    ['a crash at 8 s, and the first back-off', 8 + 10, {}, { lives: [8, 1000] }],
    [
      'the start of a slow container',
      60 + 30,
      { ...DEFAULTS, startupProbe: probe('/start', { failureThreshold: 30 }) },
      { fails: (path, t) => path === '/start' && t < 55 },
    ],
  ])('counts from the end of %s', async (_, least, container, script) => {
    const { kind, verdict, t } = await run(container, { ...script, until: 'stable' });
    expect([kind, verdict.kind]).toEqual(['goal', 'holds']);
    expect(t).toBeGreaterThanOrEqual(least);
    expect(t).toBeLessThan(least + 15);
  });

  it.each<[string, Script]>([
    ['crash', { lives: [90, 1000] }],
    ['be killed again', { fails: (path, t) => path === '/live' && t > 60 && t < 100 }],
  ])('says that a container could still %s', async (again, script) => {
    const { fails = () => false } = script;
    const neverReadyAtFirst = (path: string, t: number) => t < 60 && path === '/ready';
    const { verdict } = await run(DEFAULTS, {
      ...script,
      ...{ until: 'stable', timeout: 160 },
      fails: (path, t) => neverReadyAtFirst(path, t) || fails(path, t),
    });
    const sentence = `not stable: default/web: app could still ${again}`;
    expect(verdict).toMatchObject({ kind: 'doesNotHold', sentence });
  });

  it('is of a pod that succeeds', async () => {
    const script: Script = { spec: { restartPolicy: 'Never' }, lives: [2], exitCode: 0 };
    const { verdict, t } = await run({}, { ...script, until: 'stable' });
    expect(verdict.kind).toBe('holds');
    expect(t).toBeLessThan(5);
  });

  it('ends at once for a container that has failed for good', async () => {
    const script: Script = { spec: { restartPolicy: 'Never' }, lives: [2] };
    const { verdict, t } = await run({}, { ...script, until: 'stable' });
    expect(verdict).toEqual({
      kind: 'doesNotHold',
      sentence: expect.stringContaining('ended with exit code 3 and is not restarted') as string,
    });
    expect(t).toBeLessThan(5);
  });
});

describe('a run without --until', () => {
  it.each([0.02, 0.5, 0.9, 2])('of a pod that succeeds after %s s is a success', async (life) => {
    const spec = { restartPolicy: 'Never' } as const;
    const { verdict } = await run({}, { spec, lives: [life], exitCode: 0 });
    expect(verdict.kind).toBe('holds');
  });
});

describe('--until ready', () => {
  it.each(['Always', 'OnFailure', 'Never'] as const)(
    'is not met by exit 3 without probes, with restartPolicy %s',
    async (restartPolicy) => {
      const script: Script = { spec: { restartPolicy }, lives: [0.02], timeout: 60 };
      const { verdict } = await run({}, { ...script, until: 'ready' });
      expect(verdict.kind).toBe('doesNotHold');
    },
  );

  it.each([0.02, 0.5, 0.9])(
    'is not met by a command that ends %s s after a start just before a relist',
    async (life) => {
      const justBefore = (_: Session, runtime: ListenedRuntime): void => {
        runtime.startTakes = 990;
      };
      const script: Script = { spec: { restartPolicy: 'Never' }, lives: [life], act: justBefore };
      const { verdict } = await run({}, { ...script, until: 'ready' });
      expect(verdict.kind).toBe('doesNotHold');
    },
  );

  it('does not hold for a ready pod with a warning that counts', async () => {
    const warningIn = (): string => 'listens on 127.0.0.1 only';
    const { verdict } = await run({}, { until: 'ready', warningIn });
    expect(verdict).toEqual({ kind: 'doesNotHold', sentence: 'listens on 127.0.0.1 only' });
  });

  it('names the restarts of a pod that is ready now', async () => {
    const script: Script = { lives: [5, 1000], fails: (_, t) => t < 8 };
    const { verdict } = await run(
      { readinessProbe: probe('/ready') },
      { ...script, until: 'ready' },
    );
    expect(verdict).toEqual({
      kind: 'holds',
      sentence: expect.stringMatching(
        /; restarted 1 × in \d+s: not stable \(--until stable waits\)$/,
      ) as string,
    });
  });
});

/** Restarts at a time in seconds, by whom, with an exit code. */
const RESTARTS: Readonly<
  Record<string, (t: number, exitCode: number) => readonly [Partial<Container>, Script]>
> = {
  'the kubelet, after an exit': (t, exitCode) => [{}, { lives: [t, 1000], exitCode }],
  'the kubelet, after a liveness failure': (t, exitCode) => [
    { livenessProbe: probe('/live', { periodSeconds: 1, failureThreshold: 1 }) },
    { fails: (_, now) => now >= t - 1.1, exitCode },
  ],
  "an engine's policy": (t, exitCode) => [
    {},
    {
      act: (_, runtime, clock) => {
        const pod = buildPod();
        clock.setTimeout(() => runtime.exit('app-1', exitCode), t * 1000);
        clock.setTimeout(() => runtime.restart('engine-2', pod, clock.now()), t * 1000 + 5);
      },
    },
  ],
  'the user': (t) => [
    {},
    {
      act: (session, _, clock) => {
        clock.setTimeout(() => void session.restart('default/web', 'app'), t * 1000);
      },
    },
  ],
};

describe('--for 20s with a restart by', () => {
  const rows = Object.keys(RESTARTS).flatMap((maker) =>
    [5, 15, 18.5, 19.5, 19.95].flatMap((t) => [0, 3].map((exitCode) => ({ maker, t, exitCode }))),
  );

  it('has 40 endings', () => expect(rows).toHaveLength(40));

  it.each(rows)('$maker at $t s, exit code $exitCode', async ({ maker, t, exitCode }) => {
    const [container, script] = RESTARTS[maker]?.(t, exitCode) ?? [{}, {}];
    const { kind, verdict } = await run(container, { ...script, for: 20 });
    const isBack: unknown = t < 18 ? 'holds' : expect.stringMatching(/^(?:holds|unknown)$/);
    expect([kind, verdict.kind]).toEqual(['goal', maker === 'the user' ? isBack : 'doesNotHold']);
  });
});
