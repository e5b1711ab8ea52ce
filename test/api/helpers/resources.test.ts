import { describe, expect, it } from 'vitest';

import { computePodQOS, getPodQOS } from '../../../src/api/helpers/resources.js';
import type { PodQOSClass, ResourceRequirements } from '../../../src/api/schema/stored.js';
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
  ['requests equal to limits', [full], 'Guaranteed'],
  [
    'requests equal to limits in other units',
    [{ requests: full.requests!, limits: { cpu: '0.1', memory: '102400Ki' } }],
    'Guaranteed',
  ],
  [
    'two containers with requests equal to limits',
    [full, both({ cpu: '0.2', memory: '1Gi' })],
    'Guaranteed',
  ],
  [
    'requests equal to limits only in sum',
    [
      { requests: { cpu: '0.1', memory: '1Gi' }, limits: { cpu: '0.2', memory: '1Gi' } },
      { requests: { cpu: '0.2', memory: '1Gi' }, limits: { cpu: '0.1', memory: '1Gi' } },
    ],
    'Guaranteed',
  ],
  ['one of two containers without resources', [full, undefined], 'Burstable'],
  ['a limit of memory only', [both({ memory: '1Gi' })], 'Burstable'],
  ['only requests', [{ requests: { cpu: '1', memory: '1Gi' } }], 'Burstable'],
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
])('getPodQOS with %s', (_, resources, expected) => {
  const containers = resources.map((each, n) =>
    buildContainer({ name: `c${n}`, ...(each === undefined ? {} : { resources: each }) }),
  );
  expect(getPodQOS(buildPod({ spec: { containers } }))).toBe(expected);
});

describe('getPodQOS', () => {
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

  it('prefers the class of the API status', () => {
    expect(getPodQOS(buildPod({ status: { qosClass: 'Guaranteed' } }))).toBe('Guaranteed');
  });
});

const limited = { cpu: '1', memory: '1Gi' };

it.each([
  ['no resources', [{}], 'BestEffort'],
  ['a request', [{ requests: { cpu: '100m' } }], 'Burstable'],
  ['a request of 0', [{ requests: { cpu: '0' } }], 'BestEffort'],
  ['requests equal to limits', [{ limits: limited, requests: limited }], 'Guaranteed'],
  [
    'requests equal to limits in other units',
    [{ limits: limited, requests: { cpu: '1000m', memory: '1024Mi' } }],
    'Guaranteed',
  ],
  ['one container without limits', [{ limits: limited, requests: limited }, {}], 'Burstable'],
  ['limits on one resource', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'Burstable'],
] as const)('computePodQOS with %s', (_, resources, qos) => {
  const containers = resources.map((each) => ({ name: 'a', resources: each }));
  expect(computePodQOS({ containers })).toBe(qos);
});
