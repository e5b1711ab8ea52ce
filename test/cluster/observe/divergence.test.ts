import { describe, expect, it } from 'vitest';

import { PodObserver } from '../../../src/cluster/observe/pod-observer.js';
import type { Event } from '../../../src/trace/event.js';
import { fc } from '../../helpers/property.js';

const START = Date.parse('2026-01-02T03:04:05Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

interface Written {
  readonly probes?: object;
  readonly restartCount?: number;
  readonly state?: object;
  readonly lastState?: object;
  readonly ready?: boolean;
  readonly started?: boolean;
}

const podOf = ({ probes, restartCount = 0, ...status }: Written): object => ({
  metadata: { name: 'web', namespace: 'default', uid: 'u', creationTimestamp: at(0) },
  spec: { containers: [{ name: 'app', image: 'a:1', ...probes }], restartPolicy: 'Always' },
  status: {
    phase: 'Running',
    containerStatuses: [
      { name: 'app', restartCount, ready: false, containerID: 'c://1', ...status },
    ],
  },
});
const running = (t: number) => ({ running: { startedAt: at(t) } });
const ended = (startedAt: number, finishedAt: number) => ({
  terminated: {
    exitCode: 1,
    reason: 'Error',
    startedAt: at(startedAt),
    finishedAt: at(finishedAt),
  },
});
const eventOf = (reason: string, message: string, t: number, count = 1): object => ({
  metadata: { uid: `${reason} ${message}` },
  involvedObject: { fieldPath: 'spec.containers{app}' },
  type: reason === 'Killing' ? 'Normal' : 'Warning',
  ...{ reason, message, count, firstTimestamp: at(t), lastTimestamp: at(t) },
});
const KILLING = 'Container app failed liveness probe, will be restarted';
const exec = { exec: { command: ['check'] } };
const liveness = { livenessProbe: { ...exec, periodSeconds: 10, failureThreshold: 3 } };

const startup = { startupProbe: { ...exec, periodSeconds: 10, failureThreshold: 3 } };

type Step = readonly ['pod' | 'event' | 'node', number, object] | readonly ['elapsed', number];

const divergences = (...steps: readonly Step[]) => {
  const observer = new PodObserver();
  const events = steps.flatMap(([kind, t, object = {}]): readonly Event[] =>
    kind === 'elapsed'
      ? observer.elapsed(START + t * 1000)
      : observer[kind](object, START + t * 1000),
  );
  return events.filter((event) => event.kind === 'divergence');
};

describe('a divergence is named', () => {
  it.each<[string, readonly Step[], string]>([
    [
      'when a container is killed before the threshold',
      [
        ['pod', 1, podOf({ probes: liveness, state: running(0) })],
        ['event', 6, eventOf('Killing', KILLING, 6)],
      ],
      'killed 7.0 s after the start',
    ],
    [
      'when failures in a row do not end the run',
      [
        ['pod', 1, podOf({ probes: liveness, state: running(0) })],
        ...Array.from({ length: 12 }, (_, n): Step => {
          return [
            'event',
            10 * n + 5,
            eventOf('Unhealthy', 'Liveness probe failed: x', 10 * n + 5, n + 1),
          ];
        }),
      ],
      '9 failures in a row, and still running',
    ],
    [
      'when a container is ready before the initial delay',
      [
        [
          'pod',
          1,
          podOf({
            probes: { readinessProbe: { ...exec, initialDelaySeconds: 30 } },
            state: running(0),
          }),
        ],
        [
          'pod',
          5,
          podOf({
            probes: { readinessProbe: { ...exec, initialDelaySeconds: 30 } },
            state: running(0),
            ready: true,
          }),
        ],
      ],
      'ready 5.0 s after the start',
    ],
    [
      'when a probe does not wait for startup',
      [
        [
          'pod',
          1,
          podOf({ probes: { ...liveness, startupProbe: exec }, state: running(0), started: false }),
        ],
        ['event', 5, eventOf('Unhealthy', 'Liveness probe failed: x', 5)],
        ['event', 15, eventOf('Unhealthy', 'Liveness probe failed: x', 15, 2)],
        ['event', 25, eventOf('Unhealthy', 'Liveness probe failed: x', 25, 3)],
      ],
      'the liveness probe ran while the container was not started',
    ],
    [
      'when a back-off is none of the default configuration',
      [
        ['pod', 1, podOf({ state: running(0) })],
        [
          'pod',
          9,
          podOf({
            state: {
              waiting: {
                reason: 'CrashLoopBackOff',
                message: 'back-off 1s restarting failed container=app',
              },
            },
            lastState: ended(0, 8),
          }),
        ],
      ],
      'a back-off of 1 s',
    ],
    [
      'when a restart does not wait for its back-off',
      [
        ['pod', 1, podOf({ state: running(0) })],
        [
          'pod',
          9,
          podOf({
            state: {
              waiting: {
                reason: 'CrashLoopBackOff',
                message: 'back-off 40s restarting failed container=app',
              },
            },
            lastState: ended(0, 8),
          }),
        ],
        ['pod', 14, podOf({ state: running(13), lastState: ended(0, 8), restartCount: 1 })],
      ],
      'restarted 5.0 s after its end',
    ],
    [
      'when a container is not restarted',
      [
        ['pod', 1, podOf({ state: running(0) })],
        ['pod', 9, podOf({ state: ended(0, 8) })],
        ['elapsed', 300],
        ['elapsed', 1000],
      ],
      'not restarted 16m32s after its end',
    ],
  ])('%s', (_, steps, happened) => {
    expect(divergences(...steps)).toMatchObject([{ container: 'app', happened }]);
  });

  it('with the known cause that fits', () => {
    const killed: Step[] = [
      ['pod', 1, podOf({ probes: liveness, state: running(0) })],
      ['event', 6, eventOf('Killing', KILLING, 6)],
    ];
    const node = (kubeletVersion: string, status: string): Step => {
      const conditions = [{ type: 'Ready', status, reason: 'NodeStatusUnknown', message: 'm' }];
      return ['node', 0, { status: { nodeInfo: { kubeletVersion }, conditions } }];
    };
    expect(divergences(node('v1.29.4', 'True'), ...killed)[0]?.cause).toBe(
      "the node's kubelet is v1.29.4, and kprobe decides as v1.32",
    );
    expect(divergences(node('v1.36.3', 'Unknown'), ...killed)[0]?.cause).toBe(
      'the node is not ready: NodeStatusUnknown: m',
    );
  });
});

it('no divergence is named when the event of a kill comes after the next start, in the second of both', () => {
  const probes = { livenessProbe: { ...exec, initialDelaySeconds: 7, failureThreshold: 1 } };
  const later = { restartCount: 1, state: running(8), lastState: ended(0, 8) };
  const steps: Step[] = [
    ['pod', 1, podOf({ probes, state: running(0) })],
    ['pod', 9, podOf({ probes, ...later })],
    ['event', 9, eventOf('Killing', KILLING, 8)],
  ];
  expect(divergences(...steps)).toEqual([]);
});

it('no divergence is named when the event of a kill comes between the end and the next start, in the second of both', () => {
  const probes = { livenessProbe: { ...exec, initialDelaySeconds: 7, failureThreshold: 1 } };
  const steps: Step[] = [
    ['pod', 1, podOf({ probes, state: running(0) })],
    ['pod', 8.2, podOf({ probes, state: ended(0, 8) })],
    ['event', 8.3, eventOf('Killing', KILLING, 8)],
    ['pod', 8.5, podOf({ probes, restartCount: 1, state: running(8), lastState: ended(0, 8) })],
  ];
  expect(divergences(...steps)).toEqual([]);
});

it('no divergence is named when failures of a run that no status shows count in the next one', () => {
  const killed: Step[] = [
    ['event', 13, eventOf('Unhealthy', 'Startup probe failed: x', 2)],
    ['event', 13, eventOf('Killing', 'Container app failed startup probe', 12)],
    ['pod', 13, podOf({ probes: startup, state: ended(4, 12) })],
  ];
  expect(divergences(...killed)).toEqual([]);
});

it('never throws, whatever an object holds', () => {
  const whole = podOf({ probes: liveness, state: running(0), lastState: ended(0, 1) });
  const event = eventOf('Unhealthy', 'Liveness probe failed: x', 5);
  const odd = (value: unknown): fc.Arbitrary<unknown> =>
    typeof value !== 'object' || value === null
      ? fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, fc.jsonValue({ maxDepth: 1 }))
      : fc.oneof(
          {
            weight: 9,
            arbitrary: Array.isArray(value) ? fc.tuple(...value.map(odd)) : record(value),
          },
          fc.jsonValue({ maxDepth: 1 }),
        );
  const record = (value: object): fc.Arbitrary<object> =>
    fc.record(Object.fromEntries(Object.entries(value).map(([k, v]) => [k, odd(v)])), {
      requiredKeys: [],
    });
  const step = fc.tuple(
    fc.constantFrom('pod', 'event', 'node', 'removed'),
    fc.oneof(record(whole), record(event)),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const observer = new PodObserver();
      steps.forEach(([kind, object], n) => {
        observer[kind as 'pod'](object, START + n * 1000);
        observer.elapsed(START + n * 1000);
      });
    }),
    { numRuns: 300 },
  );
});
