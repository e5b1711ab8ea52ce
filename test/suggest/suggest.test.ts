import { describe, expect, it } from 'vitest';

import type { Observation, ObservedRun } from '../../src/sim/recorded/observation.js';
import { patchOf } from '../../src/suggest/patch.js';
import { suggest } from '../../src/suggest/suggest.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';

const container = buildContainer({ livenessProbe: buildProbe({ periodSeconds: 1 }) });

function run(answers: string, latency = 10): ObservedRun {
  const list = Array.from(answers, (letter, index): Observation => ({
    probe: 'liveness',
    age: (index + 1) * 1000,
    latency,
    outcome: { result: letter === 's' ? 'success' : 'failure', output: '' },
  }));
  return { run: 0, startedAt: 0, startTakes: 3, answers: new Map([['exec check', list]]) };
}

const after = (probe: string, ...runs: readonly ObservedRun[]) =>
  suggest(container, runs).find((one) => one.probe === probe)?.after;

describe('a suggestion', () => {
  it('gives a start three times as long as the slowest', () => {
    const startup = after('startup', run('ffffffffs'), run('fs'));
    expect(startup).toMatchObject({
      periodSeconds: 1,
      failureThreshold: 27,
      initialDelaySeconds: 0,
    });
  });

  it('gives an answer twice as long as the slowest', () => {
    expect(after('liveness', run('ss', 1600))).toMatchObject({ timeoutSeconds: 4 });
  });

  it('waits for twice the longest outage before a restart', () => {
    expect(after('liveness', run('sffffs'))).toMatchObject({ failureThreshold: 9 });
  });

  it('counts the false alarms of each threshold', () => {
    const [, liveness] = suggest(container, [run('sfsffs')]);
    expect(liveness?.trades.slice(0, 3).map(({ falseAlarms }) => falseAlarms)).toEqual([2, 1, 0]);
  });

  it('is none where nothing ever succeeded', () => {
    expect(suggest(container, [run('ffff')])).toEqual([]);
  });

  it('is a patch of what changes', () => {
    const suggestions = suggest(container, [run('ss')]).filter(({ probe }) => probe === 'liveness');
    const slower = suggestions.map((one) => ({
      ...one,
      after: { ...one.after, timeoutSeconds: 7 },
    }));
    expect(patchOf(slower)).toEqual({
      spec: { containers: [{ name: 'app', livenessProbe: { timeoutSeconds: 7 } }] },
    });
  });
});
