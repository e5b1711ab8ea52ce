import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ProberManager } from '../../../src/kubelet/prober/prober-manager.js';
import type { ResultUpdate } from '../../../src/kubelet/prober/results-manager.js';
import type { Event, ProbeType } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
  buildSidecar,
} from '../../helpers/builders.js';
import { FakeProber } from '../../helpers/fake-prober.js';

/** A prober manager; tests set its pod statuses in `statuses`. */
function createRig() {
  const clock = new VirtualClock(1, 0);
  const prober = new FakeProber(clock);
  const updates: (ResultUpdate & { probeType: ProbeType })[] = [];
  const events: Event[] = [];
  const statuses = new Map<string, PodStatus>();
  const manager = new ProberManager({
    clock,
    prober,
    kubeletStart: -3_600_000,
    getPodStatus: (uid) => statuses.get(uid),
    onUpdate: (probeType, update) => updates.push({ probeType, ...update }),
    emit: (event) => events.push(event),
  });
  return { clock, prober, manager, updates, events, statuses };
}

/** The existing workers, as `app readiness`. */
function workersOf(manager: ProberManager, pod: Pod): string[] {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  return containers.flatMap(({ name }) =>
    (['startup', 'readiness', 'liveness'] as const)
      .filter((probeType) => manager.trigger(pod.metadata.uid, name, probeType))
      .map((probeType) => `${name} ${probeType}`),
  );
}

const probes = {
  startupProbe: buildProbe(),
  readinessProbe: buildProbe(),
  livenessProbe: buildProbe(),
};

function podWith(uid: string): Pod {
  return buildPod({
    metadata: { uid },
    spec: {
      containers: [
        buildContainer({ name: 'plain' }),
        buildContainer({ name: 'ready', readinessProbe: buildProbe() }),
        buildContainer({ name: 'alive', livenessProbe: buildProbe() }),
        buildContainer({ name: 'started', startupProbe: buildProbe() }),
      ],
    },
  });
}

const WORKERS = ['ready readiness', 'alive liveness', 'started startup'];

describe('a pod that is added', () => {
  it('gets a worker for each probe', async () => {
    const { clock, manager } = createRig();
    const pod = podWith('a');
    manager.addPod(pod);
    await clock.advance(0);
    expect(workersOf(manager, pod)).toEqual(WORKERS);
  });

  it('gets workers for sidecars, but not for other init containers', () => {
    const { manager } = createRig();
    const pod = buildPod({
      spec: { initContainers: [buildContainer({ name: 'init', ...probes }), buildSidecar(probes)] },
    });
    manager.addPod(pod);
    expect(workersOf(manager, pod)).toEqual([
      'sidecar startup',
      'sidecar readiness',
      'sidecar liveness',
    ]);
  });

  it('keeps its worker when it is added again', async () => {
    const { clock, manager, prober, statuses } = createRig();
    const pod = buildPod({
      spec: { containers: [buildContainer({ readinessProbe: buildProbe() })] },
    });
    statuses.set('uid-1', { containerStatuses: [buildContainerStatus({ started: true })] });
    manager.addPod(pod);
    manager.addPod(pod);
    await clock.advance(10_000);
    expect(prober.attempts).toEqual([0, 10_000]);
  });

  it('gets no workers for a new probe when it is added again and has a worker already', () => {
    const { manager } = createRig();
    const first = buildContainer({ name: 'a', readinessProbe: buildProbe() });
    const second = buildContainer({ name: 'b', readinessProbe: buildProbe() });
    manager.addPod(buildPod({ spec: { containers: [first] } }));
    const pod = buildPod({ spec: { containers: [first, second] } });
    manager.addPod(pod);
    expect(workersOf(manager, pod)).toEqual(['a readiness']);
  });
});

describe('probe workers stop', () => {
  it('when their pod is removed', async () => {
    const { clock, manager } = createRig();
    const [a, b] = [podWith('a'), podWith('b')];
    manager.addPod(a);
    manager.addPod(b);
    await clock.advance(0);
    manager.removePod(a);
    manager.removePod(a);
    await clock.advance(0);
    expect([workersOf(manager, a), workersOf(manager, b)]).toEqual([[], WORKERS]);
  });

  it('when cleanupPods does not list their pod', async () => {
    const { clock, manager } = createRig();
    const [a, b] = [podWith('a'), podWith('b')];
    manager.addPod(a);
    manager.addPod(b);
    await clock.advance(0);
    manager.cleanupPods((uid) => uid === 'b');
    await clock.advance(0);
    expect([workersOf(manager, a), workersOf(manager, b)]).toEqual([[], WORKERS]);
  });

  it('for liveness and startup when their pod terminates, except those of sidecars', async () => {
    const { clock, manager } = createRig();
    const containers = [buildContainer(probes)];
    const pod = buildPod({ spec: { containers, initContainers: [buildSidecar(probes)] } });
    manager.addPod(pod);
    await clock.advance(0);
    manager.stopLivenessAndStartup(pod);
    await clock.advance(0);
    expect(workersOf(manager, pod)).toEqual([
      'app readiness',
      'sidecar startup',
      'sidecar readiness',
      'sidecar liveness',
    ]);
  });

  it('when the kubelet stops, even before their first tick', () => {
    const { manager } = createRig();
    const pod = podWith('a');
    manager.addPod(pod);
    manager.stop();
    expect(workersOf(manager, pod)).toEqual([]);
    manager.addPod(pod);
    expect(workersOf(manager, pod)).toEqual([]);
  });
});

describe('probe results', () => {
  it('are published per probe type with the pod UID', async () => {
    const { clock, manager, updates, statuses } = createRig();
    statuses.set('uid-1', { containerStatuses: [buildContainerStatus({ started: true })] });
    const container = buildContainer({ readinessProbe: buildProbe(), livenessProbe: buildProbe() });
    manager.addPod(buildPod({ spec: { containers: [container] } }));
    await clock.advance(0);
    const common = { containerID: 'test://app-1', podUID: 'uid-1' };
    expect(updates).toEqual([
      { probeType: 'liveness', result: 'success', ...common },
      { probeType: 'readiness', result: 'failure', ...common },
      { probeType: 'readiness', result: 'success', ...common },
    ]);
    expect(manager.readiness.get('test://app-1')).toBe('success');
    expect(manager.startup.get('test://app-1')).toBeUndefined();
  });

  it('update the pod status, which triggers the readiness worker while not ready', async () => {
    const { clock, manager, prober, statuses } = createRig();
    const status: PodStatus = { containerStatuses: [buildContainerStatus({ started: true })] };
    statuses.set('uid-1', status);
    const pod = buildPod({
      spec: { containers: [buildContainer({ readinessProbe: buildProbe() })] },
    });
    prober.answers = ['failure', 'success'];
    manager.addPod(pod);
    await clock.advance(3_000);
    const before = manager.updatePodStatus(pod, status);
    expect(before.containerStatuses?.[0]?.ready).toBe(false);
    await clock.advance(0);
    expect(prober.attempts).toEqual([0, 3_000]);
    expect(manager.updatePodStatus(pod, status).containerStatuses?.[0]?.ready).toBe(true);
    await clock.advance(9_000);
    expect(prober.attempts).toHaveLength(2);
  });
});

it('trigger returns false when there is no such worker', () => {
  const { manager } = createRig();
  expect(manager.trigger('uid-1', 'app', 'liveness')).toBe(false);
});
