import { describe, expect, it } from 'vitest';

import type { Pod, PodStatus } from '../../../src/api/index.js';
import { sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { StatusManager } from '../../../src/kubelet/status/status-manager.js';
import { StatusSync } from '../../../src/kubelet/status/status-sync.js';
import { mergePodStatus } from '../../../src/kubelet/status/status-sync.js';
import { buildPod, condition } from '../../helpers/builders.js';

/** A sync whose API server is a list of what came to it; its pods are `pods`. */
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
  const manager: StatusManager = new StatusManager({
    clock,
    getPodByUID: (uid) => known.get(uid),
    onChange: () => sync.notify(),
  });
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

describe('a change', () => {
  it('is handed on at once, and once', async () => {
    const { clock, sent, manager } = createRig(pod);
    manager.setPodStatus(pod, running('a'));
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Running a']);
  });

  it('that comes while another is on its way follows it, the latest only', async () => {
    const { clock, sent, manager, server } = createRig(pod);
    server.takes = 1_000;
    for (const message of ['a', 'b', 'c']) {
      manager.setPodStatus(pod, running(message));
      await clock.advance(100);
    }
    await clock.advance(5_000);
    expect(sent).toEqual(['0 web Running a', '1000 web Running c']);
  });

  it('of one pod takes along what failed of another', async () => {
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

  it('that failed goes again with the batch every 10 s', async () => {
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

  it('that was handed on already is not again, though its version is new', async () => {
    const deleted = buildPod({ metadata: { deletionTimestamp: 1 } });
    const { clock, sent, manager } = createRig(deleted);
    manager.setPodStatus(deleted, running('a'));
    await clock.advance(1_000);
    manager.setPodStatus(deleted, running('a'));
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Running a']);
  });

  it("keeps others' conditions, as the pod's source shows them now", async () => {
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

describe('an end', () => {
  const failed = (message: string): PodStatus => ({ phase: 'Failed', message });

  it('is held back while containers may run', async () => {
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

  it('does not go back, though the source shows it late', async () => {
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

  it('of a pod that is deleted goes before the pod is forgotten', async () => {
    const { clock, known, sent, manager } = createRig(deleted);
    manager.setPodStatus(deleted, failed('a'));
    await clock.advance(1_000);
    expect(sent).toEqual(['0 web Failed a']);
    manager.terminatePod(deleted);
    await clock.advance(1_000);
    expect(sent.slice(1)).toEqual(['1000 delete web']);
    expect([known.size, manager.getPodStatus('uid-1')]).toEqual([0, undefined]);
  });

  it('of a pod that could not be deleted tries that again every 10 s', async () => {
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

  it('of a pod that nobody deletes deletes nothing', async () => {
    const { clock, sent, manager } = createRig(pod);
    manager.terminatePod(pod);
    await clock.advance(60_000);
    expect(sent).toEqual(['0 web Failed']);
  });
});

describe('a flush', () => {
  it('resolves when all is handed on, each once', async () => {
    const { clock, sent, manager, sync, server } = createRig(pod);
    server.takes = 1_000;
    manager.setPodStatus(pod, running('a'));
    await clock.advance(500);
    let flushed = -1;
    void sync.flush().then(() => (flushed = clock.now()));
    await clock.advance(5_000);
    expect([flushed, sent]).toEqual([1_000, ['0 web Running a']]);
  });

  it('resolves also when that failed', async () => {
    const { sent, manager, sync, server } = createRig(pod);
    server.fails = true;
    manager.setPodStatus(pod, running('a'));
    await sync.flush();
    expect(sent).toEqual(['0 web Running a refused']);
  });
});

it('when stopped, it sends changes, but does not retry', async () => {
  const { clock, sent, manager, sync, server } = createRig(pod);
  sync.stop();
  server.fails = true;
  manager.setPodStatus(pod, running('a'));
  await clock.advance(60_000);
  expect(sent).toEqual(['0 web Running a refused']);
});

it('sends the status of a pod again that is added again with its uid', async () => {
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

it('no change is none', () => {
  expect(merge(BASE, BASE)).toEqual(BASE);
});

it("the kubelet's conditions are replaced", () => {
  const conditions = [condition('Ready', 'False'), condition('PodScheduled', 'True')];
  expect(merge(BASE, { ...BASE, conditions })).toEqual({ ...BASE, conditions });
});

it.each<[string, PodStatus['conditions']]>([
  ['the kubelet does not send', BASE.conditions],
  ['the kubelet would change', [...BASE.conditions!, condition('example.com/feature', 'False')]],
])("others' conditions stay, which %s", (_, conditions) => {
  const old = { ...BASE, conditions: [feature, ...BASE.conditions!] };
  expect(merge(old, { ...BASE, conditions: conditions! }).conditions).toEqual([
    feature,
    ...BASE.conditions!,
  ]);
});

describe('a phase that becomes terminal', () => {
  const old: PodStatus = { ...BASE, reason: 'Unknown' };
  const failed: PodStatus = { ...BASE, phase: 'Failed', reason: 'Gone', message: 'It is gone' };

  it('is held back while containers may run, with its reason and message', () => {
    expect(merge(old, failed, true)).toEqual(old);
  });

  it('held back leaves none where none were', () => {
    const { reason, message, phase, ...rest } = old;
    expect([reason, message, phase]).toHaveLength(3);
    expect(merge(rest, failed, true)).toEqual(rest);
  });

  it('once nothing runs makes the pod unready', () => {
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

  it('keeps the time of a condition that was False already', () => {
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

  it('leaves conditions alone that are all False', () => {
    const conditions = [condition('Ready', 'False', { reason: 'ContainersNotReady' })];
    expect(merge(old, { phase: 'Failed', conditions }).conditions).toEqual(conditions);
  });

  it('is not held back when the API server shows a terminal one', () => {
    const ended: PodStatus = { ...old, phase: 'Succeeded' };
    expect(merge(ended, failed, true).phase).toBe('Failed');
  });
});
