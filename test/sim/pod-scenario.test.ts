import { describe, expect, it } from 'vitest';

import {
  EMPTY_BEHAVIOR,
  missingTarget,
  type PodBehaviorSpec,
  podScenario,
} from '../../src/sim/pod-scenario.js';
import { buildContainer, buildPod, buildProbe, buildSidecar } from '../helpers/builders.js';

const exactly = (time: number) => ({ from: time, to: time });
const readinessProbe = buildProbe({ exec: { command: ['ready'] } });
const livenessProbe = buildProbe({ exec: { command: ['live'] } });
const pod = buildPod({
  spec: {
    containers: [
      buildContainer({ readinessProbe, livenessProbe }),
      buildContainer({ name: 'log', readinessProbe }),
    ],
    initContainers: [buildContainer({ name: 'migrate' }), buildSidecar()],
  },
});

const runs = (said: Partial<PodBehaviorSpec>) =>
  podScenario(pod, { ...EMPTY_BEHAVIOR, ...said }, { until: 1000 }).scenario.containers;

describe('podScenario without flags', () => {
  it('lets init containers complete after one second and other containers run on', () => {
    const { migrate, sidecar, app } = runs({});
    expect(migrate).toMatchObject([{ exitAfter: 1000, exitCode: 0 }]);
    expect(sidecar?.[0]).not.toHaveProperty('exitAfter');
    expect(app?.[0]).not.toHaveProperty('exitAfter');
  });

  it('assumes a kubelet that has run for more than an hour', () => {
    const { kubeletAge = 0 } = podScenario(pod, EMPTY_BEHAVIOR, { until: 1 }).scenario;
    expect(kubeletAge).toBeGreaterThan(3_600_000);
  });
});

describe('podScenario with a flag', () => {
  it('for all containers applies it to each, but an init container still completes', () => {
    const { app, log, sidecar, migrate } = runs({
      diesAfter: [{ value: { from: 4000, to: 6000 } }],
    });
    for (const run of [app, log, sidecar]) {
      expect(run).toMatchObject([{ exitAfter: 5000, exitVaries: 1000, exitCode: 1 }]);
    }
    expect(migrate).toMatchObject([{ exitAfter: 1000 }]);
  });

  it('for one container overrides a later flag for all', () => {
    const diesAfter = [{ container: 'app', value: exactly(5000) }, { value: exactly(9000) }];
    const exitCode = [{ container: 'app', value: 7 }];
    const { app, log } = runs({ diesAfter, exitCode });
    expect(app).toMatchObject([{ exitAfter: 5000, exitCode: 7 }]);
    expect(log).toMatchObject([{ exitAfter: 9000, exitCode: 1 }]);
  });

  it("for one probe applies it to that probe's endpoint", () => {
    const latency = [
      { value: exactly(5) },
      { container: 'app', probe: 'liveness', value: exactly(9) },
    ] as const;
    expect(runs({ latency })['app']?.[0]?.behaviors).toEqual({
      'exec ready': { latency: exactly(5) },
      'exec live': { latency: exactly(9) },
    });
  });

  it('that is given several times for hangs applies all of them', () => {
    const hangsAt = [
      { value: { from: 1, to: 2 } },
      { container: 'app', value: { from: 3, to: 4 } },
      { container: 'app', value: { from: 5, to: 6 } },
    ];
    const { app, log } = runs({ hangsAt });
    expect(app?.[0]?.behaviors?.['exec live']?.hangsAt).toEqual([
      { from: 3, to: 4 },
      { from: 5, to: 6 },
    ]);
    expect(log?.[0]?.behaviors?.['exec ready']?.hangsAt).toEqual([{ from: 1, to: 2 }]);
  });

  it('that differs for two probes with the same endpoint is an error', () => {
    const same = buildPod({
      spec: { containers: [buildContainer({ readinessProbe, livenessProbe: readinessProbe })] },
    });
    const failRate = [
      { container: 'app', probe: 'readiness', value: 0.1 },
      { container: 'app', probe: 'liveness', value: 0.2 },
    ] as const;
    const { problems } = podScenario(same, { ...EMPTY_BEHAVIOR, failRate }, { until: 1 });
    expect(problems).toEqual([
      "app's readiness and liveness probes use the same endpoint and get the same answers: set it for one of the two",
    ]);
  });

  it('for one of two probes with the same endpoint applies to both', () => {
    const same = buildPod({
      spec: { containers: [buildContainer({ readinessProbe, livenessProbe: readinessProbe })] },
    });
    const failRate = [{ container: 'app', probe: 'liveness', value: 0.2 }] as const;
    const { scenario } = podScenario(same, { ...EMPTY_BEHAVIOR, failRate }, { until: 1 });
    expect(scenario.containers['app']?.[0]?.behaviors).toEqual({
      'exec ready': { failRate: 0.2 },
    });
  });
});

describe('missingTarget', () => {
  it.each([
    ['all', {}, undefined],
    ['a container', { container: 'sidecar' }, undefined],
    ['a probe', { container: 'app', probe: 'liveness' as const }, undefined],
    ['an unknown container', { container: 'ap' }, 'no container "ap"'],
    [
      'a missing probe',
      { container: 'log', probe: 'liveness' as const },
      'log has no liveness probe',
    ],
  ])('for %s returns a message or nothing', (_, target, message) => {
    expect(missingTarget(target, [pod])?.message).toBe(message);
  });

  it('names a container of several pods once', () => {
    const { known = [] } = missingTarget({ container: 'ap' }, [pod, pod]) ?? {};
    expect(known.filter((name) => name === 'app')).toEqual(['app']);
  });
});
