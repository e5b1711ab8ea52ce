import { describe, expect, it } from 'vitest';

import type { Observation, ObservedRun } from '../../../src/sim/recorded/observe.js';
import { recordedScenario } from '../../../src/sim/recorded/recorded-scenario.js';
import { buildPod } from '../../helpers/builders.js';

const answer = (age: number, result: 'success' | 'failure', more: object = {}): Observation => ({
  probe: 'liveness',
  age,
  latency: 20,
  outcome: { result, output: 'said' },
  ...more,
});

/** The scenario and the script for one observed run. */
function scriptOf(run: Partial<ObservedRun>) {
  const whole: ObservedRun = { run: 0, startedAt: 0, startTakes: 5, answers: new Map(), ...run };
  const pod = {
    key: 'default/web',
    object: buildPod(),
    addedAt: 1250,
    actions: [],
    containers: new Map([['app', [whole]]]),
  };
  const scenario = recordedScenario(pod, {
    length: 10_000,
    kubeletAge: 5_000,
    kubelet: { version: '1.36' },
    change: (p) => p,
  });
  return { scenario, script: scenario.containers['app']?.[0] };
}

describe('the script of a recorded run', () => {
  it('gives each exec answer until halfway to the next one', () => {
    const answers = new Map([['exec check', [answer(1000, 'success'), answer(3000, 'failure')]]]);
    expect(scriptOf({ answers }).script?.exec['check']).toMatchObject([
      { until: 2000, takes: 20, exit: 0 },
      { takes: 20, exit: 1, stdout: 'said' },
    ]);
  });

  it('replays the recorded result of network probes', () => {
    const answers = new Map([['http GET :80/', [answer(1000, 'success')]]]);
    expect(scriptOf({ answers }).script?.network).toEqual({
      'http GET :80/': [
        {
          takes: 20,
          response: { kind: 'recorded', outcome: { result: 'success', output: 'said' } },
        },
      ],
    });
  });

  it('never answers an attempt that timed out', () => {
    const answers = new Map([['exec check', [answer(1000, 'failure', { timedOutAfter: 1000 })]]]);
    expect(scriptOf({ answers }).script?.exec['check']?.[0]?.takes).toBeGreaterThan(3600_000);
  });

  it('exits by itself as recorded, and takes as long to stop', () => {
    const itself = scriptOf({ end: { kind: 'itself', age: 7000, exitCode: 3 } }).script;
    expect(itself).toMatchObject({ exitAfter: 7000, exitCode: 3 });
    const stopped = scriptOf({
      end: { kind: 'stopped', age: 7000, exitCode: 0, took: 800 },
    }).script;
    expect(stopped).toMatchObject({ stopTakes: 800, stopExitCode: 0 });
    expect(stopped).not.toHaveProperty('exitAfter');
  });

  it('fails to start as recorded', () => {
    expect(scriptOf({ startError: 'no such file' }).script).toMatchObject({
      startError: 'no such file',
      startTakes: 5,
    });
  });

  it("has the length of the recording and keeps the phase of the kubelet's relists", () => {
    expect(scriptOf({}).scenario).toMatchObject({ until: 8750, kubeletUp: 5250, kubeletAge: 0 });
  });
});
