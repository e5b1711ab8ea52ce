import { expect, it } from 'vitest';

import { containerChanged, hashContainer } from '../../../src/kubelet/containers/container-hash.js';
import { buildContainer, buildProbe, buildRuntimeContainer } from '../../helpers/builders.js';

// The expected values are from Kubernetes' own HashContainer.
it.each<[string, string, string]>([
  ['test_container', 'foo/image:v1', '8e45cbd0'],
  ['app', 'example/app:1.4.2', '927a24e3'],
  ['a', 'x<y>&z\u2028"\\', 'f93742d9'],
  ['a', 'é\n\t\x01😀', '73ae218a'],
  ['', '', 'edd67cc4'],
])('the hash of %s with %s is %s', (name, image, expected) => {
  expect(hashContainer(buildContainer({ name, image }))).toBe(expected);
});

it.each<[string, Parameters<typeof buildContainer>[0], boolean]>([
  ['another image', { image: 'app:2' }, true],
  ['another name', { name: 'other' }, true],
  [
    'other probes, arguments and variables',
    { livenessProbe: buildProbe(), args: ['x'], env: [{ name: 'A', value: 'b' }] },
    false,
  ],
])('a container with %s has changed: %s', (_, overrides, expected) => {
  expect(containerChanged(buildContainer(overrides), buildRuntimeContainer())).toBe(expected);
});
