import { describe, expect, it } from 'vitest';

import type { Container, ContainerState, PodStatus, Probe } from '../../../src/api/index.js';
import {
  afterProbe,
  beforeProbe,
  newWorker,
  type ResultChange,
  type Worker,
} from '../../../src/kubelet/prober/worker.js';
import type { ProbeType, Result } from '../../../src/trace/event.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildProbe,
  buildSidecar,
  onExit,
  type PodOverrides,
  RUNNING,
  terminated,
  waiting,
} from '../../helpers/builders.js';

const TYPES = ['startup', 'readiness', 'liveness'] as const;
const ID = 'test://app-1';
/** The kubelet's start, and a time well after it. */
const KUBELET_START = 0;
const NOW = 100_000;

const INITIAL = { startup: 'unknown', readiness: 'failure', liveness: 'success' } as const;

interface WorkerOverrides {
  readonly spec?: Partial<Probe>;
  readonly container?: Partial<Container>;
  readonly pod?: PodOverrides;
  readonly worker?: Partial<Worker>;
}

function buildWorker(probeType: ProbeType, overrides: WorkerOverrides = {}): Worker {
  const container = buildContainer(overrides.container);
  const pod = buildPod({
    ...overrides.pod,
    spec: { containers: [container], ...overrides.pod?.spec },
  });
  return {
    ...newWorker(probeType, pod, container, buildProbe(overrides.spec)),
    ...overrides.worker,
  };
}

/** State of a worker that has seen the container before. */
const SEEN = { containerID: ID } as const;

function appStatus(state: ContainerState, started = false, containerID = ID): PodStatus {
  return {
    phase: 'Running',
    containerStatuses: [buildContainerStatus({ state, started, containerID })],
  };
}

const set = (result: Result): ResultChange => ({ kind: 'set', containerID: ID, result });

describe('beforeProbe', () => {
  it.each(TYPES)('skips %s without a pod status', (probeType) => {
    const found = beforeProbe(buildWorker(probeType), undefined, NOW, KUBELET_START);
    expect(found).toMatchObject({ kind: 'skip', state: 'noStatus', changes: [] });
  });

  it.each(TYPES.flatMap((type) => [[type, 'Failed'] as const, [type, 'Succeeded'] as const]))(
    'stops %s when the pod has %s',
    (probeType, phase) => {
      const status = { ...appStatus(RUNNING), phase };
      const found = beforeProbe(buildWorker(probeType), status, NOW, KUBELET_START);
      expect(found).toMatchObject({ kind: 'stop', changes: [] });
    },
  );

  it.each<[string, PodStatus]>([
    ['no statuses', { phase: 'Pending' }],
    ["another container's status", { containerStatuses: [buildContainerStatus({ name: 'b' })] }],
    [
      'a status without an id',
      { containerStatuses: [{ ...buildContainerStatus(), containerID: undefined as never }] },
    ],
  ])('with %s, skips until there is a container', (_, status) => {
    const found = beforeProbe(buildWorker('liveness'), status, NOW, KUBELET_START);
    expect(found).toMatchObject({ kind: 'skip', state: 'noContainer', changes: [] });
  });

  it.each(TYPES)('sets the initial result of %s for a new container', (probeType) => {
    const worker = buildWorker(probeType, { worker: { onHold: true } });
    const found = beforeProbe(worker, appStatus(RUNNING), NOW, KUBELET_START);
    expect(found.changes).toEqual([set(INITIAL[probeType])]);
    expect(found.worker).toMatchObject({ containerID: ID, onHold: false });
  });

  it('removes the result of the previous container first', () => {
    const worker = buildWorker('liveness', { worker: { containerID: 'test://app-0' } });
    const found = beforeProbe(worker, appStatus(RUNNING), NOW, KUBELET_START);
    expect(found.changes).toEqual([
      { kind: 'remove', containerID: 'test://app-0' },
      set('success'),
    ]);
  });

  it('keeps the result run across containers', () => {
    const worker = buildWorker('readiness', { worker: { lastResult: 'failure', resultRun: 2 } });
    const found = beforeProbe(worker, appStatus(RUNNING, true), NOW, KUBELET_START);
    expect(found.worker).toMatchObject({ lastResult: 'failure', resultRun: 2 });
  });

  it('skips while on hold, until there is a new container', () => {
    const worker = buildWorker('liveness', { worker: { ...SEEN, onHold: true } });
    const found = beforeProbe(worker, appStatus(RUNNING, true), NOW, KUBELET_START);
    expect(found).toMatchObject({ kind: 'skip', state: 'onHold', changes: [] });
  });

  it.each(TYPES)('sets %s to failure and skips while the container waits', (probeType) => {
    const worker = buildWorker(probeType, { worker: SEEN });
    const found = beforeProbe(worker, appStatus(waiting()), NOW, KUBELET_START);
    expect(found).toMatchObject({ kind: 'skip', state: 'notRunning', changes: [set('failure')] });
  });

  const never = { restartPolicy: 'Never' } as const;
  const rules = (...codes: number[]): Partial<Container> => ({
    ...never,
    restartPolicyRules: [onExit('Restart', ...codes)],
  });
  it.each<[string, Partial<Container>, PodOverrides, number, 'skip' | 'stop']>([
    ['pod Always', {}, {}, 0, 'skip'],
    ['pod OnFailure, failed', {}, { spec: { restartPolicy: 'OnFailure' } }, 1, 'skip'],
    ['pod OnFailure, succeeded', {}, { spec: { restartPolicy: 'OnFailure' } }, 0, 'stop'],
    ['pod Never, failed', {}, { spec: never }, 1, 'stop'],
    ['container OnFailure, failed', { restartPolicy: 'OnFailure' }, {}, 1, 'skip'],
    ['container OnFailure, succeeded', { restartPolicy: 'OnFailure' }, {}, 0, 'stop'],
    [
      'container Always, failed, pod Never',
      { restartPolicy: 'Always' },
      { spec: never },
      1,
      'skip',
    ],
    ['container Always, succeeded', { restartPolicy: 'Always' }, {}, 0, 'skip'],
    ['container Never, failed', never, {}, 1, 'stop'],
    ['container Never, succeeded', never, {}, 0, 'stop'],
    ['container Never with a rule for the code', rules(1), {}, 1, 'skip'],
    ['container Never with a rule for another code', rules(99), {}, 1, 'stop'],
  ])('sets failure when the container has exited, %s', (_, container, pod, exitCode, kind) => {
    for (const probeType of TYPES) {
      const worker = buildWorker(probeType, { container, pod, worker: SEEN });
      const found = beforeProbe(worker, appStatus(terminated(exitCode)), NOW, KUBELET_START);
      expect(found).toMatchObject({ kind, changes: [set('failure')] });
    }
  });

  it('skips after an exit when RestartAllContainers will restart the container', () => {
    const trigger = buildContainer({
      name: 'trigger',
      restartPolicy: 'Never',
      restartPolicyRules: [onExit('RestartAllContainers', 1)],
    });
    const container = buildContainer({ restartPolicy: 'Never' });
    const worker = buildWorker('readiness', {
      container,
      pod: { spec: { containers: [container, trigger] } },
      worker: SEEN,
    });
    const status: PodStatus = {
      containerStatuses: [
        buildContainerStatus({ state: terminated(0) }),
        buildContainerStatus({ name: 'trigger', state: terminated(1) }),
      ],
    };
    expect(beforeProbe(worker, status, NOW, KUBELET_START).kind).toBe('skip');
  });

  it('skips after the exit of a sidecar, with any pod restart policy', () => {
    const sidecar = buildSidecar();
    const pod = buildPod({ spec: { restartPolicy: 'Never', initContainers: [sidecar] } });
    const worker = newWorker('startup', pod, sidecar, buildProbe());
    const status: PodStatus = {
      initContainerStatuses: [buildContainerStatus({ name: 'sidecar', state: terminated(0) })],
    };
    const found = beforeProbe(worker, status, NOW, KUBELET_START);
    expect(found.kind).toBe('skip');
    expect(found.changes.at(-1)).toMatchObject({ kind: 'set', result: 'failure' });
  });

  it.each<[ProbeType, 'stop' | 'probe', readonly ResultChange[]]>([
    ['liveness', 'stop', [set('success')]],
    ['startup', 'stop', [set('success')]],
    ['readiness', 'probe', []],
  ])('when the pod is being deleted, %s: %s', (probeType, kind, changes) => {
    const pod = { metadata: { deletionTimestamp: 1 } };
    const worker = buildWorker(probeType, { pod, worker: SEEN });
    const status = appStatus(RUNNING, probeType !== 'startup');
    expect(beforeProbe(worker, status, NOW, KUBELET_START)).toMatchObject({ kind, changes });
  });

  it.each<[number, number, 'skip' | 'probe']>([
    [10, 9_999, 'skip'],
    [10, 10_000, 'probe'],
    [0, 0, 'probe'],
    [-100, 0, 'probe'],
  ])(
    'with an initial delay of %d s at a container age of %d ms: %s',
    (initialDelaySeconds, age, kind) => {
      const worker = buildWorker('readiness', { spec: { initialDelaySeconds }, worker: SEEN });
      const found = beforeProbe(worker, appStatus(RUNNING, true), age, KUBELET_START);
      expect(found.kind).toBe(kind);
      if (kind === 'skip') expect(found.state).toBe('initialDelay');
    },
  );

  it.each<[ProbeType, boolean, 'skip' | 'probe', string]>([
    ['startup', false, 'probe', 'probing'],
    ['startup', true, 'skip', 'started'],
    ['readiness', false, 'skip', 'awaitingStartup'],
    ['readiness', true, 'probe', 'probing'],
    ['liveness', false, 'skip', 'awaitingStartup'],
    ['liveness', true, 'probe', 'probing'],
  ])('%s with container started %s: %s', (probeType, started, kind, state) => {
    const worker = buildWorker(probeType, { worker: SEEN });
    const found = beforeProbe(worker, appStatus(RUNNING, started), NOW, KUBELET_START);
    expect(found).toMatchObject({ kind, state, changes: [] });
  });

  describe('with a container that started before the kubelet', () => {
    const startedAt = (at: number): ContainerState => ({ running: { startedAt: at } });
    const start = 600_000;

    it.each(TYPES)('by more than 10 s, sets no initial result of %s', (probeType) => {
      const worker = buildWorker(probeType, { spec: { initialDelaySeconds: 1000 } });
      const found = beforeProbe(worker, appStatus(startedAt(start - 10_001)), start, start);
      expect(found.changes).toEqual([]);
    });

    it.each(TYPES)('by 10 s, sets the initial result of %s', (probeType) => {
      const worker = buildWorker(probeType, { spec: { initialDelaySeconds: 1000 } });
      const found = beforeProbe(worker, appStatus(startedAt(start - 10_000)), start, start);
      expect(found.changes).toEqual([set(INITIAL[probeType])]);
    });

    it.each<[ProbeType, boolean, readonly ResultChange[]]>([
      ['startup', true, [{ kind: 'set', containerID: 'test://sidecar-1', result: 'success' }]],
      ['startup', false, []],
      ['readiness', true, []],
      ['liveness', true, []],
    ])('sets the %s result of a sidecar, started: %s', (probeType, started, changes) => {
      const sidecar = buildSidecar();
      const pod = buildPod({ spec: { initContainers: [sidecar] } });
      const worker = newWorker(probeType, pod, sidecar, buildProbe());
      const status: PodStatus = {
        initContainerStatuses: [
          buildContainerStatus({ name: 'sidecar', state: startedAt(0), started }),
        ],
      };
      expect(beforeProbe(worker, status, start, start).changes).toEqual(changes);
    });
  });
});

/** The result set after each attempt, `-` for none. */
function follow(worker: Worker, results: readonly Result[]): { set: string[]; worker: Worker } {
  let current = worker;
  const settings = results.map((result) => {
    const after = afterProbe(current, result);
    current = after.worker;
    return after.set ?? '-';
  });
  return { set: settings, worker: current };
}

describe('afterProbe', () => {
  const results = (text: string): Result[] =>
    Array.from(text, (letter) => (letter === 's' ? 'success' : 'failure'));

  it.each<[string, Partial<Probe>, string, string]>([
    ['failures count from 1 after a success', { failureThreshold: 3 }, 'sffsfff', 's--s--f'],
    ['failures beyond the threshold are set again', { failureThreshold: 2 }, 'ffff', '-fff'],
    [
      'successes count up to the success threshold',
      { successThreshold: 3, failureThreshold: 1 },
      'fssfsss',
      'f--f--s',
    ],
    ['the first attempt starts a new run', { successThreshold: 2 }, 'ss', '-s'],
  ])('readiness: %s', (_, spec, given, expected) => {
    const { set: settings } = follow(buildWorker('readiness', { spec }), results(given));
    expect(settings.map((each) => each[0]).join('')).toBe(expected);
  });

  it.each<[ProbeType, string, boolean]>([
    ['liveness', 'f', true],
    ['liveness', 's', false],
    ['startup', 'f', true],
    ['startup', 's', true],
    ['readiness', 'f', false],
    ['readiness', 's', false],
  ])('%s after %s at its threshold is on hold: %s', (probeType, result, onHold) => {
    const spec = { failureThreshold: 1 };
    const { worker } = follow(buildWorker(probeType, { spec }), results(result));
    expect(worker.onHold).toBe(onHold);
    expect(worker.resultRun).toBe(onHold ? 0 : 1);
  });

  it('keeps the last result when the worker goes on hold, so that the same result counts from 1', () => {
    const worker = buildWorker('liveness', { spec: { failureThreshold: 2 } });
    const held = follow(worker, results('ff')).worker;
    expect(held).toMatchObject({ onHold: true, lastResult: 'failure', resultRun: 0 });
    expect(follow(held, results('f')).worker.resultRun).toBe(1);
  });
});
