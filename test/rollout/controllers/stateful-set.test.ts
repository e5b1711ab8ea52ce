import { describe, expect, it } from 'vitest';

import { behaviorOf } from '../../../src/kubelet/release.js';
import type { StatefulSetSpec } from '../../../src/rollout/controllers/objects.js';
import { buildContainer } from '../../helpers/builders.js';
import { buildDeployment, type RolloutRig, rolloutRig } from '../../helpers/rollout-rig.js';

function apply(rig: RolloutRig, image: string, more: Partial<StatefulSetSpec> = {}): void {
  const { spec, metadata } = buildDeployment({ replicas: 3 }, buildContainer({ image }));
  const { replicas, minReadySeconds, selector, template } = spec;
  rig.plane.apply({
    kind: 'StatefulSet',
    metadata,
    spec: {
      replicas,
      minReadySeconds,
      selector,
      template,
      serviceName: 'web',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...more,
    },
  });
}

/** Pods by name, each with its image; `-` terminates. */
const pods = ({ plane }: RolloutRig): string[] =>
  plane
    .snapshot()
    .pods.map(({ metadata: { name, deletionTimestamp }, spec }) => {
      const image = spec.containers[0]!.image.slice(-1);
      return `${name}:${image}${deletionTimestamp === undefined ? '' : '-'}`;
    })
    .sort();

describe('a StatefulSet', () => {
  it('starts pods one after another, each when the one before is ready', async () => {
    const rig = rolloutRig({ 'app:1': { readyAfter: 10 } });
    apply(rig, 'app:1');
    await rig.advance(5);
    expect(pods(rig)).toEqual(['web-0:1']);
    await rig.advance(10);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1']);
    await rig.advance(10);
    expect(pods(rig)).toHaveLength(3);
  });

  it('starts all pods at once with Parallel, and updates one at a time', async () => {
    const rig = rolloutRig({ 'app:2': { readyAfter: 10 } });
    apply(rig, 'app:1', { podManagementPolicy: 'Parallel' });
    await rig.advance(0.5);
    expect(pods(rig)).toHaveLength(3);
    await rig.advance(5);
    apply(rig, 'app:2', { podManagementPolicy: 'Parallel' });
    await rig.advance(1);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1', 'web-2:1-']);
    await rig.advance(12);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1-', 'web-2:2']);
  });

  it('updates from the highest ordinal down to the partition', async () => {
    const rig = rolloutRig();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } as const;
    apply(rig, 'app:1', { updateStrategy });
    await rig.advance(10);
    apply(rig, 'app:2', { updateStrategy });
    await rig.advance(60);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:2', 'web-2:2']);
  });

  it.each([
    ['without rollingUpdate from the old', undefined, 'web-0:1'],
    ['with a partition of 0 from the new', { partition: 0 }, 'web-0:2'],
  ])('replaces a lost pod %s template during an update', async (_, rollingUpdate, replaced) => {
    const rig = rolloutRig({ 'app:2': { readyAfter: 10 } });
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate } as const;
    apply(rig, 'app:1', { updateStrategy });
    await rig.advance(10);
    apply(rig, 'app:2', { updateStrategy });
    await rig.advance(4);
    const [lost] = rig.plane.snapshot().pods;
    rig.plane.api.podChanged(lost!.metadata.uid, { phase: 'Failed' });
    await rig.advance(4);
    expect(pods(rig)[0]).toBe(replaced);
    await rig.advance(60);
    expect(pods(rig)).toEqual(['web-0:2', 'web-1:2', 'web-2:2']);
  });

  it.each([
    ['OrderedReady', '1.36', 0, ['web-2']],
    ['OrderedReady', '1.37', 0, ['web-1', 'web-2']],
    ['OrderedReady', '1.37', 2, ['web-2']],
    ['Parallel', '1.36', 0, ['web-2']],
    ['Parallel', '1.37', 0, ['web-1', 'web-2']],
    ['Parallel', '1.37', 2, ['web-2']],
  ] as const)(
    'under %s, with a maxUnavailable of 2, %s first deletes from partition %d on %j',
    async (podManagementPolicy, version, partition, deleted) => {
      const rig = rolloutRig({}, ['node-1'], behaviorOf({ version }));
      const rollingUpdate = { partition, maxUnavailable: 2 };
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate } as const;
      apply(rig, 'app:1', { podManagementPolicy, updateStrategy });
      await rig.advance(10);
      apply(rig, 'app:2', { podManagementPolicy, updateStrategy });
      await rig.advance(0.5);
      expect(pods(rig).filter((pod) => pod.endsWith('-'))).toEqual(
        deleted.map((name) => `${name}:1-`),
      );
    },
  );

  it.each([
    ['Parallel', '1.36', ['web-2:1-']],
    ['Parallel', '1.37', ['web-0:1-', 'web-1:1-', 'web-2:1-']],
  ] as const)(
    'under %s, %s first deletes %j of old pods that never get ready',
    async (podManagementPolicy, version, deleted) => {
      const rig = rolloutRig({ 'app:1': {} }, ['node-1'], behaviorOf({ version }));
      apply(rig, 'app:1', { podManagementPolicy });
      await rig.advance(10);
      apply(rig, 'app:2', { podManagementPolicy });
      await rig.advance(0.5);
      expect(pods(rig).filter((pod) => pod.endsWith('-'))).toEqual(deleted);
    },
  );

  it('stays blocked by a new pod that never gets ready', async () => {
    const rig = rolloutRig({ 'app:2': {} });
    apply(rig, 'app:1');
    await rig.advance(10);
    apply(rig, 'app:2');
    await rig.advance(3600);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1', 'web-2:2']);
  });

  it('leaves pods alone with OnDelete, and scales down from the highest ordinal', async () => {
    const rig = rolloutRig();
    const updateStrategy = { type: 'OnDelete' } as const;
    apply(rig, 'app:1', { updateStrategy });
    await rig.advance(10);
    apply(rig, 'app:2', { updateStrategy });
    await rig.advance(10);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1', 'web-2:1']);
    apply(rig, 'app:2', { updateStrategy, replicas: 1 });
    await rig.advance(1);
    expect(pods(rig)).toEqual(['web-0:1', 'web-1:1', 'web-2:1-']);
    await rig.advance(9);
    expect(pods(rig)).toEqual(['web-0:1']);
  });
});
