import { describe, expect, it } from 'vitest';

import type { ApiServer } from '../../../src/api/admission/index.js';
import { SERVER_GATES } from '../../../src/api/schema/api-server.js';
import { loadManifest } from '../../../src/manifest/pods/load-manifest.js';

const app = { name: 'app', image: 'app:1' };
const labels = { app: 'web' };

const ofContainer = (fields: object): object => ({ containers: [{ ...app, ...fields }] });
const ofInit = (fields: object): object => ({
  containers: [app],
  initContainers: [{ name: 'init', image: 'init:1', ...fields }],
});
const ofPod = (fields: object): object => ({ ...fields, containers: [app] });
const ofVolume = (source: object): object => ofPod({ volumes: [{ name: 'v', ...source }] });
const source = 'volumes[0].projected.sources[0]';
const ofSource = (fields: object): object => ofVolume({ projected: { sources: [fields] } });
const term = { topologyKey: 'zone', labelSelector: { matchLabels: labels } };
const constraint = { ...term, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
const ofTerm = (fields: object): object =>
  ofPod({
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...fields }] },
    },
  });
const ofConstraint = (fields: object): object =>
  ofPod({ topologySpreadConstraints: [{ ...constraint, ...fields }] });
const required = 'affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
const resize = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }];
const mounts = [{ name: 'v', mountPath: '/v', readOnly: true }];
const fileKeyRef = { volumeName: 'v', path: 'a', key: 'b' };
const podCertificate = { signerName: 'a.com/b', keyType: 'ED25519', keyPath: 'a' };

/** A pod's spec, the field that the release drops by default, and its feature gate. */
const DROPPED: readonly (readonly [object, string, string, string])[] = [
  [ofVolume({ image: { reference: 'data:1' } }), '1.34', 'volumes[0].image', 'ImageVolume'],
  [
    ofSource({ clusterTrustBundle: { name: 'a', path: 'a' } }),
    '1.36',
    `${source}.clusterTrustBundle`,
    'ClusterTrustBundleProjection',
  ],
  [ofSource({ podCertificate }), '1.36', `${source}.podCertificate`, 'PodCertificateRequest'],
  [
    ofContainer({ env: [{ name: 'A', valueFrom: { fileKeyRef } }] }),
    '1.34',
    'containers[0].env[0].valueFrom.fileKeyRef',
    'EnvFiles',
  ],
  [
    ofContainer({ restartPolicy: 'Never' }),
    '1.34',
    'containers[0].restartPolicy',
    'ContainerRestartRules',
  ],
  [
    ofContainer({ restartPolicyRules: [rule] }),
    '1.34',
    'containers[0].restartPolicyRules',
    'ContainerRestartRules',
  ],
  [
    ofInit({ restartPolicy: 'Never' }),
    '1.34',
    'initContainers[0].restartPolicy',
    'ContainerRestartRules',
  ],
  [
    ofContainer({ resizePolicy: resize }),
    '1.32',
    'containers[0].resizePolicy',
    'InPlacePodVerticalScaling',
  ],
  [
    ofContainer({ resources: { claims: [{ name: 'gpu' }] } }),
    '1.33',
    'containers[0].resources.claims',
    'DynamicResourceAllocation',
  ],
  [
    ofContainer({ lifecycle: { stopSignal: 'SIGINT' } }),
    '1.36',
    'containers[0].lifecycle.stopSignal',
    'ContainerStopSignals',
  ],
  [
    ofContainer({ readinessProbe: { httpGet: { port: 80, protocol: 'HTTP2' } } }),
    '1.37',
    'containers[0].readinessProbe.httpGet.protocol',
    'H2CContainerProbe',
  ],
  [
    ofContainer({ readinessProbe: { grpc: { port: 80, mode: 'TLS' } } }),
    '1.37',
    'containers[0].readinessProbe.grpc.mode',
    'GRPCContainerProbeTLS',
  ],
  [
    ofContainer({ securityContext: { procMount: 'Default' } }),
    '1.32',
    'containers[0].securityContext.procMount',
    'ProcMountType',
  ],
  [
    ofPod({ securityContext: { seLinuxChangePolicy: 'Recursive' } }),
    '1.32',
    'securityContext.seLinuxChangePolicy',
    'SELinuxChangePolicy',
  ],
  [
    ofPod({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    '1.32',
    'securityContext.supplementalGroupsPolicy',
    'SupplementalGroupsPolicy',
  ],
  [ofPod({ hostUsers: false }), '1.32', 'hostUsers', 'UserNamespacesSupport'],
  [ofPod({ hostnameOverride: 'other' }), '1.34', 'hostnameOverride', 'HostnameOverride'],
  [
    ofPod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }),
    '1.33',
    'resourceClaims',
    'DynamicResourceAllocation',
  ],
  [ofPod({ resources: { limits: { cpu: '1' } } }), '1.33', 'resources', 'PodLevelResources'],
  [
    ofPod({ schedulingGroup: { podGroupName: 'group' } }),
    '1.36',
    'schedulingGroup',
    'GenericWorkload',
  ],
  [
    ofPod({ evictionResponders: [{ name: 'a.com/b' }] }),
    '1.37',
    'evictionResponders',
    'EvictionRequestAPI',
  ],
  [
    ofVolume({ emptyDir: { mode: 0o1777 } }),
    '1.37',
    'volumes[0].emptyDir.mode',
    'EmptyDirVolumeMode',
  ],
  [
    ofVolume({ configMap: { name: 'a', defaultUser: 1 } }),
    '1.37',
    'volumes[0].configMap.defaultUser',
    'AtomicWriteVolumeUserFields',
  ],
  [
    ofSource({ secret: { name: 'a', items: [{ key: 'a', path: 'a', user: 1 }] } }),
    '1.37',
    `${source}.secret.items[0].user`,
    'AtomicWriteVolumeUserFields',
  ],
  [
    ofContainer({ volumeMounts: [{ ...mounts[0], bindMountOptions: ['noexec'] }] }),
    '1.37',
    'containers[0].volumeMounts[0].bindMountOptions',
    'VolumeBindMountOptions',
  ],
];

/** The same for gates that are on in the release unless they are set. */
const SET_OFF: typeof DROPPED = [
  [
    ofInit({ restartPolicy: 'Always' }),
    '1.32',
    'initContainers[0].restartPolicy',
    'SidecarContainers',
  ],
  [
    ofContainer({ volumeMounts: [{ ...mounts[0], recursiveReadOnly: 'Enabled' }] }),
    '1.32',
    'containers[0].volumeMounts[0].recursiveReadOnly',
    'RecursiveReadOnlyMounts',
  ],
  [
    ofContainer({ restartPolicy: 'Never' }),
    '1.36',
    'containers[0].restartPolicy',
    'ContainerRestartRules',
  ],
  [
    ofContainer({ lifecycle: { preStop: { sleep: { seconds: 1 } } } }),
    '1.33',
    'containers[0].lifecycle.preStop.sleep',
    'PodLifecycleSleepAction',
  ],
  [
    ofTerm({ matchLabelKeys: ['app'] }),
    '1.32',
    `${required}.matchLabelKeys`,
    'MatchLabelKeysInPodAffinity',
  ],
  [
    ofTerm({ mismatchLabelKeys: ['app'] }),
    '1.32',
    `${required}.mismatchLabelKeys`,
    'MatchLabelKeysInPodAffinity',
  ],
  [
    ofConstraint({ matchLabelKeys: ['tier'] }),
    '1.36',
    'topologySpreadConstraints[0].matchLabelKeys',
    'MatchLabelKeysInPodTopologySpread',
  ],
  [
    ofConstraint({ nodeTaintsPolicy: 'Honor' }),
    '1.32',
    'topologySpreadConstraints[0].nodeTaintsPolicy',
    'NodeInclusionPolicyInPodTopologySpread',
  ],
  [
    ofConstraint({ nodeAffinityPolicy: 'Honor' }),
    '1.32',
    'topologySpreadConstraints[0].nodeAffinityPolicy',
    'NodeInclusionPolicyInPodTopologySpread',
  ],
];

/** Fields of a StatefulSet. */
const OF_OTHERS: typeof DROPPED = [
  [
    { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } },
    '1.36',
    'updateStrategy.rollingUpdate.maxUnavailable',
    'MaxUnavailableStatefulSet',
  ],
];

const WITHOUT_FIELD = [
  'PodLifecycleSleepActionAllowZero',
  'RestartAllContainersOnContainerExits',
  'SELinuxMount',
  'TaintTolerationComparisonOperators',
  'UserNamespacesHostNetworkSupport',
];

function warningsOf(object: object, server: ApiServer): readonly string[] {
  const { diagnostics } = loadManifest([{ file: 'a.json', text: JSON.stringify(object) }], {
    server,
  });
  return diagnostics
    .filter(({ rule }) => rule === 'dropped-field')
    .map(({ severity, field, message, hint }) => `${severity}: ${field}: ${message} (${hint})`);
}

const pod = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { os: { name: 'linux' }, ...spec },
});
const template = (spec: object): object => ({ metadata: { labels }, spec });
const deployment = (spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: labels }, template: template(spec) },
});
const cronJob = (spec: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'web' },
  spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template(spec) } } },
});

describe.each([
  ['Pod', pod, 'spec'],
  ['Deployment', deployment, 'spec.template.spec'],
  ['CronJob', cronJob, 'spec.jobTemplate.spec.template.spec'],
] as const)('a field that a gate drops from the spec of a %s', (_, make, path) => {
  const warning = (field: string, gate: string): string =>
    `warning: ${path}.${field}: the API server drops it: the feature gate ${gate} is off (--feature-gates ${gate}=true)`;

  it.each(DROPPED)('is told, unless the gate is set: %j in %s', (spec, version, field, gate) => {
    expect(warningsOf(make(spec), { version })).toEqual([warning(field, gate)]);
    const featureGates = { [gate]: true };
    expect(warningsOf(make(spec), { version, featureGates })).toEqual([]);
  });

  it.each(SET_OFF)('is told when the gate is off: %j in %s', (spec, version, field, gate) => {
    const featureGates = { [gate]: false };
    expect(warningsOf(make(spec), { version, featureGates })).toEqual([warning(field, gate)]);
    expect(warningsOf(make(spec), { version })).toEqual([]);
  });
});

it.each(SERVER_GATES)('a field of the gate %s is in these tables, if it has one', (gate) => {
  const withField = [...DROPPED, ...SET_OFF, ...OF_OTHERS].map(([, , , each]) => each);
  expect([...withField, ...WITHOUT_FIELD]).toContain(gate);
});

it.each(OF_OTHERS)(
  '%j of a StatefulSet in %s is told: %s without %s',
  (spec, version, field, gate) => {
    const selector = { matchLabels: labels };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'web' },
      spec: { selector, serviceName: 'web', template: template({ containers: [app] }), ...spec },
    };
    expect(warningsOf(set, { version })).toEqual([
      `warning: spec.${field}: the API server drops it: the feature gate ${gate} is off (--feature-gates ${gate}=true)`,
    ]);
  },
);

describe('with a field that is dropped goes', () => {
  const load = (spec: object, server: ApiServer) => {
    const text = JSON.stringify(pod(spec));
    return loadManifest([{ file: 'a.json', text }], { server }).pods[0]?.pod.spec;
  };
  const without = { version: '1.33', featureGates: { PodLifecycleSleepAction: false } };
  const sleep = { sleep: { seconds: 1 } };
  const exec = { exec: { command: ['true'] } };
  it.each([
    ['its hook', { preStop: sleep, postStart: exec }, { postStart: exec }],
    ['the lifecycle whose last it is', { preStop: sleep, postStart: sleep }, undefined],
    ['nothing else', { preStop: exec }, { preStop: exec }],
    ['no hook beside a stop signal', { stopSignal: 'SIGUSR1', preStop: exec }, { preStop: exec }],
  ])('%s: %j', (_, lifecycle, left) => {
    expect(load(ofContainer({ lifecycle }), without)?.containers[0]?.lifecycle).toEqual(left);
  });

  it.each([
    ['1.34', [], []],
    ['1.35', ['v'], ['v']],
  ])('the volume of an image, and its mounts: in %s', (version, volumes, mounted) => {
    const image = { name: 'v', image: { reference: 'data:1' } };
    const spec = load({ ...ofContainer({ volumeMounts: mounts }), volumes: [image] }, { version });
    expect(spec?.volumes?.map(({ name }) => name)).toEqual(volumes);
    expect(spec?.containers[0]?.volumeMounts?.map(({ name }) => name)).toEqual(mounted);
  });

  it.each([
    [ofInit({ restartPolicy: 'Always' }), 'initContainers', 'Always'],
    [ofInit({ restartPolicy: 'Never' }), 'initContainers', undefined],
    [ofContainer({ restartPolicy: 'Always' }), 'containers', undefined],
  ] as const)('no sidecar: %j', (spec, list, policy) => {
    expect(load(spec, { version: '1.34' })?.[list]?.[0]?.restartPolicy).toBe(policy);
  });
});
