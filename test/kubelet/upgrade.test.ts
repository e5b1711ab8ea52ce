import { describe, expect, it } from 'vitest';

import type { Pod } from '../../src/api/index.js';
import type { KubernetesRelease } from '../../src/kubelet/release.js';
import { podDifferences } from '../../src/kubelet/upgrade.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';

const between = (pod: Pod, from: string, to: string) =>
  podDifferences(pod, { version: from }, { version: to });

/** Returns the fields that an upgrade of all releases concerns, by the release that brings the change. */
function concerned(container: object, spec: object = {}): Readonly<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { since, fields } of between(podOf(container, spec), '1.32', '1.37')) {
    (all[since] ??= []).push(...fields);
  }
  return all;
}

function podOf(container: object, spec: object) {
  const app = { name: 'app', image: 'a:1', ...container };
  const text = JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
    spec: { restartPolicy: 'Never', containers: [app], ...spec },
  });
  const { pods } = loadManifest([{ file: 'pod.json', text }], { validate: false });
  return pods[0]!.pod;
}

const http = (action: object = {}) => ({ httpGet: { port: 80, ...action } });
const rules = [
  { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } },
  { action: 'Restart', exitCodes: { operator: 'In', values: [2] } },
];
const AT = 'spec.containers[0]';

it.each<[string, object, object, object]>([
  ['no probes', {}, {}, {}],
  ['a liveness probe', { livenessProbe: http() }, {}, {}],
  [
    'a readiness and a startup probe',
    { readinessProbe: http(), startupProbe: http() },
    {},
    { '1.35': [`${AT}.startupProbe`, `${AT}.readinessProbe`] },
  ],
  [
    'a host in a probe and a hook',
    { livenessProbe: http({ host: '10.0.0.1' }), lifecycle: { preStop: http({ host: 'a' }) } },
    {},
    { '1.34': [`${AT}.livenessProbe.httpGet.host`, `${AT}.lifecycle.preStop.httpGet.host`] },
  ],
  ['an empty host', { livenessProbe: http({ host: '' }) }, {}, {}],
  [
    'a command',
    { livenessProbe: { exec: { command: ['a'] } } },
    {},
    { '1.35': [`${AT}.livenessProbe`] },
  ],
  [
    'a restart policy of Always',
    {},
    { restartPolicy: 'Always' },
    { '1.35': ['spec.restartPolicy'] },
  ],
  [
    'a liveness probe under OnFailure',
    { livenessProbe: http() },
    { restartPolicy: 'OnFailure' },
    { '1.35': ['spec.restartPolicy', `${AT}.livenessProbe`] },
  ],
  [
    'restart rules',
    { restartPolicy: 'Never', restartPolicyRules: rules },
    {},
    { '1.35': [`${AT}.restartPolicyRules`], '1.36': [`${AT}.restartPolicyRules[0].action`] },
  ],
  [
    'a port that no container names',
    { ports: [{ name: 'http', containerPort: 80 }], livenessProbe: http({ port: 'web' }) },
    {},
    { '1.37': [`${AT}.livenessProbe.httpGet.port`] },
  ],
  [
    'a port of the container by name',
    { ports: [{ name: 'http', containerPort: 80 }], livenessProbe: http({ port: 'http' }) },
    {},
    {},
  ],
  [
    'an init container',
    {},
    { initContainers: [{ name: 'init', image: 'a:1' }] },
    { '1.36': ['spec.initContainers[0]'], '1.37': ['spec.initContainers[0]'] },
  ],
  [
    'a probed sidecar under Never',
    {},
    {
      initContainers: [
        { name: 'proxy', image: 'a:1', restartPolicy: 'Always', livenessProbe: http() },
      ],
    },
    {
      '1.33': ['spec.initContainers[0].livenessProbe'],
      '1.35': ['spec.initContainers[0].restartPolicy', 'spec.initContainers[0].restartPolicy'],
    },
  ],
  [
    'a probed sidecar under OnFailure',
    {},
    {
      restartPolicy: 'OnFailure',
      initContainers: [
        { name: 'proxy', image: 'a:1', restartPolicy: 'Always', livenessProbe: http() },
      ],
    },
    { '1.35': ['spec.restartPolicy', 'spec.initContainers[0].restartPolicy'] },
  ],
])('of a pod with %s an upgrade concerns what has changed', (_, container, spec, expected) => {
  expect(concerned(container, spec)).toEqual(expected);
});

it.each<[KubernetesRelease, KubernetesRelease, number]>([
  ['1.34', '1.34', 0],
  ['1.32', '1.34', 0],
  ['1.34', '1.35', 1],
  ['1.34', '1.36', 1],
  ['1.35', '1.36', 0],
  ['1.36', '1.34', 1],
])('from %s to %s there are %i changes of a readiness probe', (from, to, count) => {
  const pod = podOf({ readinessProbe: http() }, {});
  expect(between(pod, from, to)).toHaveLength(count);
});

it.each<[KubernetesRelease, KubernetesRelease, readonly string[]]>([
  ['1.34', '1.35', ['1.35']],
  ['1.35', '1.36', []],
  ['1.36', '1.37', ['1.37']],
  ['1.34', '1.37', []],
  ['1.37', '1.36', ['1.37']],
])(
  'from %s to %s commands are canceled, or no longer, by the change of %s',
  (from, to, expected) => {
    const pod = podOf({ readinessProbe: { exec: { command: ['a'] } } }, {});
    const changes = between(pod, from, to).filter(({ now, before }) =>
      `${now}${before}`.includes('#140881'),
    );
    expect(changes.map(({ since }) => since)).toEqual(expected);
  },
);

it('back to an older release the older behavior is the new one', () => {
  const pod = podOf({ readinessProbe: http() }, {});
  const [[up], [down]] = [between(pod, '1.34', '1.35'), between(pod, '1.35', '1.34')];
  expect([down?.now, down?.before]).toEqual([up?.before, up?.now]);
});

it('a patch release brings what it changes', () => {
  const pod = podOf({ readinessProbe: { exec: { command: ['a'] } } }, {});
  const found = (from: string, to: string) =>
    podDifferences(pod, { version: from }, { version: to }).map(({ since, fields }) => [
      since,
      fields,
    ]);
  expect(found('1.36.1', '1.36')).toEqual([['1.36', [`${AT}.readinessProbe`]]]);
  expect(found('1.35', '1.36.1')).toEqual([['1.36.1', [`${AT}.readinessProbe`]]]);
});

it.each([
  [{}, []],
  [{ podManagementPolicy: 'Parallel' }, ['spec.podManagementPolicy']],
  [{ updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'Parallel' }, []],
  [{ updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } }, []],
  [
    { updateStrategy: { rollingUpdate: { maxUnavailable: '50%' } } },
    ['spec.updateStrategy.rollingUpdate.maxUnavailable'],
  ],
])('1.37 changes the rolling update of a StatefulSet with %j in %j', (set, fields) => {
  const changes = podDifferences(podOf({}, {}), { version: '1.36' }, { version: '1.37' }, set);
  expect(changes.flatMap((each) => each.fields)).toEqual(fields);
});

describe('a field of the spec that an earlier API server does not store', () => {
  const changed = (container: object, spec: object, from: string) => {
    const containers = [{ name: 'app', image: 'a:1', ...container }];
    const all = podDifferences(
      podOf(container, spec),
      { version: from },
      { version: '1.37' },
      {},
      { containers, ...spec },
    );
    return all
      .filter(({ now, fields }) => now.includes('API server') || fields.includes(RULES))
      .map(({ since, fields }) => [since, ...fields]);
  };
  const RULES = `${AT}.restartPolicyRules`;
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }];
  const volumes = [{ name: 'v', image: { reference: 'data:1' } }];

  it.each<[string, object, object, string, unknown]>([
    ['none', {}, {}, '1.32', []],
    [
      'two of one release, and one of another',
      { resizePolicy },
      { hostUsers: false, volumes },
      '1.32',
      [
        ['1.33', `${AT}.resizePolicy`, 'spec.hostUsers'],
        ['1.35', 'spec.volumes[0].image'],
      ],
    ],
    ['one that is stored already', { resizePolicy }, {}, '1.33', []],
    [
      'one that the earlier release does not know',
      {},
      { hostnameOverride: 'a' },
      '1.33',
      [['1.35', 'spec.hostnameOverride']],
    ],
    [
      'one that another difference names',
      { restartPolicy: 'Never', restartPolicyRules: rules },
      {},
      '1.34',
      [
        ['1.35', RULES],
        ['1.35', `${AT}.restartPolicy`],
      ],
    ],
  ])('is named with the release that does: %s', (_, container, spec, from, expected) => {
    expect(changed(container, spec, from)).toEqual(expected);
  });
});
