import { expect, test } from 'vitest';

import { computePodQOS } from '../../src/api/qos.js';

const both = { cpu: '1', memory: '1Gi' };

test.each([
  ['nothing', [{}], 'BestEffort'],
  ['a request', [{ requests: { cpu: '100m' } }], 'Burstable'],
  ['a request of none', [{ requests: { cpu: '0' } }], 'BestEffort'],
  ['limits that are the requests', [{ limits: both, requests: both }], 'Guaranteed'],
  [
    'limits in other words',
    [{ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }],
    'Guaranteed',
  ],
  ['one container without limits', [{ limits: both, requests: both }, {}], 'Burstable'],
  ['limits on one resource', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'Burstable'],
] as const)('%s makes a pod %s', (_, resources, qos) => {
  const containers = resources.map((each) => ({ name: 'a', resources: each }));
  expect(computePodQOS({ containers })).toBe(qos);
});
