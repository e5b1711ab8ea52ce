import { expect, it } from 'vitest';

import { emptyDirMemorySize } from '../../../../src/runtime/container/create/volume-files.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

const limited = (memory: string) => buildContainer({ resources: { limits: { memory } } });
const MI = 1024 ** 2;

it.each([
  ['of the node', {}, [buildContainer()], undefined, 1024],
  ['of its limit', {}, [buildContainer()], '5Mi', 5],
  ['of its containers', {}, [limited('10Mi'), limited('20Mi')], undefined, 30],
  ['of its limit, which is less', {}, [limited('10Mi')], '5Mi', 5],
  [
    'of the node, where a container has no limit',
    {},
    [limited('10Mi'), buildContainer()],
    '0',
    1024,
  ],
  ['of its pod', { resources: { limits: { memory: '7Mi' } } }, [limited('10Mi')], '9Mi', 7],
])('a volume in memory has the size %s', (_, spec, containers, sizeLimit, size) => {
  const emptyDir = { medium: 'Memory', ...(sizeLimit !== undefined && { sizeLimit }) };
  const pod = buildPod({ spec: { ...spec, containers } });
  expect(emptyDirMemorySize(pod, { name: 'v', emptyDir }, { memory: '1Gi' })).toBe(size * MI);
});
