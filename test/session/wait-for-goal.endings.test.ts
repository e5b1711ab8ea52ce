import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { exitCodeOfEnd } from '../../src/cli/shared/exit-code.js';
import type { KubeObject, ReflectHandler, ResourceKind } from '../../src/cluster/types.js';
import { apiPodStatus } from '../../src/kubelet/status/api-status.js';
import { WatchSession } from '../../src/session/cluster/watch-session.js';
import { type Goal, goalOf, waitForGoal } from '../../src/session/wait-for-goal.js';
import { httpProbe, type PodScript, settledIn, virtualRun } from '../helpers/virtual-run.js';

/** The endings of docs/output.md: what happens to a pod, for each `--until`, in a run of kprobe and in a watch of a cluster. */

const UNTIL = ['', 'ready', 'stable', 'started', 'restarted', 'failed', 'succeeded'] as const;

const LIVENESS = { livenessProbe: httpProbe('/live') };
const READINESS = { readinessProbe: httpProbe('/ready', { periodSeconds: 1 }) };
const STARTUP = { startupProbe: httpProbe('/start', { periodSeconds: 1 }) };
const STARTUP_OF_MINUTES = { startupProbe: httpProbe('/start', { failureThreshold: 30 }) };
const LATE = httpProbe('/live', { initialDelaySeconds: 60 });
const LONG = httpProbe('/live', { periodSeconds: 30 });
const SIX_TIMES = httpProbe('/live', { failureThreshold: 6 });
const startsFor =
  (seconds: number) =>
  (path: string, t: number): boolean =>
    path === '/start' && t < seconds;
const NEVER = { restartPolicy: 'Never' } as const;
const isReadiness = (path: string): boolean => path === '/ready';

/** What happens, and the exit code for each `--until`, in their order. */
const ROWS: readonly (readonly [string, Partial<Container>, PodScript, readonly number[]])[] = [
  ['stays ready', { ...LIVENESS, ...READINESS }, {}, [0, 0, 0, 0, 124, 1, 1]],
  [
    'is ready after 20 s',
    READINESS,
    { fails: (path, t) => isReadiness(path) && t < 20 },
    [0, 0, 0, 0, 124, 1, 1],
  ],
  ['is never ready', READINESS, { fails: isReadiness }, [124, 124, 124, 0, 124, 1, 1]],
  [
    'succeeds before it is ready',
    READINESS,
    { spec: NEVER, fails: isReadiness, lives: [3], exitCodes: [0] },
    [0, 1, 0, 0, 1, 1, 0],
  ],
  [
    'fails before it is ready',
    READINESS,
    { spec: NEVER, fails: isReadiness, lives: [3] },
    [1, 1, 1, 0, 1, 0, 1],
  ],
  ['exits every 7 s', {}, { lives: [7] }, [0, 0, 124, 0, 0, 1, 1]],
  [
    'is killed by liveness',
    { ...LIVENESS, ...READINESS },
    { fails: (path) => path === '/live' },
    [0, 0, 124, 0, 0, 1, 1],
  ],
  ['is killed in its startup', STARTUP, { fails: () => true }, [1, 124, 124, 124, 0, 1, 1]],
  [
    'succeeds at its third start',
    READINESS,
    {
      spec: { restartPolicy: 'OnFailure' },
      fails: isReadiness,
      ...{ lives: [3], exitCodes: [1, 1, 0] },
    },
    [1, 1, 0, 0, 0, 1, 0],
  ],
];

/** Ends a run of kprobe after ten minutes at the latest; resolves with its exit code. */
async function codeOfRun(container: Partial<Container>, script: PodScript, goal: Goal) {
  const { clock, session, start } = virtualRun(container, script);
  start();
  const { signal } = new AbortController();
  const end = waitForGoal({ clock, session, goal, signal, timeout: 600_000 });
  return exitCodeOfEnd(await settledIn(clock, end), signal);
}

/** The same for a watch of a cluster in which the pod does the same. */
async function codeOfWatch(container: Partial<Container>, script: PodScript, goal: Goal) {
  const { clock, session: kubelet, start } = virtualRun(container, script);
  const handlers = new Map<ResourceKind, ReflectHandler>();
  const session = new WatchSession({
    clock,
    target: { parts: [{ pods: {}, text: 'pods' }], events: {} },
    cluster: {
      server: 'https://cluster',
      reflect(kind, _, handler) {
        handlers.set(kind, handler);
        return new Promise(() => undefined);
      },
      log: () => Promise.resolve(''),
      followLog: () => Readable.from([]),
      get: () => Promise.reject(new Error('no node')),
      probeCounts: () => Promise.reject(new Error('no node')),
      close: () => Promise.resolve(),
    },
  });
  const listed = session.list();
  for (const handler of handlers.values()) handler.synced();
  await listed;
  kubelet.onLine((line, { pods }) => {
    const object = pods[0]?.object;
    if (line.kind !== 'status' || object === undefined) return;
    const { metadata, spec } = object;
    const status = apiPodStatus(line.podStatus);
    const pod = { metadata: { ...metadata, resourceVersion: String(line.t) }, spec, status };
    handlers.get('pods')?.upsert(pod as unknown as KubeObject);
  });
  session.begin();
  start();
  const { signal } = new AbortController();
  const end = waitForGoal({ clock, session, goal, signal, timeout: 600_000 });
  const code = exitCodeOfEnd(await settledIn(clock, end), signal);
  await kubelet.end();
  return code;
}

/** Ten pods that get ready: the last five have a fault that restarts them within two minutes. */
const TEN: readonly (readonly [string, Partial<Container>, PodScript, number])[] = [
  ['has no liveness probe', READINESS, {}, 0],
  ['is alive', { ...LIVENESS, ...READINESS }, {}, 0],
  ['is alive after a delay', { livenessProbe: LATE }, {}, 0],
  ['starts slowly', { ...STARTUP_OF_MINUTES, ...LIVENESS }, { fails: startsFor(50) }, 0],
  ['fails once', LIVENESS, { fails: (_, t) => t < 12 }, 0],
  ['is killed after 30 s', LIVENESS, { fails: () => true }, 124],
  ['is killed after 60 s', { livenessProbe: SIX_TIMES }, { fails: () => true }, 124],
  ['is killed after 90 s', { livenessProbe: LATE }, { fails: () => true }, 124],
  ['exits after 8 s each time', {}, { lives: [8] }, 124],
  ['is killed after three long periods', { livenessProbe: LONG }, { fails: () => true }, 124],
];

describe('a watched pod that is ready, and', () => {
  it.each(TEN)('%s', async (_, container, script, stable) => {
    expect(await codeOfWatch(container, script, goalOf({ until: 'ready' }, 'open'))).toBe(0);
    const goal = goalOf({ until: 'stable' }, 'open');
    expect(await codeOfWatch(container, script, goal)).toBe(stable);
  });
});

describe.each([
  ['run', codeOfRun],
  ['watch', codeOfWatch],
] as const)('a pod of kprobe %s', (target, codeOf) => {
  const endings = ROWS.flatMap(([what, container, script, codes]) =>
    UNTIL.flatMap((until, index) => {
      const code = codes[index] ?? -1;
      // A watch without --until is ended by its user alone.
      return until === '' && target === 'watch' ? [] : [{ what, until, code, container, script }];
    }),
  );

  it('has at least 50 endings', () => expect(endings.length).toBeGreaterThanOrEqual(50));

  it.each(endings)(
    'that $what ends --until $until with $code',
    async ({ until, code, container, script }) => {
      const goal = goalOf(until === '' ? {} : { until }, 'settled');
      expect(await codeOf(container, script, goal)).toBe(code);
    },
  );
});
