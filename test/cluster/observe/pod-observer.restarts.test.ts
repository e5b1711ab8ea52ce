import { expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';
import { diagnosePod } from '../../../src/diagnosis/diagnosis.js';
import { headline } from '../../../src/diagnosis/words.js';
import { decisionsOf } from '../../../src/trace/decisions.js';
import type { Event } from '../../../src/trace/event.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { toTraceLine } from '../../../src/trace/trace-line.js';

const NOW = Date.UTC(2026, 0, 1);

const time = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

const run = (startedAt: number, finishedAt: number, exitCode = 1) => ({
  terminated: { exitCode, startedAt: time(startedAt), finishedAt: time(finishedAt) },
});

interface Reported {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

/** A watched pod with one container; each report comes in the second that it is about. */
class Watch {
  readonly events: Event[] = [];
  readonly #observer = new PodObserver();
  readonly #lines: ReturnType<typeof toTraceLine>[] = [];
  readonly #counts = new Map<string, number>();
  #version = 0;

  constructor(
    private readonly container: object = {},
    private readonly spec: object = {},
  ) {}

  status(now: number, image: string, status: object): void {
    const metadata = { name: 'web', namespace: 'shop', uid: '1' };
    const containerStatus = { name: 'app', ready: false, started: true, image, ...status };
    const pod = {
      metadata: { ...metadata, resourceVersion: `${++this.#version}` },
      spec: {
        nodeName: 'one',
        containers: [{ name: 'app', image: 'app:1', ...this.container }],
        ...this.spec,
      },
      status: { phase: 'Running', containerStatuses: [containerStatus] },
    };
    this.#add(now, this.#observer.pod(pod, NOW + now * 1000));
  }

  event(now: number, type: string, reason: string, message: string): void {
    const key = `${reason} ${message}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.report(now, { type, reason, message, count }, { first: now, last: now });
  }

  /** An event that the kubelet has counted before the watch began. */
  report(now: number, event: Reported, { first, last }: { first: number; last: number }): void {
    const object = {
      metadata: { uid: event.message },
      involvedObject: { uid: '1', fieldPath: 'spec.containers{app}' },
      ...event,
      firstTimestamp: time(first),
      lastTimestamp: time(last),
    };
    this.#add(now, this.#observer.event(object, NOW + now * 1000));
  }

  get successes(): Event[] {
    return this.events.filter((each) => each.kind === 'attemptDone' && each.result === 'success');
  }

  /** The kubelet's recorder sends no more events of the type. */
  silence(now: number, type: string): void {
    for (let n = 0; n < 30; n++) this.event(now, type, 'Other', `${n}`);
  }

  #add(now: number, events: readonly Event[]): void {
    this.events.push(...events);
    this.#lines.push(...events.map((event) => toTraceLine(event, NOW + now * 1000, NOW)));
  }

  diagnosesAt(now: number): string[] {
    const { pods } = this.#lines.reduce(fold, EMPTY_SUMMARY);
    return pods.flatMap((pod) => diagnosePod(pod, now)).map(headline);
  }

  get decisions(): string[] {
    return decisionsOf(this.#lines).map(({ what }) => what);
  }
}

const BACK_OFF = 'back-off 40s restarting failed container=app pod=web';

it.each([
  ['waits', { state: { waiting: { reason: 'CrashLoopBackOff', message: BACK_OFF } } }],
  ['has just ended', { state: run(4, 8) }],
])(
  'takes an early start with another image for no divergence, where its run before %s',
  (_, old) => {
    const watch = new Watch();
    watch.status(9, 'app:1', { lastState: run(4, 8), restartCount: 3, ...old });
    watch.status(9, 'app:1', {
      state: { waiting: { reason: 'CrashLoopBackOff', message: BACK_OFF } },
      lastState: run(4, 8),
      restartCount: 3,
    });
    const running = { running: { startedAt: time(10) } };
    watch.status(11, 'app:2', { state: running, lastState: run(4, 8), restartCount: 4 });
    expect(watch.events.filter(({ kind }) => kind === 'divergence')).toEqual([]);
  },
);

it('knows the first back-off of another image, of which only an event tells', () => {
  const watch = new Watch();
  watch.status(9, 'app:1', { state: run(4, 8), restartCount: 3 });
  watch.status(11, 'app:2', { state: run(10, 11), lastState: run(4, 8), restartCount: 4 });
  watch.event(11, 'Warning', 'BackOff', 'Back-off restarting failed container app in pod web');
  expect(watch.decisions.at(-1)).toBe('back-off of 10 s');
});

it('names the back-off of the first status, and none that the events before it let expect', () => {
  const watch = new Watch();
  const message = 'Back-off restarting failed container app in pod web';
  const event = { type: 'Warning', reason: 'BackOff', message, count: 3 };
  watch.report(60, event, { first: 20, last: 60 });
  watch.status(60, 'app:1', {
    state: { waiting: { reason: 'CrashLoopBackOff', message: BACK_OFF } },
    ...{ lastState: run(55, 58), restartCount: 4 },
  });
  const delays = watch.events.flatMap((each) => (each.kind === 'backOff' ? each.delay : []));
  expect(delays).toEqual([40_000]);
});

const LIVENESS = {
  livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: 5, failureThreshold: 2 },
};
const KILL = 'Container app failed liveness probe, will be restarted';
const FAILED = 'Liveness probe failed: dial tcp: connection refused';

/** A run that the liveness probe killed after 10 s, and the next run. */
function watchOfAKill(): Watch {
  const watch = new Watch(LIVENESS);
  watch.status(0, 'app:1', { state: { running: { startedAt: time(0) } }, restartCount: 0 });
  watch.event(5, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Normal', 'Killing', KILL);
  const running = { running: { startedAt: time(11) } };
  watch.status(11, 'app:1', { state: running, lastState: run(0, 11, 137), restartCount: 1 });
  return watch;
}

const SECOND_END = { state: run(11, 22, 137), lastState: run(0, 11, 137), restartCount: 1 };

it('infers a second kill whose event was dropped, where its failures were seen', () => {
  const watch = watchOfAKill();
  watch.event(16, 'Warning', 'Unhealthy', FAILED);
  watch.event(21, 'Warning', 'Unhealthy', FAILED);
  watch.silence(21, 'Normal');
  watch.status(22, 'app:1', SECOND_END);
  expect(watch.decisions.slice(-2)).toEqual([`killed: ${KILL}`, 'ended with exit code 137']);
});

it.each([
  ['its failures were not seen', () => undefined],
  [
    'it was killed for another reason',
    (watch: Watch) => {
      watch.event(16, 'Warning', 'Unhealthy', FAILED);
      watch.event(21, 'Warning', 'Unhealthy', FAILED);
      watch.event(21, 'Normal', 'Killing', 'Container app definition changed, will be restarted');
    },
  ],
])('infers no second kill by a probe where %s', (_, happens) => {
  const watch = watchOfAKill();
  happens(watch);
  watch.silence(21, 'Normal');
  watch.status(22, 'app:1', SECOND_END);
  expect(watch.decisions.filter((what) => what === `killed: ${KILL}`)).toHaveLength(1);
});

it.each([
  ['of this run alone', { state: { running: { startedAt: time(0) } }, restartCount: 0 }, 1],
  [
    'of this run and of earlier ones',
    { state: { running: { startedAt: time(0) } }, restartCount: 2 },
    -60,
  ],
])(
  'infers no success before failures %s that were counted before the watch',
  (_, status, first) => {
    const watch = new Watch(LIVENESS);
    const event = { type: 'Warning', reason: 'Unhealthy', message: FAILED, count: 3 };
    watch.report(12, event, { first, last: 11 });
    watch.status(12, 'app:1', status);
    expect(watch.successes).toEqual([]);
  },
);

it('knows the probe that ended a pod that is not restarted, though its event does not name it', () => {
  const watch = new Watch(LIVENESS, { restartPolicy: 'Never' });
  watch.status(0, 'app:1', { state: { running: { startedAt: time(0) } }, restartCount: 0 });
  watch.event(5, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Normal', 'Killing', 'Stopping container app');
  expect(watch.decisions.at(-1)).toBe('killed: Container app failed liveness probe');
});

// How the last run before the watch ended is not known.
it('counts the kills before the watch with the one that it has seen, also once the next run fails', () => {
  const watch = new Watch(LIVENESS);
  const before = { lastState: run(-30, -10, 137), restartCount: 4 };
  watch.status(0, 'app:1', { state: { running: { startedAt: time(0) } }, ...before });
  watch.event(5, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Warning', 'Unhealthy', FAILED);
  watch.event(10, 'Normal', 'Killing', KILL);
  const running = { running: { startedAt: time(11) } };
  watch.status(11, 'app:1', { state: running, lastState: run(0, 11, 137), restartCount: 5 });
  expect(watch.diagnosesAt(11)[0]).toMatch(/^app killed 4 ×: liveness 2 × /);
  watch.event(16, 'Warning', 'Unhealthy', FAILED);
  expect(watch.diagnosesAt(16)[0]).toMatch(/^app killed 4 ×; liveness 1 × /);
});

it('takes what a kubelet writes of a restart in place for no end of its own', () => {
  const watch = new Watch();
  const placeholder = { terminated: { exitCode: 137, reason: 'RestartingAllContainers' } };
  const state = { waiting: { reason: 'RestartingAllContainers' } };
  watch.status(1, 'app:1', { state: { running: { startedAt: time(1) } }, restartCount: 0 });
  watch.status(4, 'app:1', { state: run(1, 4, 7), restartCount: 0 });
  watch.status(5, 'app:1', { state, lastState: placeholder, restartCount: 1 });
  const running = { running: { startedAt: time(6) } };
  watch.status(6, 'app:1', { state: running, lastState: placeholder, restartCount: 1 });
  const ends = watch.events.filter((each) => each.kind === 'exited');
  expect(ends).toMatchObject([{ run: 0, exitCode: 7 }]);
  watch.status(9, 'app:1', { state, lastState: placeholder, restartCount: 2 });
  const kinds = watch.events.map(({ kind }) => kind);
  expect(kinds.slice(kinds.lastIndexOf('started'))).toEqual(
    expect.arrayContaining(['stop', 'exited']),
  );
});
