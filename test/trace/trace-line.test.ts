import { expect, it } from 'vitest';

import type { Event } from '../../src/trace/event.js';
import { toTraceLine } from '../../src/trace/trace-line.js';

const inRun = { pod: 'default/web', container: 'app', run: 2 };
const ofProbe = { pod: 'default/web', container: 'app', probe: 'liveness' } as const;
const attempt = { ...ofProbe, attempt: 7, containerID: 'test://app-1' };
const done: Event = {
  kind: 'attemptDone',
  ...attempt,
  result: 'failure',
  output: 'no',
  tries: 3,
  latency: 1.23456789,
  lastResult: 'failure',
  resultRun: 2,
  threshold: 3,
  nextTick: 6_000.7,
};
const detail = { address: 'a:1', timings: { total: 1 } };

it.each<[string, Event, object]>([
  ['an attempt', { kind: 'attempt', ...attempt }, {}],
  ['an attempt with a trigger', { kind: 'attempt', ...attempt, trigger: 'user' }, {}],
  ['the end of an attempt', done, { latency: 1.235, nextTick: 5 }],
  [
    'the end of an attempt with all optional fields',
    { ...done, error: 'e', set: 'failure', detail },
    { latency: 1.235, nextTick: 5 },
  ],
  ['a command', { kind: 'exec', ...inRun, command: 'cat /ok' }, {}],
  ['the end of a command', { kind: 'execDone', ...inRun, command: 'cat /ok', exit: 1 }, {}],
  ['the timeout of a command', { kind: 'execDone', ...inRun, command: 'cat', timedOut: true }, {}],
  ['a command that failed', { kind: 'execDone', ...inRun, command: 'cat', error: 'e' }, {}],
  ['a start that a cluster reported later', { kind: 'started', ...inRun, at: -500 }, { at: -1.5 }],
  ['a worker', { kind: 'worker', ...ofProbe, state: 'onHold' }, {}],
  [
    'a worker with its next tick',
    { kind: 'worker', ...ofProbe, state: 'initialDelay', nextTick: 2_000, until: 3_500 },
    { nextTick: 1, until: 2.5 },
  ],
  [
    'a back-off',
    { kind: 'backOff', pod: 'p', container: 'c', delay: 10_000, until: 12_000 },
    { delay: 10, until: 11 },
  ],
])(
  'the line of %s has all fields of its event in order, with times in seconds',
  (_, event, seconds) => {
    const line = toTraceLine(event, 4_250.9, 1_000);
    expect(line).toEqual({ ...event, ...seconds, t: 3.25 });
    expect(Object.keys(line)).toEqual(['t', ...Object.keys(event)]);
  },
);
