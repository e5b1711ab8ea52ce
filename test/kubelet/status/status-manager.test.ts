import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import {
  isPodStatusByKubeletEqual,
  replaceOrAppendPodCondition,
  StatusManager,
} from '../../../src/kubelet/status/status-manager.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  buildStaticPod,
  condition,
  RUNNING,
  terminated,
} from '../../helpers/builders.js';

/** A status manager at 1 s past the epoch that knows the given pods. */
function createRig(...pods: readonly Pod[]) {
  const clock = new VirtualClock(1, 1_000);
  const changes: PodStatus[] = [];
  const manager = new StatusManager(
    clock,
    (uid) => pods.find(({ metadata }) => metadata.uid === uid),
    (_, status) => changes.push(status),
  );
  const version = (uid = 'uid-1'): number | undefined => manager.versions().get(uid)?.version;
  return { clock, manager, changes, version };
}

const ID = 'test://app-1';
const status: PodStatus = {
  phase: 'Running',
  conditions: [condition('Ready', 'False'), condition('PodScheduled', 'True')],
  containerStatuses: [buildContainerStatus({ started: false })],
};

describe('setPodStatus', () => {
  it('stores the first version with start and transition times', () => {
    const { manager, changes, version } = createRig();
    expect(manager.getPodStatus('uid-1')).toBeUndefined();
    manager.setPodStatus(buildPod(), status);
    expect(version()).toBe(1);
    expect(changes).toEqual([manager.getPodStatus('uid-1')]);
    expect(changes[0]).toMatchObject({
      startTime: 1_000,
      conditions: [{ lastTransitionTime: 1_000 }, { lastTransitionTime: 1_000 }],
    });
  });

  it('creates no new version for an equal status', () => {
    const { manager, changes, version } = createRig();
    manager.setPodStatus(buildPod(), status);
    manager.setPodStatus(buildPod(), { ...status });
    expect([version(), changes.length]).toEqual([1, 1]);
  });

  it('creates a new version for an equal status while the pod is being deleted, so that its end is sent', () => {
    const { manager, version } = createRig();
    const pod = buildPod({ metadata: { deletionTimestamp: 1 } });
    manager.setPodStatus(pod, status);
    manager.setPodStatus(pod, status);
    expect(version()).toBe(2);
  });

  it('creates a new version for a change and keeps the times of what is unchanged', async () => {
    const { clock, manager, version } = createRig();
    manager.setPodStatus(buildPod(), status);
    await clock.advance(60_000);
    const conditions = [condition('Ready', 'True'), condition('PodScheduled', 'True')];
    manager.setPodStatus(buildPod(), { ...status, conditions });
    expect(version()).toBe(2);
    expect(manager.getPodStatus('uid-1')).toMatchObject({
      startTime: 1_000,
      conditions: [{ lastTransitionTime: 61_000 }, { lastTransitionTime: 1_000 }],
    });
  });

  it("starts from the API server's status when there is no other", () => {
    const { manager } = createRig();
    const shown = [condition('Ready', 'False', { lastTransitionTime: 0 })];
    manager.setPodStatus(buildPod({ status: { startTime: 0, conditions: shown } }), status);
    expect(manager.getPodStatus('uid-1')).toMatchObject({
      startTime: 0,
      conditions: [{ lastTransitionTime: 0 }, { lastTransitionTime: 1_000 }],
    });
  });

  it('records the observed generation, which never decreases', () => {
    const { manager } = createRig();
    const observed = (generation?: number): number | undefined => {
      const pod = buildPod(generation === undefined ? {} : { metadata: { generation } });
      manager.setPodStatus(pod, { ...status, message: String(generation) });
      return manager.getPodStatus('uid-1')?.observedGeneration;
    };
    expect([observed(), observed(3), observed(2), observed()]).toEqual([undefined, 3, 3, 3]);
  });

  it('drops a status in which a container runs again that had exited for good', () => {
    const { manager, version } = createRig();
    const pod = buildPod({ spec: { restartPolicy: 'Never' } });
    manager.setPodStatus(pod, {
      containerStatuses: [buildContainerStatus({ state: terminated(0) })],
    });
    manager.setPodStatus(pod, { containerStatuses: [buildContainerStatus({ state: RUNNING })] });
    expect(version()).toBe(1);
    expect(manager.getPodStatus('uid-1')?.containerStatuses?.[0]?.state).toEqual(terminated(0));
  });
});

describe('setContainerReadiness and setContainerStartup', () => {
  it("update the container's readiness and the conditions", async () => {
    const pod = buildPod();
    const { clock, manager, version } = createRig(pod);
    manager.setPodStatus(pod, status);
    await clock.advance(5_000);
    manager.setContainerReadiness('uid-1', ID, true);
    expect(version()).toBe(2);
    const found = manager.getPodStatus('uid-1');
    expect(found?.containerStatuses).toMatchObject([{ ready: true, started: false }]);
    expect(found?.conditions).toEqual([
      condition('Ready', 'True', { lastTransitionTime: 6_000 }),
      condition('PodScheduled', 'True', { lastTransitionTime: 1_000 }),
      condition('ContainersReady', 'True', { lastTransitionTime: 6_000 }),
    ]);
    manager.setContainerReadiness('uid-1', ID, false);
    expect(manager.getPodStatus('uid-1')?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
    });
  });

  it('update started without changing conditions', () => {
    const pod = buildPod();
    const { manager } = createRig(pod);
    manager.setPodStatus(pod, status);
    const before = manager.getPodStatus('uid-1')?.conditions;
    manager.setContainerStartup('uid-1', ID, true);
    expect(manager.getPodStatus('uid-1')?.containerStatuses?.[0]?.started).toBe(true);
    expect(manager.getPodStatus('uid-1')?.conditions).toEqual(before);
  });

  it('update init containers too', () => {
    const pod = buildPod({ spec: { initContainers: [buildContainer({ name: 'init' })] } });
    const { manager } = createRig(pod);
    const init = buildContainerStatus({ name: 'init', started: false });
    manager.setPodStatus(pod, { ...status, initContainerStatuses: [init] });
    manager.setContainerReadiness('uid-1', 'test://init-1', true);
    manager.setContainerStartup('uid-1', 'test://init-1', true);
    const found = manager.getPodStatus('uid-1');
    expect(found?.initContainerStatuses).toMatchObject([{ ready: true, started: true }]);
    expect(found?.containerStatuses).toMatchObject([{ ready: false, started: false }]);
  });

  it.each<[string, (manager: StatusManager) => void]>([
    ['the same readiness', (manager) => manager.setContainerReadiness('uid-1', ID, false)],
    ['the same startup', (manager) => manager.setContainerStartup('uid-1', ID, false)],
    ['an unknown container', (manager) => manager.setContainerReadiness('uid-1', 'test://b', true)],
    ['an unknown pod', (manager) => manager.setContainerReadiness('uid-2', ID, true)],
  ])('change nothing for %s', (_, change) => {
    const pod = buildPod();
    const { manager, version } = createRig(pod);
    manager.setPodStatus(pod, status);
    change(manager);
    expect(version()).toBe(1);
  });

  it('change nothing for a pod without a status and for a removed pod', () => {
    const known = createRig(buildPod());
    known.manager.setContainerReadiness('uid-1', ID, true);
    expect(known.version()).toBeUndefined();
    const unwanted = createRig();
    unwanted.manager.setPodStatus(buildPod(), status);
    unwanted.manager.setContainerReadiness('uid-1', ID, true);
    expect(unwanted.version()).toBe(1);
  });
});

describe('terminatePod', () => {
  it('creates a final version even if the status is unchanged', () => {
    const { manager, version } = createRig();
    const ended = buildContainerStatus({ state: terminated(0) });
    manager.setPodStatus(buildPod(), { phase: 'Succeeded', containerStatuses: [ended] });
    manager.terminatePod(buildPod());
    expect(version()).toBe(2);
    expect(manager.versions().get('uid-1')).toMatchObject({
      podIsFinished: true,
      status: { phase: 'Succeeded', containerStatuses: [{ state: terminated(0) }] },
    });
  });

  it("starts from the API server's status when there is no other", () => {
    const { manager } = createRig();
    manager.terminatePod(buildPod({ status: { ...status, phase: 'Running' } }));
    expect(manager.getPodStatus('uid-1')).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { reason: 'ContainerStatusUnknown' } } }],
    });
  });

  it.each<[string, Pod, boolean]>([
    ['keeps the pod finished', buildPod(), true],
    ['lets a static pod get further statuses', buildStaticPod(), false],
  ])('%s', (_, pod, finished) => {
    const { manager } = createRig();
    manager.setPodStatus(pod, status);
    manager.terminatePod(pod);
    manager.setPodStatus(pod, { ...status, message: 'again' });
    expect(manager.versions().get('uid-1')?.podIsFinished).toBe(finished);
  });
});

describe('a status is removed', () => {
  it('when its pod is orphaned', () => {
    const { manager } = createRig();
    manager.setPodStatus(buildPod(), status);
    manager.setPodStatus(buildPod({ metadata: { uid: 'uid-2' } }), status);
    manager.removeOrphanedStatuses(new Set(['uid-2']));
    expect([...manager.versions().keys()]).toEqual(['uid-2']);
  });

  it('when its pod is deleted', () => {
    const { manager } = createRig();
    manager.setPodStatus(buildPod(), status);
    manager.deletePodStatus('uid-1');
    expect(manager.getPodStatus('uid-1')).toBeUndefined();
  });
});

describe('isPodStatusByKubeletEqual is', () => {
  const ready = (overrides: object): PodStatus => ({
    conditions: [condition('Ready', 'True', overrides)],
  });
  it.each<[string, PodStatus, PodStatus, boolean]>([
    ['true for the same content', status, { ...status }, true],
    ['true when only transition times differ', ready({ lastTransitionTime: 1 }), ready({}), true],
    ['false for another reason', ready({ reason: 'A' }), ready({ reason: 'B' }), false],
    ['false for another message', ready({ message: 'a' }), ready({ message: 'b' }), false],
    [
      'false for another condition status',
      ready({}),
      { conditions: [condition('Ready', 'False')] },
      false,
    ],
    ['false when a condition is missing', ready({}), { conditions: [] }, false],
    [
      'false for another condition type',
      ready({}),
      { conditions: [condition('Initialized', 'True')] },
      false,
    ],
    [
      'true when only conditions of others differ',
      { conditions: [condition('example.com/a', 'True')] },
      { conditions: [condition('example.com/a', 'False')] },
      true,
    ],
    ['true for an empty and an absent list', {}, { containerStatuses: [] }, true],
    ['false for another phase', { phase: 'Pending' }, { phase: 'Running' }, false],
    [
      'false for another container status',
      { containerStatuses: [buildContainerStatus()] },
      { containerStatuses: [buildContainerStatus({ restartCount: 1 })] },
      false,
    ],
  ])('%s', (_, one, other, expected) => {
    expect(isPodStatusByKubeletEqual(one, other)).toBe(expected);
    expect(isPodStatusByKubeletEqual(other, one)).toBe(expected);
  });
});

it('replaceOrAppendPodCondition replaces a condition of the same type or appends it', () => {
  const [ready, other] = [condition('Ready', 'True'), condition('Initialized', 'True')];
  const old = [condition('Ready', 'False'), other];
  expect(replaceOrAppendPodCondition(old, ready)).toEqual([ready, other]);
  expect(replaceOrAppendPodCondition([other], ready)).toEqual([other, ready]);
});
