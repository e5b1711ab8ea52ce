import { describe, expect, it } from 'vitest';

import type { Container, ContainerStatus, PodStatus } from '../../../src/api/index.js';
import { probeReadiness } from '../../../src/kubelet/prober/prober-manager.js';
import type { ProbeType, Result } from '../../../src/trace/event.js';
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
    ['with only a liveness probe is started and ready', { workers: ['liveness'] }, true, true],
    [
      'is ready when its readiness result is success',
      { workers: readiness, readiness: 'success' },
      true,
      true,
    ],
    [
      'is not ready when its readiness result is failure',
      { workers: readiness, readiness: 'failure' },
      true,
      false,
    ],
    ['is not ready without a readiness result', { workers: readiness }, true, false],
    ['is not started without a startup result', { workers: startup }, false, false],
    [
      'is not started while its startup result is unknown',
      { workers: startup, startup: 'unknown' },
      false,
      false,
    ],
    [
      'is not started when its startup result is failure',
      { workers: startup, startup: 'failure' },
      false,
      false,
    ],
    [
      'is started and ready when its startup result is success',
      { workers: startup, startup: 'success' },
      true,
      true,
    ],
    // The kubelet regards a restarted container as started until its startup worker has noticed the new one.
    [
      'stays started and ready when it was started and there is no startup result',
      { workers: startup, status: { started: true } },
      true,
      true,
    ],
    [
      'is not started when it was started and its startup result is unknown',
      { workers: startup, startup: 'unknown', status: { started: true } },
      false,
      false,
    ],
    [
      'is neither started nor ready when it has exited',
      { status: { state: terminated(0), started: true, ready: false }, readiness: 'success' },
      false,
      false,
    ],
    ['is neither started nor ready while it waits', { status: { state: waiting() } }, false, false],
  ])('%s', (_, given, started, ready) => {
    expect(decide(given)).toMatchObject({ started, ready });
  });

  it.each<[string, Given, boolean]>([
    ['triggers its readiness worker when there is no result', { workers: readiness }, true],
    [
      'triggers its readiness worker when it is not ready',
      { workers: readiness, readiness: 'failure' },
      true,
    ],
    ['triggers nothing when it is ready', { workers: readiness, readiness: 'success' }, false],
    ['triggers nothing before it has started', { workers: ['startup', 'readiness'] }, false],
    ['triggers nothing without a readiness worker', {}, false],
    [
      'triggers nothing when it has exited',
      { workers: readiness, status: { state: terminated(0) } },
      false,
    ],
  ])('%s', (_, given, triggered) => {
    expect(decide(given).trigger).toEqual(triggered ? ['app'] : []);
  });

  it('keeps its reported readiness until it has started', () => {
    expect(decide({ workers: startup, status: { ready: true } }).ready).toBe(true);
  });
});

describe('a container that started more than 10 s before the kubelet', () => {
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
    ['is ready without a result when its pod was ready', { ...probed, pod: readyPod }, true],
    [
      'is not ready without a result when its pod was not ready',
      { ...probed, pod: unreadyPod },
      false,
    ],
    ['is not ready without a result when its pod has no Ready condition', probed, false],
    [
      'is not ready when its readiness result is failure',
      { ...probed, pod: readyPod, readiness: 'failure' },
      false,
    ],
    ['is ready without a readiness probe', { ...old, pod: unreadyPod }, true],
    [
      'is not ready when it started only 10 s before the kubelet',
      { ...probed, pod: readyPod, status: { state: { running: { startedAt: START - 10_000 } } } },
      false,
    ],
  ])('%s', (_, given, ready) => {
    expect(decide(given).ready).toBe(ready);
  });
});

describe('an init container', () => {
  const init = (container: Container) => ({ initContainers: [container] });
  const plain = init(buildContainer({ name: 'app' }));
  const side = init(buildSidecar({ name: 'app' }));
  it.each<[string, object, Given, boolean, boolean]>([
    ['is started and not ready while it runs', plain, {}, true, false],
    ['is ready when it has completed', plain, { status: { state: terminated(0) } }, false, true],
    [
      'is neither started nor ready when it has failed',
      plain,
      { status: { state: terminated(1) } },
      false,
      false,
    ],
    ['is started and ready as a running sidecar', side, {}, true, true],
    [
      'is neither started nor ready as a sidecar whose startup probe has not succeeded',
      side,
      { workers: ['startup'] },
      false,
      false,
    ],
    [
      'is not ready as a sidecar without a readiness result',
      side,
      { workers: ['readiness'] },
      true,
      false,
    ],
    [
      'is ready as a sidecar whose readiness result is success',
      side,
      { workers: ['readiness'], readiness: 'success' },
      true,
      true,
    ],
    [
      'is neither started nor ready as a sidecar that has exited',
      side,
      { status: { state: terminated(0) } },
      false,
      false,
    ],
    [
      'is neither started nor ready when the spec does not name it',
      init(buildContainer({ name: 'b' })),
      { status: { state: terminated(0) } },
      false,
      false,
    ],
  ])('%s', (_, spec, given, started, ready) => {
    expect(decide(given, spec, true)).toMatchObject({ started, ready });
  });

  it('triggers its readiness worker only as a sidecar', () => {
    expect(decide({ workers: ['readiness'] }, side, true).trigger).toEqual(['app']);
    expect(decide({ workers: ['readiness'] }, plain, true).trigger).toEqual([]);
  });
});
