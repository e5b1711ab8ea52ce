import { describe, expect, it } from 'vitest';

import { compareDecisions, type Decision, decisionsOf } from '../../src/trace/decisions.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildAttemptDone } from '../helpers/traces.js';

const APP = { pod: 'default/web', container: 'app' };

/** Each decision of a trace as `what at t`. */
function told(...lines: readonly TraceLine[]): string[] {
  return decisionsOf(lines).map(({ t, what }) => `${what} at ${t}`);
}

function status(t: number, ready: boolean): TraceLine {
  const app = { name: 'app', ready, restartCount: 0, state: 'running', lastState: '' };
  return {
    t,
    kind: 'status',
    pod: 'default/web',
    phase: 'Running',
    reason: '',
    conditions: {},
    containers: [app],
    initContainers: [],
    podStatus: { phase: 'Running' },
  };
}

describe('decisionsOf', () => {
  it('returns starts, exits and failed starts', () => {
    expect(
      told(
        { t: 1, kind: 'started', ...APP, run: 0 },
        { t: 2, kind: 'exited', ...APP, run: 0, exitCode: 3 },
        { t: 3, kind: 'startFailed', ...APP, run: 1, error: 'no such file' },
        { t: 4, kind: 'started', ...APP, run: 2 },
      ),
    ).toEqual([
      'starts at 1',
      'ended with exit code 3 at 2',
      'does not start: no such file at 3',
      'starts again (run 2) at 4',
    ]);
  });

  it('returns changes of readiness, without repeated statuses', () => {
    expect(told(status(1, false), status(2, true), status(3, true), status(4, false))).toEqual([
      'ready at 2',
      'not ready at 4',
    ]);
  });

  it('returns kills with their container', () => {
    const kill = {
      name: 'app',
      message: 'failed liveness probe',
      reason: 'LivenessProbe',
    } as const;
    const line = { t: 5, kind: 'actions', pod: 'default/web', killPod: false } as const;
    const actions = {
      ...line,
      createSandbox: false,
      containersToStart: [],
      containersToKill: [kill],
    };
    expect(decisionsOf([actions])).toEqual([
      { t: 5, ...APP, what: 'killed: failed liveness probe' },
    ]);
  });

  it('returns a back-off once, however often it is reported', () => {
    const backOff = { kind: 'backOff', ...APP, delay: 10, until: 12 } as const;
    const again = { t: 12, kind: 'started', ...APP, run: 1 } as const;
    expect(
      told(
        { t: 2, ...backOff },
        // Counted from an exit that the kubelet had not seen before.
        { t: 3, ...backOff, until: 13 },
        { t: 7, ...backOff, until: 13 },
        again,
        { t: 14, ...backOff, until: 24 },
        { t: 25, ...backOff, delay: 20, until: 45 },
      ),
    ).toEqual([
      'back-off of 10 s at 2',
      'starts again (run 1) at 12',
      'back-off of 10 s at 14',
      'back-off of 20 s at 25',
    ]);
  });

  it('returns the success of a startup probe', () => {
    expect(
      told(
        buildAttemptDone({ t: 1, probe: 'startup' }),
        buildAttemptDone({ t: 2, probe: 'startup', set: 'success' }),
      ),
    ).toEqual(['started at 2']);
  });
});

describe('compareDecisions', () => {
  const at = (t: number, what: string): Decision => ({ t, ...APP, what });

  it('pairs the n-th decisions with the same text', () => {
    expect(
      compareDecisions(
        [at(1, 'ready'), at(5, 'not ready'), at(8, 'ready')],
        [at(2, 'ready'), at(9, 'ready'), at(11, 'killed')],
      ),
    ).toEqual([
      { ...APP, what: 'ready', before: 1, after: 2 },
      { ...APP, what: 'not ready', before: 5 },
      { ...APP, what: 'ready', before: 8, after: 9 },
      { ...APP, what: 'killed', after: 11 },
    ]);
  });

  it('uses the recorded time for what two simulations decide at the same time', () => {
    const simulated = [at(2, 'ready'), at(7, 'not ready')];
    expect(
      compareDecisions(
        [at(1, 'ready'), at(5, 'not ready')],
        [at(2, 'ready'), at(6, 'not ready'), at(7, 'killed')],
        [...simulated, at(7, 'killed')],
      ),
    ).toEqual([
      { ...APP, what: 'ready', before: 1, after: 1 },
      { ...APP, what: 'not ready', before: 5, after: 6 },
      { ...APP, what: 'killed', after: 7 },
    ]);
  });
});
