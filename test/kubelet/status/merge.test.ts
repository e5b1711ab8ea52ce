import { describe, expect, it } from 'vitest';

import type { PodStatus } from '../../../src/api/index.js';
import { mergePodStatus } from '../../../src/kubelet/status/merge.js';
import { buildPod, condition } from '../../helpers/builders.js';

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
