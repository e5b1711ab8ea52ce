import { describe, expect, it } from 'vitest';

import type { DaemonSetSpec } from '../../../src/rollout/controllers/objects.js';
import { buildContainer } from '../../helpers/builders.js';
import { buildDeployment, type RolloutRig, rolloutRig } from '../../helpers/rollout-rig.js';

const NODES = ['node-1', 'node-2', 'node-3', 'node-4'];

function apply(
  rig: RolloutRig,
  image: string,
  updateStrategy: DaemonSetSpec['updateStrategy'],
): void {
  const { spec, metadata } = buildDeployment({}, buildContainer({ image }));
  const { minReadySeconds, selector, template } = spec;
  rig.plane.apply({
    kind: 'DaemonSet',
    metadata,
    spec: { minReadySeconds, selector, template, updateStrategy },
  });
}

/** Versions on each node; `-` terminates. */
const byNode = ({ plane }: RolloutRig): string =>
  NODES.map((node) =>
    plane
      .snapshot()
      .pods.filter(({ spec }) => spec.nodeName === node)
      .map(({ metadata: { deletionTimestamp }, spec }) => {
        const version = spec.containers[0]!.image.slice(-1);
        return `${version}${deletionTimestamp === undefined ? '' : '-'}`;
      })
      .join('+'),
  ).join(' ');

const rolling = (maxSurge: number | string, maxUnavailable: number | string) =>
  ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }) as const;

describe('a DaemonSet', () => {
  it.each([
    ['one node after another', rolling(0, 1), ['1- 1 1 1', '2 1 1 1', '2 1- 1 1']],
    ['half of the nodes at a time', rolling(0, '50%'), ['1- 1- 1 1', '2 2 1 1', '2 2 1- 1-']],
    ['a new pod beside the old one', rolling(1, 0), ['1+2 1 1 1', '1+2 1 1 1', '1-+2 1+2 1 1']],
    ['nothing with OnDelete', { type: 'OnDelete' } as const, ['1 1 1 1', '1 1 1 1', '1 1 1 1']],
  ])('replaces %s', async (_, strategy, expected) => {
    const rig = rolloutRig({ 'app:2': { readyAfter: 10 } }, NODES);
    apply(rig, 'app:1', strategy);
    await rig.advance(5);
    expect(byNode(rig)).toBe('1 1 1 1');
    apply(rig, 'app:2', strategy);
    const seen = [];
    for (const [second, surging] of [
      [1, 1],
      [3, 3],
      [9, 7],
    ] as const) {
      await rig.advance(
        'rollingUpdate' in strategy && strategy.rollingUpdate.maxSurge !== 0 ? surging : second,
      );
      seen.push(byNode(rig));
    }
    expect(seen).toEqual(expected);
    await rig.advance(100);
    expect(byNode(rig)).toBe(strategy.type === 'OnDelete' ? '1 1 1 1' : '2 2 2 2');
  });

  it('deletes the failed pods of a node more and more rarely', async () => {
    const rig = rolloutRig({ 'app:1': {} }, ['node-1']);
    apply(rig, 'app:1', rolling(0, 1));
    const names: string[] = [];
    const deletedAt: number[] = [];
    for (let second = 0; second < 20; second++) {
      await rig.advance(1);
      const [pod] = rig.plane.snapshot().pods;
      if (pod === undefined || names.includes(pod.metadata.name)) continue;
      names.push(pod.metadata.name);
      deletedAt.push(second);
      rig.plane.api.podChanged(pod.metadata.uid, { phase: 'Failed' });
    }
    expect(deletedAt).toEqual([0, 1, 2, 4, 9, 17]);
  });
});
