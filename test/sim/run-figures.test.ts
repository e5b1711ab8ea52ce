import { describe, expect, it } from 'vitest';

import type { PodSpec } from '../../src/api/index.js';
import { simulateRun } from '../../src/sim/many-runs.js';
import { EMPTY_BEHAVIOR, type PodBehaviorSpec, podScenario } from '../../src/sim/pod-scenario.js';
import type { Obstacle } from '../../src/sim/run-figures.js';
import { buildContainer, buildPod, buildProbe, buildSidecar } from '../helpers/builders.js';

const at = (seconds: number) => ({ from: seconds * 1000, to: seconds * 1000 });
const NEVER = at(9999);
const probe = buildProbe({ periodSeconds: 1 });

/** The obstacles of a pod after one minute. */
async function obstacles(
  spec: Partial<PodSpec>,
  said: Partial<PodBehaviorSpec>,
): Promise<readonly Obstacle[]> {
  const pod = buildPod({ spec });
  const { scenario } = podScenario(pod, { ...EMPTY_BEHAVIOR, ...said }, { until: 60_000 });
  return (await simulateRun({ scenario, seed: 1, run: 0 })).obstacles;
}

const FAILED = ' probe failed: ';

describe('the obstacles of a pod that is not ready', () => {
  it('are none when it is ready', async () => {
    expect(
      await obstacles({ containers: [buildContainer({ readinessProbe: probe })] }, {}),
    ).toEqual([]);
  });

  it('include a readiness probe that fails', async () => {
    const containers = [buildContainer({ readinessProbe: probe }), buildContainer({ name: 'log' })];
    expect(await obstacles({ containers }, { readyAfter: [{ value: NEVER }] })).toEqual([
      {
        container: 'app',
        probe: 'readiness',
        state: 'running',
        lastState: '',
        message: expect.stringContaining(`Readiness${FAILED}`) as string,
      },
    ]);
  });

  it('include a readiness probe that was never attempted', async () => {
    const late = buildProbe({ initialDelaySeconds: 300 });
    const containers = [buildContainer({ readinessProbe: late })];
    expect(await obstacles({ containers }, {})).toMatchObject([
      { probe: 'readiness', message: '' },
    ]);
  });

  it('include a startup probe that has not succeeded, also with a liveness probe', async () => {
    const startupProbe = { ...probe, failureThreshold: 100 };
    const containers = [buildContainer({ startupProbe, livenessProbe: probe })];
    expect(await obstacles({ containers }, { readyAfter: [{ value: NEVER }] })).toMatchObject([
      {
        probe: 'startup',
        state: 'running',
        message: expect.stringContaining(`Startup${FAILED}`) as string,
      },
    ]);
  });

  it('include the probe that causes a crash loop', async () => {
    const containers = [buildContainer({ livenessProbe: probe })];
    expect(await obstacles({ containers }, { readyAfter: [{ value: NEVER }] })).toMatchObject([
      {
        state: 'waiting CrashLoopBackOff',
        lastState: expect.stringMatching(/^terminated Error /) as string,
        message: expect.stringContaining(`Liveness${FAILED}`) as string,
      },
    ]);
  });

  it('name no probe when the container exits by itself', async () => {
    const containers = [buildContainer({ readinessProbe: probe })];
    const said = { diesAfter: [{ value: at(3) }], readyAfter: [{ value: NEVER }] };
    expect(await obstacles({ containers }, said)).toEqual([
      {
        container: 'app',
        state: 'terminated Error 1',
        lastState: 'terminated Error 1',
        message: '',
      },
    ]);
  });

  it('include only the init container that fails', async () => {
    const initContainers = [buildContainer({ name: 'setup' }), buildContainer({ name: 'next' })];
    const exitCode = [{ container: 'setup', value: 2 }];
    expect(await obstacles({ initContainers }, { exitCode })).toMatchObject([
      { container: 'setup', state: expect.stringMatching(/CrashLoopBackOff|Error 2/) as string },
    ]);
  });

  it('include only the sidecar that has not started', async () => {
    const startupProbe = { ...probe, failureThreshold: 100 };
    const initContainers = [buildSidecar({ startupProbe })];
    expect(await obstacles({ initContainers }, { readyAfter: [{ value: NEVER }] })).toMatchObject([
      { container: 'sidecar', probe: 'startup' },
    ]);
  });

  it('include a sidecar that is not ready', async () => {
    const initContainers = [buildSidecar({ readinessProbe: probe })];
    expect(await obstacles({ initContainers }, { readyAfter: [{ value: NEVER }] })).toMatchObject([
      { container: 'sidecar', probe: 'readiness' },
    ]);
  });
});
