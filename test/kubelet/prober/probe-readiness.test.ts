import { describe, expect, it } from 'vitest';

import type { Container, ContainerStatus, PodStatus } from '../../../src/api/index.js';
import type { ProbeType, Result } from '../../../src/kubelet/event.js';
import { probeReadiness } from '../../../src/kubelet/prober/probe-readiness.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
  buildSidecar,
  condition,
  type PodOverrides,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

interface Given {
  readonly status?: Partial<ContainerStatus>;
  readonly workers?: readonly ProbeType[];
  readonly startup?: Result;
  readonly readiness?: Result;
  readonly kubeletStart?: number;
  readonly container?: Partial<Container>;
  readonly pod?: PodOverrides;
}

function decide(given: Given, spec?: PodOverrides['spec'], init = false) {
  const container = buildContainer(given.container);
  const pod = buildPod({ ...given.pod, spec: spec ?? { containers: [container] } });
  const list = [buildContainerStatus({ state: RUNNING, ...given.status })];
  const status: PodStatus = init ? { initContainerStatuses: list } : { containerStatuses: list };
  const found = probeReadiness(pod, status, {
    startupResult: () => given.startup,
    readinessResult: () => given.readiness,
    hasWorker: (_, probeType) => given.workers?.includes(probeType) ?? false,
    kubeletStart: given.kubeletStart ?? -3_600_000,
  });
  const [only] = init ? found.status.initContainerStatuses! : found.status.containerStatuses!;
  return { started: only!.started, ready: only!.ready, trigger: found.trigger };
}

describe('a container', () => {
  const startup = ['startup'] as const;
  const readiness = ['readiness'] as const;
  it.each<[string, Given, boolean, boolean]>([
    ['without probes is started and ready', {}, true, true],
    ['with a liveness probe too', { workers: ['liveness'] }, true, true],
    ['that is ready', { workers: readiness, readiness: 'success' }, true, true],
    ['that is not', { workers: readiness, readiness: 'failure' }, true, false],
    ['whose readiness is not known', { workers: readiness }, true, false],
    ['whose startup is not known', { workers: startup }, false, false],
    ['that has not started yet', { workers: startup, startup: 'unknown' }, false, false],
    ['that failed to start', { workers: startup, startup: 'failure' }, false, false],
    ['that has started', { workers: startup, startup: 'success' }, true, true],
    // The kubelet takes a restarted container for a started one until its startup worker has seen it.
    ['that was started before', { workers: startup, status: { started: true } }, true, true],
    [
      'that was started before, and is being started again',
      { workers: startup, startup: 'unknown', status: { started: true } },
      false,
      false,
    ],
    [
      'that has ended',
      { status: { state: terminated(0), started: true, ready: false }, readiness: 'success' },
      false,
      false,
    ],
    ['that waits', { status: { state: waiting() } }, false, false],
  ])('%s', (_, given, started, ready) => {
    expect(decide(given)).toMatchObject({ started, ready });
  });

  it.each<[string, Given, boolean]>([
    ['is probed for readiness now, when nothing is known', { workers: readiness }, true],
    ['is, when it is not ready', { workers: readiness, readiness: 'failure' }, true],
    ['is not, when it is ready', { workers: readiness, readiness: 'success' }, false],
    ['is not, before it has started', { workers: ['startup', 'readiness'] }, false],
    ['is not, without a readiness probe', {}, false],
    ['is not, when it has ended', { workers: readiness, status: { state: terminated(0) } }, false],
  ])('%s', (_, given, triggered) => {
    expect(decide(given).trigger).toEqual(triggered ? ['app'] : []);
  });

  it('that has not started keeps the readiness that it came with', () => {
    expect(decide({ workers: startup, status: { ready: true } }).ready).toBe(true);
  });
});

describe('a container that is older than the kubelet by more than 10 s', () => {
  const START = 60_000;
  const old: Given = { kubeletStart: START, status: { state: { running: { startedAt: 1_000 } } } };
  const probed: Given = {
    ...old,
    workers: ['readiness'],
    container: { readinessProbe: buildProbe() },
  };
  const readyPod: PodOverrides = { status: { conditions: [condition('Ready', 'True')] } };
  const unreadyPod: PodOverrides = { status: { conditions: [condition('Ready', 'False')] } };
  it.each<[string, Given, boolean]>([
    [
      'is ready until its worker says otherwise, in a pod that was',
      { ...probed, pod: readyPod },
      true,
    ],
    ['is not, in a pod that was not', { ...probed, pod: unreadyPod }, false],
    ['is not, in a pod of which nothing is known', probed, false],
    ['is not, when its worker says so', { ...probed, pod: readyPod, readiness: 'failure' }, false],
    ['is ready without a probe', { ...old, pod: unreadyPod }, true],
    [
      'is not ready when it is only 10 s older',
      { ...probed, pod: readyPod, status: { state: { running: { startedAt: START - 10_000 } } } },
      false,
    ],
  ])('%s', (_, given, ready) => {
    expect(decide(given).ready).toBe(ready);
  });
});

describe('init containers', () => {
  const init = (container: Container) => ({ initContainers: [container] });
  const plain = init(buildContainer({ name: 'app' }));
  const side = init(buildSidecar({ name: 'app' }));
  it.each<[string, object, Given, boolean, boolean]>([
    ['one that runs', plain, {}, true, false],
    ['one that is done', plain, { status: { state: terminated(0) } }, false, true],
    ['one that failed', plain, { status: { state: terminated(1) } }, false, false],
    ['a sidecar that runs', side, {}, true, true],
    ['a sidecar that starts', side, { workers: ['startup'] }, false, false],
    ['a sidecar that is not ready', side, { workers: ['readiness'] }, true, false],
    ['a sidecar that is', side, { workers: ['readiness'], readiness: 'success' }, true, true],
    ['a sidecar that has ended', side, { status: { state: terminated(0) } }, false, false],
    [
      'one that the pod does not name',
      init(buildContainer({ name: 'b' })),
      { status: { state: terminated(0) } },
      false,
      false,
    ],
  ])('%s', (_, spec, given, started, ready) => {
    expect(decide(given, spec, true)).toMatchObject({ started, ready });
  });

  it('that are sidecars have their readiness worker look now', () => {
    expect(decide({ workers: ['readiness'] }, side, true).trigger).toEqual(['app']);
    expect(decide({ workers: ['readiness'] }, plain, true).trigger).toEqual([]);
  });
});
