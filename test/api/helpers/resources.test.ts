import { describe, expect, it } from 'vitest';

import { computePodQOS, getPodQOS } from '../../../src/api/helpers/resources.js';
import type { ResourceRequirements } from '../../../src/api/types/spec.js';
import type { PodQOSClass } from '../../../src/api/types/status.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const both = (list: Record<string, string>): ResourceRequirements => ({
  requests: list,
  limits: list,
});
const full = both({ cpu: '100m', memory: '100Mi' });

it.each<[string, (ResourceRequirements | undefined)[], PodQOSClass]>([
  ['no resources', [undefined], 'BestEffort'],
  ['empty resources', [{ requests: {}, limits: {} }], 'BestEffort'],
  ['resources of zero', [both({ cpu: '0', memory: '0' })], 'BestEffort'],
  ['other resources only', [both({ 'example.com/gpu': '1' })], 'BestEffort'],
  ['limits that the requests equal', [full], 'Guaranteed'],
  [
    'and the same in other units',
    [{ requests: full.requests!, limits: { cpu: '0.1', memory: '102400Ki' } }],
    'Guaranteed',
  ],
  ['two of them', [full, both({ cpu: '0.2', memory: '1Gi' })], 'Guaranteed'],
  [
    'sums that are equal, part by part not',
    [
      { requests: { cpu: '0.1', memory: '1Gi' }, limits: { cpu: '0.2', memory: '1Gi' } },
      { requests: { cpu: '0.2', memory: '1Gi' }, limits: { cpu: '0.1', memory: '1Gi' } },
    ],
    'Guaranteed',
  ],
  ['a container beside them without any', [full, undefined], 'Burstable'],
  ['a limit of memory only', [both({ memory: '1Gi' })], 'Burstable'],
  ['requests only', [{ requests: { cpu: '1', memory: '1Gi' } }], 'Burstable'],
  [
    'limits above the requests',
    [{ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }],
    'Burstable',
  ],
  [
    'limits without a request',
    [{ requests: { cpu: '1' }, limits: { cpu: '1', memory: '1Gi' } }],
    'Burstable',
  ],
])('%s: %#', (_, resources, expected) => {
  const containers = resources.map((each, n) =>
    buildContainer({ name: `c${n}`, ...(each === undefined ? {} : { resources: each }) }),
  );
  expect(getPodQOS(buildPod({ spec: { containers } }))).toBe(expected);
});

describe('the class', () => {
  it('counts init containers', () => {
    const containers = [buildContainer({ resources: full })];
    const pod = buildPod({
      spec: { containers, initContainers: [buildContainer({ name: 'init' })] },
    });
    expect(getPodQOS(pod)).toBe('Burstable');
  });

  it("follows the pod's own resources where it has them", () => {
    expect(getPodQOS(buildPod({ spec: { resources: full } }))).toBe('Guaranteed');
    expect(getPodQOS(buildPod({ spec: { resources: { requests: full.requests! } } }))).toBe(
      'Burstable',
    );
  });

  it('that the API server shows stands', () => {
    expect(getPodQOS(buildPod({ status: { qosClass: 'Guaranteed' } }))).toBe('Guaranteed');
  });
});

const limited = { cpu: '1', memory: '1Gi' };

it.each([
  ['nothing', [{}], 'BestEffort'],
  ['a request', [{ requests: { cpu: '100m' } }], 'Burstable'],
  ['a request of none', [{ requests: { cpu: '0' } }], 'BestEffort'],
  ['limits that are the requests', [{ limits: limited, requests: limited }], 'Guaranteed'],
  [
    'limits in other words',
    [{ limits: limited, requests: { cpu: '1000m', memory: '1024Mi' } }],
    'Guaranteed',
  ],
  ['one container without limits', [{ limits: limited, requests: limited }, {}], 'Burstable'],
  ['limits on one resource', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'Burstable'],
] as const)('%s makes a pod %s', (_, resources, qos) => {
  const containers = resources.map((each) => ({ name: 'a', resources: each }));
  expect(computePodQOS({ containers })).toBe(qos);
});
