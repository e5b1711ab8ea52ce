import { KNOWN_GATES } from './known-gates.js';

/** An API server: its version, such as `1.37`, and the feature gates that are set. */
export interface ApiServer {
  readonly version: string;
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
}

export const DEFAULT_SERVER: ApiServer = { version: '1.36' };

interface GatedField {
  /** Absent for a field that all releases from 1.32 on have. */
  readonly since?: string;
  /** The feature gate without which the server drops the field, or what finds the gate of its value. */
  readonly gate: string | GateOf;
}

/** Returns the gate of a field's value, or undefined where the server stores it whatever gates are set. */
type GateOf = (value: unknown, parents: readonly string[], server: ApiServer) => string | undefined;

const LABEL_KEYS: GatedField = { gate: 'MatchLabelKeysInPodAffinity' };
const NODE_INCLUSION: GatedField = { gate: 'NodeInclusionPolicyInPodTopologySpread' };
const CERTIFICATE: GatedField = { since: '1.34', gate: 'PodCertificateRequest' };
const FILE_OWNER: GatedField = { since: '1.37', gate: 'AtomicWriteVolumeUserFields' };

/** Fields that not every release from 1.32 on has, or that a feature gate drops: DropDisabledPodFields (pkg/api/pod/util.go). */
const GATED_FIELDS: Readonly<Record<string, Readonly<Record<string, GatedField>>>> = {
  ClusterTrustBundleProjection: { user: FILE_OWNER },
  ConfigMapVolumeSource: { defaultUser: FILE_OWNER },
  Container: {
    resizePolicy: { gate: 'InPlacePodVerticalScaling' },
    restartPolicy: { gate: gateOfPolicy },
    restartPolicyRules: { since: '1.34', gate: 'ContainerRestartRules' },
  },
  DownwardAPIVolumeFile: { user: FILE_OWNER },
  DownwardAPIVolumeSource: { defaultUser: FILE_OWNER },
  EmptyDirVolumeSource: { mode: { since: '1.37', gate: 'EmptyDirVolumeMode' } },
  EnvVarSource: { fileKeyRef: { since: '1.34', gate: 'EnvFiles' } },
  GRPCAction: { mode: { since: '1.37', gate: 'GRPCContainerProbeTLS' } },
  HTTPGetAction: { protocol: { since: '1.37', gate: 'H2CContainerProbe' } },
  KeyToPath: { user: FILE_OWNER },
  Lifecycle: { stopSignal: { since: '1.33', gate: 'ContainerStopSignals' } },
  LifecycleHandler: { sleep: { gate: 'PodLifecycleSleepAction' } },
  PodAffinityTerm: { matchLabelKeys: LABEL_KEYS, mismatchLabelKeys: LABEL_KEYS },
  PodCertificateProjection: {
    user: FILE_OWNER,
    userAnnotations: { ...CERTIFICATE, since: '1.35' },
  },
  PodSecurityContext: {
    seLinuxChangePolicy: { gate: 'SELinuxChangePolicy' },
    supplementalGroupsPolicy: { gate: 'SupplementalGroupsPolicy' },
  },
  PodSpec: {
    evictionResponders: { since: '1.37', gate: 'EvictionRequestAPI' },
    hostUsers: { gate: 'UserNamespacesSupport' },
    hostnameOverride: { since: '1.34', gate: 'HostnameOverride' },
    resourceClaims: { gate: 'DynamicResourceAllocation' },
    resources: { gate: 'PodLevelResources' },
    schedulingGroup: { since: '1.36', gate: 'GenericWorkload' },
  },
  ProjectedVolumeSource: { defaultUser: FILE_OWNER },
  ResourceRequirements: {
    // The server refuses the claims of a pod itself, with and without the gate.
    claims: {
      gate: (_, parents) =>
        (parents.at(-2) ?? 'spec') === 'spec' ? undefined : 'DynamicResourceAllocation',
    },
  },
  RollingUpdateStatefulSetStrategy: { maxUnavailable: { gate: 'MaxUnavailableStatefulSet' } },
  SecretVolumeSource: { defaultUser: FILE_OWNER },
  SecurityContext: { procMount: { gate: 'ProcMountType' } },
  ServiceAccountTokenProjection: { user: FILE_OWNER },
  TopologySpreadConstraint: {
    matchLabelKeys: { gate: 'MatchLabelKeysInPodTopologySpread' },
    nodeAffinityPolicy: NODE_INCLUSION,
    nodeTaintsPolicy: NODE_INCLUSION,
  },
  Volume: { image: { gate: 'ImageVolume' } },
  VolumeMount: {
    bindMountOptions: { since: '1.37', gate: 'VolumeBindMountOptions' },
    recursiveReadOnly: { gate: 'RecursiveReadOnlyMounts' },
  },
  VolumeProjection: {
    clusterTrustBundle: { gate: 'ClusterTrustBundleProjection' },
    podCertificate: CERTIFICATE,
  },
};

/** Ports dropContainerRestartRules (pkg/api/pod/util.go) for a policy; before 1.34, that of a regular container is refused. */
function gateOfPolicy(policy: unknown, parents: readonly string[], server: ApiServer) {
  const isOfInit = parents.at(-1) === 'initContainers';
  if (!isServerSince('1.34', server)) return isOfInit ? 'SidecarContainers' : undefined;
  return isOfInit && policy === 'Always' ? undefined : 'ContainerRestartRules';
}

/** A server stores a field, drops it silently, or does not know it. */
type FieldTreatment =
  | { readonly kind: 'stored' }
  | { readonly kind: 'dropped'; readonly gate: string }
  | { readonly kind: 'unknown'; readonly since: string };

const STORED: FieldTreatment = { kind: 'stored' };

/** Returns what a server does with a field; `parents` are the fields that lead to its struct. Without a server, the field is stored. */
export function treatmentOf(
  struct: string,
  field: string,
  server: ApiServer | undefined,
  value?: unknown,
  parents: readonly string[] = [],
): FieldTreatment {
  const gated = GATED_FIELDS[struct]?.[field];
  if (server === undefined || gated === undefined) return STORED;
  const { since } = gated;
  if (since !== undefined && !isServerSince(since, server)) return { kind: 'unknown', since };
  const gate = typeof gated.gate === 'string' ? gated.gate : gated.gate(value, parents, server);
  return gate === undefined || isEnabled(gate, server) ? STORED : { kind: 'dropped', gate };
}

/** The signs of each feature gate, one per release from 1.32 on, as in KNOWN_GATES. */
export const GATE_SIGNS: ReadonlyMap<string, string> = new Map(
  KNOWN_GATES.trim()
    .split('\n')
    .flatMap((row) => {
      const [signs = '', ...names] = row.split(' ');
      return names.map((name) => [name, signs] as const);
    }),
);

/** All gates on which the answer of a server depends. */
export const SERVER_GATES: readonly string[] = [
  'PodLifecycleSleepActionAllowZero',
  'RestartAllContainersOnContainerExits',
  'SELinuxMount',
  'SidecarContainers',
  'TaintTolerationComparisonOperators',
  'UserNamespacesHostNetworkSupport',
  'DynamicResourceAllocation',
  ...Object.values(GATED_FIELDS).flatMap((fields) =>
    Object.values(fields).flatMap(({ gate }) => (typeof gate === 'string' ? gate : [])),
  ),
];

/** Returns whether a server has a gate on. A release without the gate behaves as the last one that had it. */
export function isEnabled(gate: string, { version, featureGates }: ApiServer): boolean {
  const signs = GATE_SIGNS.get(gate)?.slice(0, minorOf(version) - OLDEST_MINOR + 1);
  return featureGates?.[gate] ?? /[+T]\.*$/.test(signs ?? '');
}

export function isServerSince(release: string, { version }: ApiServer): boolean {
  return minorOf(version) >= minorOf(release);
}

const OLDEST_MINOR = 32;

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
