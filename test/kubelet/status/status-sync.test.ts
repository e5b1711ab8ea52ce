import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../../src/api/index.js';
import { sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { StatusManager } from '../../../src/kubelet/status/status-manager.js';
import { StatusSync } from '../../../src/kubelet/status/status-sync.js';
import { mergePodStatus } from '../../../src/kubelet/status/status-sync.js';
import { buildPod, condition } from '../../helpers/builders.js';

/** A status sync with a fake API server that records requests in `sent`; its pods are `pods`. */
function createRig(...pods: readonly Pod[]) {
  const clock = new VirtualClock(1, 0);
  const known = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
  const sent: string[] = [];
  const server = { fails: false, takes: 0, couldRun: false };
  const answer = async (text: string): Promise<void> => {
    if (server.takes > 0) await sleep(clock, server.takes);
    sent.push(server.fails ? `${text} refused` : text);
    if (server.fails) throw new Error('refused');
  };
  const manager: StatusManager = new StatusManager(
    clock,
    (uid) => known.get(uid),
    () => sync.notify(),
  );
  const sync: StatusSync = new StatusSync({
    clock,
    manager,
    sink: {
      patchPodStatus: (pod, status) =>
        answer(
          `${clock.now()} ${pod.metadata.name} ${status.phase} ${status.message ?? ''}`.trim(),
        ),
      deletePod: (pod) => answer(`${clock.now()} delete ${pod.metadata.name}`),
    },
    getPodByUID: (uid) => known.get(uid),
    podCouldHaveRunningContainers: () => server.couldRun,
    onPatched: (pod, status) => known.set(pod.metadata.uid, { ...pod, status }),
    onDeleted: (pod) => known.delete(pod.metadata.uid),
  });
  sync.start();
  return { clock, known, sent, server, manager, sync };
}

const running = (message: string): PodStatus => ({ phase: 'Running', message });
const pod = buildPod();

describe('a status change', () => {
  it('is sent at once and only once', async () => {
    const { clock, sent, manager } = createRig(pod);
    manager.setPodStatus(pod, running('a'));
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Running a']);
  });

  it('is sent after the current request, and only the latest version', async () => {
    const { clock, sent, manager, server } = createRig(pod);
    server.takes = 1_000;
    for (const message of ['a', 'b', 'c']) {
      manager.setPodStatus(pod, running(message));
      await clock.advance(100);
    }
    await clock.advance(5_000);
    expect(sent).toEqual(['0 web Running a', '1000 web Running c']);
  });

  it('of one pod also sends the failed status of another', async () => {
    const other = buildPod({ metadata: { name: 'other', uid: 'uid-2' } });
    const { clock, sent, manager, server } = createRig(pod, other);
    server.fails = true;
    manager.setPodStatus(pod, running('a'));
    await clock.advance(1_000);
    server.fails = false;
    manager.setPodStatus(other, running('b'));
    await clock.advance(1_000);
    expect(sent).toEqual(['0 web Running a refused', '1000 web Running a', '1000 other Running b']);
  });

  it('is retried every 10 s when it failed', async () => {
    const { clock, sent, manager, server } = createRig(pod);
    server.fails = true;
    await clock.advance(1_000);
    manager.setPodStatus(pod, running('a'));
    await clock.advance(18_000);
    server.fails = false;
    await clock.advance(31_000);
    expect(sent).toEqual([
      '1000 web Running a refused',
      '10000 web Running a refused',
      '20000 web Running a',
    ]);
  });

  it('is not sent again when only its version is new', async () => {
    const deleted = buildPod({ metadata: { deletionTimestamp: 1 } });
    const { clock, sent, manager } = createRig(deleted);
    manager.setPodStatus(deleted, running('a'));
    await clock.advance(1_000);
    manager.setPodStatus(deleted, running('a'));
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Running a']);
  });

  it('keeps the conditions of others as the pod has them now', async () => {
    const { clock, known, manager, sync } = createRig(pod);
    const gate = condition('example.com/gate', 'True');
    manager.setPodStatus(pod, running('a'));
    await clock.advance(0);
    known.set('uid-1', { ...pod, status: { conditions: [gate] } });
    manager.setPodStatus(pod, running('b'));
    await sync.flush();
    expect(known.get('uid-1')?.status.conditions).toEqual([gate]);
  });
});

describe('a terminal status', () => {
  const failed = (message: string): PodStatus => ({ phase: 'Failed', message });

  it('is not sent while containers may be running', async () => {
    const { clock, sent, manager, server } = createRig(pod);
    server.couldRun = true;
    manager.setPodStatus(pod, running('a'));
    await clock.advance(1_000);
    manager.setPodStatus(pod, failed('b'));
    await clock.advance(1_000);
    server.couldRun = false;
    manager.terminatePod(pod);
    await clock.advance(1_000);
    expect(sent).toEqual(['0 web Running a', '2000 web Failed b']);
  });

  it('stays terminal even if the pod is updated with an older status', async () => {
    const { clock, known, sent, manager, server } = createRig(pod);
    manager.setPodStatus(pod, failed('a'));
    await clock.advance(1_000);
    known.set('uid-1', pod);
    server.couldRun = true;
    manager.setPodStatus(pod, failed('b'));
    await clock.advance(1_000);
    expect(sent).toEqual(['0 web Failed a', '1000 web Failed b']);
  });

  const deleted = buildPod({ metadata: { deletionTimestamp: 1 } });

  it('of a pod marked for deletion is sent before the pod is deleted', async () => {
    const { clock, known, sent, manager } = createRig(deleted);
    manager.setPodStatus(deleted, failed('a'));
    await clock.advance(1_000);
    expect(sent).toEqual(['0 web Failed a']);
    manager.terminatePod(deleted);
    await clock.advance(1_000);
    expect(sent.slice(1)).toEqual(['1000 delete web']);
    expect([known.size, manager.getPodStatus('uid-1')]).toEqual([0, undefined]);
  });

  it('retries the deletion of the pod every 10 s when it failed', async () => {
    const { clock, sent, manager, server } = createRig(deleted);
    manager.setPodStatus(deleted, failed('a'));
    await clock.advance(1_000);
    server.fails = true;
    manager.terminatePod(deleted);
    await clock.advance(10_000);
    server.fails = false;
    await clock.advance(30_000);
    expect(sent).toEqual([
      '0 web Failed a',
      '1000 delete web refused',
      '10000 delete web refused',
      '20000 delete web',
    ]);
  });

  it('does not delete a pod that is not marked for deletion', async () => {
    const { clock, sent, manager } = createRig(pod);
    manager.terminatePod(pod);
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Failed']);
  });
});

describe('flush', () => {
  it('resolves when everything was sent, once', async () => {
    const { clock, sent, manager, sync, server } = createRig(pod);
    server.takes = 1_000;
    manager.setPodStatus(pod, running('a'));
    await clock.advance(500);
    let flushed = -1;
    void sync.flush().then(() => (flushed = clock.now()));
    await clock.advance(5_000);
    expect([flushed, sent]).toEqual([1_000, ['0 web Running a']]);
  });

  it('resolves also when sending failed', async () => {
    const { sent, manager, sync, server } = createRig(pod);
    server.fails = true;
    manager.setPodStatus(pod, running('a'));
    await sync.flush();
    expect(sent).toEqual(['0 web Running a refused']);
  });
});

it('a stopped sync sends changes but does not retry', async () => {
  const { clock, sent, manager, sync, server } = createRig(pod);
  sync.stop();
  server.fails = true;
  manager.setPodStatus(pod, running('a'));
  await clock.advance(60_000);
  expect(sent).toEqual(['0 web Running a refused']);
});

it('a status is sent again when its pod was deleted and added again with the same UID', async () => {
  const { clock, sent, manager } = createRig(pod);
  manager.setPodStatus(pod, running('a'));
  await clock.advance(5_000);
  manager.deletePodStatus('uid-1');
  await clock.advance(10_000);
  manager.setPodStatus(pod, running('a'));
  await clock.advance(1_000);
  expect(sent).toEqual(['0 web Running a', '15000 web Running a']);
});

const NOW = 5_000;
const BASE: PodStatus = {
  phase: 'Running',
  conditions: [condition('Ready', 'True'), condition('PodScheduled', 'True')],
  message: 'Message',
};
const feature = condition('example.com/feature', 'True');

function merge(old: PodStatus, next: PodStatus, couldRun = false, generation?: number): PodStatus {
  const pod = buildPod(generation === undefined ? {} : { metadata: { generation } });
  return mergePodStatus(pod, old, next, couldRun, NOW);
}

it('mergePodStatus changes nothing when nothing changed', () => {
  expect(merge(BASE, BASE)).toEqual(BASE);
});

it("mergePodStatus replaces the kubelet's conditions", () => {
  const conditions = [condition('Ready', 'False'), condition('PodScheduled', 'True')];
  expect(merge(BASE, { ...BASE, conditions })).toEqual({ ...BASE, conditions });
});

it.each<[string, PodStatus['conditions']]>([
  ['the kubelet does not send', BASE.conditions],
  ['the kubelet would change', [...BASE.conditions!, condition('example.com/feature', 'False')]],
])('mergePodStatus keeps conditions of others, which %s', (_, conditions) => {
  const old = { ...BASE, conditions: [feature, ...BASE.conditions!] };
  expect(merge(old, { ...BASE, conditions: conditions! }).conditions).toEqual([
    feature,
    ...BASE.conditions!,
  ]);
});

describe('mergePodStatus, when the phase becomes terminal,', () => {
  const old: PodStatus = { ...BASE, reason: 'Unknown' };
  const failed: PodStatus = { ...BASE, phase: 'Failed', reason: 'Gone', message: 'It is gone' };

  it('keeps the old phase, reason and message while containers may be running', () => {
    expect(merge(old, failed, true)).toEqual(old);
  });

  it('adds no reason and message to an old status without them', () => {
    const { reason, message, phase, ...rest } = old;
    expect([reason, message, phase]).toHaveLength(3);
    expect(merge(rest, failed, true)).toEqual(rest);
  });

  it('sets Ready and ContainersReady to False when nothing runs', () => {
    expect(merge(old, failed, false, 2)).toEqual({
      ...failed,
      conditions: [
        condition('Ready', 'False', {
          reason: 'PodFailed',
          observedGeneration: 2,
          lastTransitionTime: NOW,
        }),
        condition('PodScheduled', 'True'),
        condition('ContainersReady', 'False', {
          reason: 'PodFailed',
          observedGeneration: 2,
          lastTransitionTime: NOW,
        }),
      ],
    });
  });

  it('keeps the transition time of a condition that was already False', () => {
    const conditions = [
      condition('Ready', 'False', { lastTransitionTime: 1_000 }),
      condition('ContainersReady', 'True', { lastTransitionTime: 2_000 }),
    ];
    const merged = merge(old, { phase: 'Succeeded', conditions });
    expect(merged.conditions).toEqual([
      condition('Ready', 'False', { reason: 'PodCompleted', lastTransitionTime: 1_000 }),
      condition('ContainersReady', 'False', { reason: 'PodCompleted', lastTransitionTime: NOW }),
    ]);
  });

  it('leaves conditions alone when all are False', () => {
    const conditions = [condition('Ready', 'False', { reason: 'ContainersNotReady' })];
    expect(merge(old, { phase: 'Failed', conditions }).conditions).toEqual(conditions);
  });

  it('takes the new phase when the old one is terminal too', () => {
    const ended: PodStatus = { ...old, phase: 'Succeeded' };
    expect(merge(ended, failed, true).phase).toBe('Failed');
  });
});
