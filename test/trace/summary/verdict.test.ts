import { expect, it } from 'vitest';

import { fold } from '../../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, findPod } from '../../../src/trace/summary/summary.js';
import { type Condition, reached, verdictOf } from '../../../src/trace/summary/verdict.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildPod } from '../../helpers/builders.js';
import { podLine } from '../../helpers/traces.js';

const web = buildPod({ spec: { containers: [{ name: 'app', image: 'a:1' }] } });
const summaryOf = (...lines: readonly TraceLine[]) => lines.reduce(fold, EMPTY_SUMMARY);
type Rollout = Extract<TraceLine, { kind: 'workload' }>;
const rollout = (sentence: string, state: Partial<Rollout> = {}): Rollout => ({
  ...{ t: 1, kind: 'workload', workload: 'deployment/web', namespace: 'default', sentence },
  ...{ done: false, failed: false, ...state },
});

it('takes the state of a rollout, not that of its pods', () => {
  const waiting = summaryOf(podLine(web), rollout('web: 2 of 3 updated'));
  expect(reached(waiting, 'ready')).toBeUndefined();
  expect(verdictOf(waiting)).toEqual({ kind: 'doesNotHold', sentence: 'web: 2 of 3 updated' });
  const done = { kind: 'holds', sentence: 'web: rolled out' };
  expect(reached(fold(waiting, rollout('web: rolled out', { done: true })), 'ready')).toEqual(done);
  const late = rollout('web: progress deadline exceeded', { failed: true });
  expect(reached(fold(waiting, late), 'ready')?.kind).toBe('doesNotHold');
});

it('fails a rollout that is complete at the end and whose container was restarted', () => {
  const run = { pod: 'default/web', container: 'app', run: 0 } as const;
  const status = { phase: 'Running', reason: '', conditions: {}, containers: [] } as const;
  const summary = summaryOf(
    podLine(web),
    { t: 1, kind: 'status', pod: run.pod, ...status, initContainers: [], podStatus: {} },
    { t: 1, kind: 'started', ...run },
    { t: 2, kind: 'exited', ...run, exitCode: 1 },
    { t: 3, kind: 'started', ...run, run: 1 },
    rollout('web: complete', { done: true }),
  );
  const sentence = 'default/web: app ended with exit code 1 and is restarted';
  expect(verdictOf(summary)).toEqual({ kind: 'doesNotHold', sentence });
  expect(reached(summary, 'ready')?.kind).toBe('holds');
});

it('leaves out a pod that is gone, and is unsure without any', () => {
  const gone = summaryOf(podLine(web), { t: 2, kind: 'gone', pod: 'default/web' });
  expect(gone).toMatchObject({ pods: [], probes: 0 });
  expect(verdictOf(gone)).toEqual({ kind: 'unknown', sentence: 'there is no pod' });
  expect(fold(gone, podLine(web)).pods).toHaveLength(1);
  const other = { ...podLine(web), pod: 'default/other' };
  const [one, both] = [summaryOf(podLine(web)), summaryOf(podLine(web), other)];
  expect(both.pods).toHaveLength(2);
  expect(findPod(fold(one, other), 'default/web')?.key).toBe('default/web');
  expect(findPod(one, 'default/other')).toBeUndefined();
});

it('is unsure while the API server cannot be reached', () => {
  const server = 'https://10.0.0.1:6443';
  const error = `${server} cannot be reached: connection refused`;
  const lost = { t: 1, kind: 'runtime', up: false, error, server } as const;
  expect(verdictOf(summaryOf(podLine(web), lost))).toEqual({ kind: 'unknown', sentence: error });
});

it('does not trust a rollout that was complete before the API server was gone', () => {
  const lost = { t: 2, kind: 'runtime', up: false, error: 'gone', server: 'https://s' } as const;
  const summary = summaryOf(podLine(web), rollout('web: complete', { done: true }), lost);
  expect(verdictOf(summary)).toEqual({ kind: 'unknown', sentence: 'gone' });
});

it.each([
  ['listed when the watch begins', -90, 5, undefined],
  ['listed, and restarted since', -90, 6, 'holds'],
  ['new, and restarted when it is first seen', 3, 5, 'holds'],
])('counts the restarts of the watch alone for a pod that is %s', (_, at, restarts, kind) => {
  const status = (restartCount: number): TraceLine => ({
    ...{ t: 4, kind: 'status', pod: 'default/web', phase: 'Running', reason: '', conditions: {} },
    ...{ initContainers: [], podStatus: {} },
    containers: [{ name: 'app', state: 'running', lastState: '', ready: true, restartCount }],
  });
  const summary = summaryOf({ ...podLine(web), at } as TraceLine, status(5), status(restarts));
  expect(reached(summary, 'restarted')?.kind).toBe(kind);
});

it('does not count a restart from before a watch', () => {
  const run = { pod: 'default/web', container: 'app', run: 0 } as const;
  const restart = { containersToStart: [{ name: 'app' }], containersToKill: [] };
  const died = (at: number) =>
    summaryOf(
      podLine(web),
      { t: 0, kind: 'started', ...run, at: -90 },
      { t: 0, kind: 'exited', ...run, exitCode: 1, at },
      { t: 0, kind: 'actions', pod: run.pod, killPod: false, createSandbox: false, ...restart },
    );
  expect(verdictOf(died(1)).sentence).toBe(
    'default/web: app ended with exit code 1 and is restarted',
  );
  expect(verdictOf(died(-5)).sentence).toBe('default/web is not ready: it has no status yet');
});

it.each([
  ['a failure', 'Always', 3, 'default/web: app ended with exit code 3'],
  [
    'a success where the policy restarts it',
    'Always',
    0,
    'default/web: app ended with exit code 0',
  ],
  [
    'a success that the policy accepts',
    'OnFailure',
    0,
    'default/web is not ready: it has no status yet',
  ],
] as const)(
  'counts %s of a container that others start again',
  (_, restartPolicy, exitCode, text) => {
    const pod = buildPod({ spec: { restartPolicy, containers: [{ name: 'app', image: 'a:1' }] } });
    const run = { pod: 'default/web', container: 'app', run: 0 } as const;
    const summary = summaryOf(
      podLine(pod),
      { t: 1, kind: 'started', ...run },
      { t: 2, kind: 'exited', ...run, exitCode, restartedBy: 'user' },
    );
    expect(verdictOf(summary).sentence).toBe(text);
  },
);

it('takes the state of a Job, not that of a pod that failed, for its success', () => {
  const phase = { phase: 'Failed', reason: '', conditions: {}, containers: [], initContainers: [] };
  const failed: TraceLine = { t: 1, kind: 'status', pod: 'default/web', ...phase, podStatus: {} };
  const until = (condition: Condition, workload: string, state: Partial<Rollout> = {}) =>
    reached(summaryOf(podLine(web), failed, rollout('s', { workload, ...state })), condition);
  const isOf = (...of: [string, Partial<Rollout>?]) => until('succeeded', ...of);
  expect(isOf('job/web')).toBeUndefined();
  expect(isOf('job/web', { done: true })).toEqual({ kind: 'holds', sentence: 's' });
  expect(isOf('job/web', { failed: true })).toEqual({ kind: 'doesNotHold', sentence: 's' });
  expect(isOf('deployment/web')).toMatchObject({ kind: 'doesNotHold' });
  expect(until('failed', 'job/web')).toBeUndefined();
  expect(until('failed', 'job/web', { failed: true })).toEqual({ kind: 'holds', sentence: 's' });
  expect(until('failed', 'job/web', { done: true })).toEqual({
    kind: 'doesNotHold',
    sentence: 's',
  });
  expect(until('failed', 'deployment/web')).toMatchObject({ kind: 'holds' });
});
