import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { ControlPlane } from '../../src/rollout/control-plane.js';
import type { ApiPod } from '../../src/rollout/controllers/objects.js';
import { Kubelets } from '../../src/rollout/kubelets.js';
import { EMPTY_BEHAVIOR, podScenario } from '../../src/sim/pod-scenario.js';
import { buildContainer, buildProbe } from '../helpers/builders.js';
import { buildDeployment } from '../helpers/rollout-rig.js';

const SAID = {
  ...EMPTY_BEHAVIOR,
  readyAfter: [{ value: { from: 4000, to: 4000 } }],
  stopTakes: [{ value: 3000 }],
};

/** Two replicas whose readiness probe succeeds four seconds after the start. */
function rig() {
  const clock = new VirtualClock(1);
  const begin = clock.now();
  const readiness: string[] = [];
  const kubelets = new Kubelets({
    clock,
    behaviorOf: (pod: ApiPod) => podScenario(pod, SAID, { until: 0 }).scenario.containers,
    podChanged: (uid, status) => plane.api.podChanged(uid, status),
    podGone: (uid) => plane.api.podGone(uid),
  });
  const plane = new ControlPlane({
    clock,
    nodes: ['node-1', 'node-2'],
    pods: kubelets,
    onChange(change) {
      if (change.kind !== 'endpoint') return;
      const { ready, terminating } = change.endpoint ?? {};
      const state = ready === undefined ? 'gone' : terminating ? 'terminating' : String(ready);
      readiness.push(`${(clock.now() - begin) / 1000} ${state}`);
    },
  });
  const readinessProbe = buildProbe({ periodSeconds: 1 });
  plane.apply({
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { app: 'web' } },
  });
  const scale = (replicas: number): void =>
    plane.apply(buildDeployment({ replicas }, buildContainer({ image: 'app:1', readinessProbe })));
  scale(2);
  return { clock, plane, kubelets, readiness, scale };
}

describe('Kubelets', () => {
  it('report readiness from their probes, and the end of deleted pods', async () => {
    const { clock, plane, kubelets, readiness, scale } = rig();
    await clock.advance(10_000);
    expect(readiness).toEqual(['1 false', '1 false', '5.014 true', '5.014 true']);
    scale(1);
    await clock.advance(10_000);
    expect(readiness.slice(4)).toEqual(['10 terminating', '13 gone']);
    expect(plane.snapshot().pods).toHaveLength(1);
    kubelets.stop();
  });

  it('end a pod that is deleted before its kubelet has started it', async () => {
    const { clock, plane, kubelets, scale } = rig();
    await clock.advance(100);
    scale(0);
    await clock.advance(5000);
    expect(plane.snapshot().pods).toEqual([]);
    kubelets.stop();
  });
});
