import { describe, expect, it } from 'vitest';

import type { Container, Probe } from '../../src/api/index.js';
import type { Observation, ObservedRun } from '../../src/sim/recorded/observe.js';
import { type Suggestion, suggestPod, unansweredOf } from '../../src/suggest/suggest.js';
import { buildContainer, buildPod, buildProbe, buildSidecar } from '../helpers/builders.js';

/** A run that was asked each second, first a second after `from`: `s` succeeded, else it failed. */
function run(answers: string, { latency = 10, from = 0 } = {}): ObservedRun {
  const list = Array.from(answers, (letter, index): Observation => ({
    probe: 'liveness',
    age: (from + index + 1) * 1000,
    latency,
    outcome: { result: letter === 's' ? 'success' : 'failure', output: '' },
  }));
  return { run: 0, startedAt: 0, startTakes: 3, answers: new Map([['exec check', list]]) };
}

/** What is proposed for the only container of a pod. */
function suggest(container: Container, runs: readonly ObservedRun[]): Suggestion[] {
  return suggestPod(buildPod({ spec: { containers: [container] } }), new Map([['app', runs]]));
}

/** What is proposed for a container with these probes. */
function proposed(
  probe: 'startup' | 'readiness' | 'liveness',
  runs: readonly ObservedRun[],
  overrides: Partial<Probe> = {},
): Suggestion | undefined {
  const settings = buildProbe({ periodSeconds: 1, ...overrides });
  const own = probe === 'startup' ? 'livenessProbe' : (`${probe}Probe` as const);
  const found = suggest(buildContainer({ [own]: settings }), runs);
  return found.find((one) => one.probe === probe);
}

describe('a startup probe', () => {
  it('is proposed where there is a liveness probe, and leaves a start three times the slowest', () => {
    const startup = proposed('startup', [run('ffffffffffffs'), run('fs')]);
    expect(startup?.before).toBeUndefined();
    expect(startup?.after).toMatchObject({
      periodSeconds: 2,
      failureThreshold: 20,
      initialDelaySeconds: 0,
    });
  });

  it('leaves a start at least 30 s', () => {
    expect(proposed('startup', [run('s')])?.after).toMatchObject({
      periodSeconds: 1,
      failureThreshold: 30,
    });
  });

  it.each([
    ['was asked late, and had started', [run('s', { from: 40 })], true],
    ['was asked late, and had not', [run('fs', { from: 40 })], false],
    ['was asked soon enough to get the least budget', [run('s', { from: 9 })], false],
    ['is not the slowest', [run('s', { from: 40 }), run('fs', { from: 50 })], false],
  ])('tells of a start that %s what it does not know', (_, runs, isTold) => {
    const reasons = proposed('startup', runs)?.reasons.join() ?? '';
    expect(reasons.includes('the first attempt came after 41.0 s and succeeded')).toBe(isTold);
  });

  it('counts a start that was asked late from the first answer to another probe', () => {
    const [ready, alive] = [run('ffffs'), run('sss', { from: 60 })];
    const answers = new Map([
      ['exec ready', ready.answers.get('exec check')!],
      ['exec check', alive.answers.get('exec check')!],
    ]);
    const startup = proposed('startup', [{ ...ready, answers }]);
    expect(startup?.after).toMatchObject({ periodSeconds: 1, failureThreshold: 30 });
    expect(startup?.reasons.join()).toContain("this one's first attempt, after 61.0 s, succeeded");
  });

  it('tells of a start that fell into a long time in which nobody asked', () => {
    const [early, late] = [run('f').answers, run('s', { from: 29 }).answers];
    const answers = new Map([
      ['exec check', [...early.get('exec check')!, ...late.get('exec check')!]],
    ]);
    expect(proposed('startup', [{ ...run(''), answers }])?.reasons.join()).toContain(
      'no attempt from 1.0 s to 30.0 s',
    );
  });

  it('is kept where it leaves enough', () => {
    const startupProbe = buildProbe({ periodSeconds: 5, failureThreshold: 12 });
    const [startup] = suggest(buildContainer({ startupProbe }), [run('fffs')]);
    expect(startup?.after).toEqual(startupProbe);
  });

  it.each([
    [2, 600, 'kept although it is long: 2 starts are too few to shorten it'],
    [3, 30, '1 s × 30 allow 30 s'],
  ])('that is much longer than needed is after %i starts of %i failures', (starts, wanted, why) => {
    const startupProbe = buildProbe({ periodSeconds: 1, failureThreshold: 600 });
    const runs = Array.from({ length: starts }, () => run('fs'));
    const [startup] = suggest(buildContainer({ startupProbe }), runs);
    expect(startup?.after.failureThreshold).toBe(wanted);
    expect(startup?.reasons.join()).toContain(why);
  });

  it('keeps its budget where its period is too long', () => {
    const startupProbe = buildProbe({ periodSeconds: 15, failureThreshold: 60 });
    const [startup] = suggest(buildContainer({ startupProbe }), [run('f'.repeat(28) + 's')]);
    expect(startup?.after).toMatchObject({ periodSeconds: 3, failureThreshold: 300 });
  });

  it('is proposed for no container that has no liveness probe', () => {
    expect(suggest(buildContainer({ readinessProbe: buildProbe() }), [run('s')])).toHaveLength(1);
  });
});

describe('a timeout', () => {
  it.each([
    ['is twice the slowest answer', 1600, 1, 10, 4],
    ['is kept where it is enough', 100, 5, 10, 5],
    ['is cut where it is longer than the period', 100, 30, 10, 1],
  ])('%s', (_, latency, timeoutSeconds, periodSeconds, wanted) => {
    const liveness = proposed('liveness', [run('ss', { latency })], {
      timeoutSeconds,
      periodSeconds,
    });
    expect(liveness?.after.timeoutSeconds).toBe(wanted);
  });

  it('is not made long for a stall, which counts as a failure', () => {
    const calm = run('s'.repeat(30));
    const list = [...calm.answers.get('exec check')!];
    list[20] = { ...list[20]!, latency: 8000 };
    const stalled = { ...calm, answers: new Map([['exec check', list]]) };
    const readiness = proposed('readiness', [stalled]);
    expect(readiness?.after.timeoutSeconds).toBe(1);
    expect(readiness?.reasons.join()).toContain('a stall answered after 8.0 s');
    expect(readiness?.trades[0]?.falseAlarms).toBe(1);
  });

  it('makes a period longer that is shorter', () => {
    const liveness = proposed('liveness', [run('ss', { latency: 1600 })]);
    expect(liveness?.after).toMatchObject({ timeoutSeconds: 4, periodSeconds: 4 });
  });
});

describe('a number of failures in a row', () => {
  it.each([
    ['liveness', 'no failure', 'sssss', 1, 3],
    ['liveness', 'an outage of 4 s', 'sffffs', 3, 9],
    ['liveness', 'no failure, set to enough', 'sssss', 5, 5],
    ['liveness', 'no failure, set to more, but soon enough', 'sssss', 30, 30],
    ['liveness', 'no failure, set to far too many', 'sssss', 90, 3],
    ['readiness', 'no failure', 'sssss', 1, 2],
    ['readiness', 'a row of two', 'sffs', 1, 3],
    ['readiness', 'a long row', 'sffffffs', 1, 3],
  ] as const)('of %s after %s (%s, set to %i) is %i', (probe, _, answers, set, wanted) => {
    const found = proposed(probe, [run(answers)], { failureThreshold: set });
    expect(found?.after.failureThreshold).toBe(wanted);
  });

  it('is higher where single failures would come in a row by chance too often', () => {
    const flapping = run(`${'sssf'.repeat(50)}s`);
    expect(proposed('readiness', [flapping])?.after.failureThreshold).toBe(3);
    const liveness = proposed('liveness', [flapping]);
    expect(liveness?.after.failureThreshold).toBe(11);
    expect(liveness?.trades[0]?.chance).toBeCloseTo(1 / (0.25 * 0.75), 0);
  });

  it('is not made higher for a single failure: how often such come is not known', () => {
    const liveness = proposed('liveness', [run('sssfsss')]);
    expect(liveness?.after.failureThreshold).toBe(3);
    expect(liveness?.trades[0]).not.toHaveProperty('chance');
  });

  it('says of a row that did not end that its end is not known', () => {
    expect(proposed('liveness', [run('ssfff')])?.reasons.join()).toContain(
      'a run ended after 3 failures in a row',
    );
  });

  it('has a table of what each would cost', () => {
    const liveness = proposed('liveness', [run('sfsffs')]);
    expect(liveness?.trades.slice(0, 3).map(({ falseAlarms }) => falseAlarms)).toEqual([2, 1, 0]);
  });
});

it('nothing is proposed where nothing ever succeeded', () => {
  expect(proposed('liveness', [run('ffff')])).toBeUndefined();
});

describe('a probe that never succeeded', () => {
  const pod = buildPod({
    spec: { containers: [buildContainer({ livenessProbe: buildProbe() })] },
  });
  const killed = { kind: 'stopped', age: 22_000, exitCode: 143, took: 5 } as const;

  it.each([
    ['was killed', { end: killed }, [{ seconds: 22.01, killed: true }]],
    ['outlived its restarts', { end: { ...killed, simulated: true } }, [{ killed: false }]],
    ['was still tried at the end', {}, [{ seconds: 22.01, killed: false }]],
    ['crashed', { end: { kind: 'itself', age: 22_000, exitCode: 1 } }, []],
  ] as const)('is reported with the longest time where its container %s', (_, more, wanted) => {
    const runs = [run('ffff'), { ...run('f'.repeat(22)), ...more }].slice(1);
    expect(unansweredOf(pod, new Map([['app', runs]]))).toMatchObject(wanted);
  });

  it('is not reported where another run was answered: the budget allows for its time', () => {
    const runs = [{ ...run('f'.repeat(22)), end: killed }, run('ffffs')];
    expect(unansweredOf(pod, new Map([['app', runs]]))).toEqual([]);
    const [startup] = suggestPod(pod, new Map([['app', runs]]));
    expect(startup?.after).toMatchObject({ periodSeconds: 3, failureThreshold: 23 });
    expect(startup?.reasons[0]).toContain('after 5.0 s, another one had not after 22.0 s');
  });
});

describe('of a pod with a sidecar', () => {
  const probes = { readinessProbe: buildProbe(), livenessProbe: buildProbe() };
  const pod = buildPod({
    spec: {
      initContainers: [
        buildContainer({ name: 'setup' }),
        buildSidecar({ name: 'proxy', ...probes }),
      ],
      containers: [buildContainer(probes)],
    },
  });
  const runs = [run('sss')];

  it('the probes of the sidecar get settings first, and then those of the container', () => {
    const both = suggestPod(
      pod,
      new Map([
        ['proxy', runs],
        ['app', runs],
      ]),
    );
    const types = ['startup', 'readiness', 'liveness'];
    expect(both.map(({ container, role, probe }) => [container, role, probe])).toEqual([
      ...types.map((type) => ['proxy', 'sidecar', type]),
      ...types.map((type) => ['app', 'container', type]),
    ]);
  });

  it('a new startup probe of the sidecar is said to hold up the containers behind it', () => {
    const [startup] = suggestPod(pod, new Map([['proxy', runs]]));
    expect(startup?.reasons.join('\n')).toContain('the containers after a sidecar wait for it');
  });
});
