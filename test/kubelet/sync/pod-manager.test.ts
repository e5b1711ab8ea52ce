import { expect, it } from 'vitest';

import { PodManager } from '../../../src/kubelet/sync/pod-manager.js';
import { buildPod } from '../../helpers/builders.js';

it('keeps the newest version of each pod that is wanted', () => {
  const pods = new PodManager();
  const [a, b] = [buildPod({ metadata: { uid: 'a' } }), buildPod({ metadata: { uid: 'b' } })];
  const newer = buildPod({ metadata: { uid: 'a', generation: 2 } });
  pods.setPod(a);
  pods.setPod(b);
  pods.setPod(newer);
  expect([...pods.getPods()]).toEqual([newer, b]);
  expect([pods.getPodByUID('a'), pods.getPodByUID('c')]).toEqual([newer, undefined]);
  pods.removePod('b');
  pods.removePod('c');
  expect([pods.has('a'), pods.has('b')]).toEqual([true, false]);
});
