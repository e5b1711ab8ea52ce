import { expect, it } from 'vitest';

import type { Volume, VolumeMount } from '../../../../src/api/index.js';
import { containerMounts } from '../../../../src/runtime/container/create/pod-mounts.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

function mounts(volume: Omit<Volume, 'name'>, mount: Partial<VolumeMount> = {}) {
  const container = buildContainer({
    volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }],
    terminationMessagePath: '',
  });
  return containerMounts({
    pod: buildPod({ spec: { volumes: [{ name: 'v', ...volume }] } }),
    ...{ container, env: new Map<string, string>(), mountpoint: '/pod', messageFile: 'm' },
    inMemory: new Map([['v', '/memory']]),
    etc: new Map([['/etc/hosts', 'etc/hosts']]),
  });
}

const CONFIG = { configMap: { name: 'c' } };

it.each([
  ['a whole volume', CONFIG, {}, '/memory'],
  ['a file of a ConfigMap', CONFIG, { subPath: 'a' }, '/memory/..kprobe/a'],
  ['a file by its link', CONFIG, { subPath: '..data/a' }, '/memory/..kprobe/a'],
  ['a folder of another volume', { emptyDir: {} }, { subPath: 'a/b' }, '/memory/a/b'],
])('containerMounts finds %s', (_, volume, mount, source) => {
  expect(mounts(volume, mount).mounts[0]?.source).toBe(source);
});

it.each([
  [undefined, undefined],
  ['None', undefined],
  ['HostToContainer', 'rslave'],
  ['Bidirectional', 'rshared'],
])('containerMounts has the propagation of %s: %s', (mountPropagation, propagation) => {
  const [mount] = mounts(
    { emptyDir: {} },
    { ...(mountPropagation && { mountPropagation }) },
  ).mounts;
  expect(mount?.propagation).toBe(propagation);
});

it('containerMounts mounts the hosts file of the pod, unless the container has its own', () => {
  expect(mounts({ emptyDir: {} }).mounts.slice(1)).toEqual([
    { source: '/pod/etc/hosts', target: '/etc/hosts', readOnly: false },
  ]);
  const own = mounts({ emptyDir: {} }, { mountPath: '/etc/hosts', subPath: 'x' });
  expect(own.mounts.map(({ source }) => source)).toEqual(['/memory/x']);
});
