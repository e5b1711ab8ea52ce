import { describe, expect, it } from 'vitest';

import { observe, runsOfProcesses } from '../../../src/sim/recorded/observe.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { buildAttemptDone, podLine } from '../../helpers/traces.js';

const APP = { pod: 'default/web', container: 'app' };
const object = buildPod({
  spec: { containers: [buildContainer({ readinessProbe: buildProbe({ timeoutSeconds: 1 }) })] },
});
const started = (t: number, run = 0): TraceLine => ({ t, kind: 'started', ...APP, run });
const attempt = (t: number): TraceLine => {
  const about = { kind: 'attempt', ...APP, probe: 'readiness', attempt: 1 } as const;
  return { t, ...about, containerID: 'test://app-1' };
};

/** The observed runs of the container. */
function runsOf(...lines: readonly TraceLine[]) {
  const [pod] = observe([podLine(object, 0.5), ...lines]);
  return pod?.containers.get('app') ?? [];
}

describe('observe', () => {
  it('returns each run with its start and its end', () => {
    expect(
      runsOf(
        started(1),
        { t: 4, kind: 'exited', ...APP, run: 0, exitCode: 3 },
        started(5, 1),
        { t: 8, kind: 'stop', ...APP, run: 1, gracePeriod: 30 },
        { t: 9, kind: 'exited', ...APP, run: 1, exitCode: 143 },
      ),
    ).toMatchObject([
      { run: 0, startedAt: 1000, startTakes: 500, end: { kind: 'itself', age: 3000, exitCode: 3 } },
      { run: 1, end: { kind: 'stopped', age: 3000, took: 1000, exitCode: 143 } },
    ]);
  });

  it('counts the time of a start from the failed start before it', () => {
    const failed = { kind: 'startFailed', ...APP, run: 0, error: 'no file' } as const;
    const runs = runsOf({ ...failed, t: 2.5 }, started(4, 1));
    expect(runs.map(({ startTakes }) => startTakes)).toEqual([2000, 1500]);
  });

  it('returns the answers of each endpoint by the age of the container', () => {
    const [run] = runsOf(started(1), attempt(2), buildAttemptDone({ t: 2.1, latency: 80 }));
    expect([...(run?.answers ?? [])]).toMatchObject([
      [
        'exec check',
        [{ probe: 'readiness', age: 1000, latency: 80, outcome: { result: 'success' } }],
      ],
    ]);
  });

  it.each([
    ['only its restart was simulated', { simulated: true }, [[0, [1000, 6000]]]],
    [
      'it was stopped',
      {},
      [
        [0, [1000]],
        [1, [2000]],
      ],
    ],
  ] as const)('counts the age of a process from its own start where %s', (_, how, wanted) => {
    const runs = runsOf(
      started(1),
      ...[attempt(2), buildAttemptDone({ t: 2.1, result: 'failure' })],
      { t: 4, kind: 'stop', ...APP, run: 0, gracePeriod: 30 },
      { t: 4.5, kind: 'exited', ...APP, run: 0, exitCode: 143, ...how },
      started(5, 1),
      ...[attempt(7), buildAttemptDone({ t: 7.1 })],
    );
    const ages = runsOfProcesses(runs).map(({ run, answers }) => [
      run,
      answers.get('exec check')?.map(({ age }) => age),
    ]);
    expect(ages).toEqual(wanted);
  });

  it('leaves out an attempt that failed because its run was stopped', () => {
    const [run] = runsOf(
      started(1),
      attempt(2),
      { t: 2.05, kind: 'stop', ...APP, run: 0, gracePeriod: 30 },
      buildAttemptDone({ t: 2.1, result: 'failure' }),
      attempt(3),
      buildAttemptDone({ t: 3.1, result: 'failure' }),
    );
    expect(run?.answers.get('exec check')?.map(({ age }) => age)).toEqual([2000]);
  });

  it('marks an answer that timed out', () => {
    const late = buildAttemptDone({ t: 3, result: 'failure', latency: 1001 });
    const [run] = runsOf(started(1), attempt(2), late);
    expect(run?.answers.get('exec check')).toMatchObject([{ timedOutAfter: 1000 }]);
  });

  it.each([
    ['with a longer timeout', 'timeoutSeconds', 'success', 1500],
    ['with a longer timeout that failed', 'timeoutSeconds', 'failure', undefined],
    ['of another path', 'httpGet.path', 'success', undefined],
  ] as const)('notes how long the answer to a trial took: %s', (_, field, result, triedFor) => {
    const trial = { kind: 'trial', ...APP, probe: 'readiness', to: 10, word: '200' } as const;
    const [run] = runsOf(
      ...[started(1), attempt(2)],
      buildAttemptDone({ t: 3, result: 'failure', latency: 1001 }),
      { t: 4.5, ...trial, field: `readinessProbe.${field}`, result, latency: 1500 },
    );
    expect(run?.answers.get('exec check')?.map((each) => each.triedFor)).toEqual([triedFor]);
  });

  it('ignores attempts after the exit', () => {
    const exited: TraceLine = { t: 1.5, kind: 'exited', ...APP, run: 0, exitCode: 0 };
    const [run] = runsOf(started(1), exited, attempt(2), buildAttemptDone({ t: 2.1 }));
    expect(run?.answers.size).toBe(0);
  });

  it('returns the actions on the pod', () => {
    const [pod] = observe([
      podLine(object, 0.5),
      podLine(object, 2),
      { t: 3, kind: 'action', pod: 'default/web', do: 'delete' },
    ]);
    expect(pod?.actions.map(({ at, do: what }) => [at, what])).toEqual([
      [1500, 'update'],
      [2500, 'delete'],
    ]);
  });
});
