/** An API server: its version, such as `1.37`, and the feature gates that are set. */
export interface ApiServer {
  readonly version: string;
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
}

export const DEFAULT_SERVER: ApiServer = { version: '1.36' };

interface GatedField {
  /** Absent for a field that all releases from 1.32 on have. */
  readonly since?: string;
  /** Feature gate without which the server drops it. */
  readonly gate: string;
}

/** Fields that not every release from 1.32 on has, or that a feature gate drops: DropDisabledPodFields (pkg/api/pod/util.go). */
const GATED_FIELDS: Readonly<Record<string, Readonly<Record<string, GatedField>>>> = {
  Container: {
    resizePolicy: { gate: 'InPlacePodVerticalScaling' },
    restartPolicyRules: { since: '1.34', gate: 'ContainerRestartRules' },
  },
  GRPCAction: { mode: { since: '1.37', gate: 'GRPCContainerProbeTLS' } },
  HTTPGetAction: { protocol: { since: '1.37', gate: 'H2CContainerProbe' } },
  Lifecycle: { stopSignal: { since: '1.33', gate: 'ContainerStopSignals' } },
  PodSecurityContext: {
    seLinuxChangePolicy: { gate: 'SELinuxChangePolicy' },
    supplementalGroupsPolicy: { gate: 'SupplementalGroupsPolicy' },
  },
  PodSpec: {
    hostUsers: { gate: 'UserNamespacesSupport' },
    resources: { gate: 'PodLevelResources' },
  },
  SecurityContext: { procMount: { gate: 'ProcMountType' } },
};

export function hasGatedFields(struct: string): boolean {
  return struct in GATED_FIELDS;
}

/** A server stores a field, drops it silently, or does not know it. */
type FieldTreatment =
  | { readonly kind: 'stored' }
  | { readonly kind: 'dropped'; readonly gate: string }
  | { readonly kind: 'unknown'; readonly since: string };

const STORED: FieldTreatment = { kind: 'stored' };

/** Returns what a server does with a field of a struct; without a server, the field is stored. */
export function treatmentOf(
  struct: string,
  field: string,
  server: ApiServer | undefined,
): FieldTreatment {
  const gated = GATED_FIELDS[struct]?.[field];
  if (server === undefined || gated === undefined) return STORED;
  const { since, gate } = gated;
  if (since !== undefined && !isServerSince(since, server)) return { kind: 'unknown', since };
  return isEnabled(gate, server) ? STORED : { kind: 'dropped', gate };
}

export function fieldsNotStored(struct: string, server: ApiServer | undefined): readonly string[] {
  const gated = Object.keys(GATED_FIELDS[struct] ?? {});
  return gated.filter((field) => treatmentOf(struct, field, server).kind !== 'stored');
}

/** First release in which a gate is on by default; the others are off in all of them. */
const ON_SINCE: Readonly<Record<string, string>> = {
  ContainerRestartRules: '1.35',
  InPlacePodVerticalScaling: '1.33',
  PodLevelResources: '1.34',
  PodLifecycleSleepActionAllowZero: '1.33',
  ProcMountType: '1.33',
  RestartAllContainersOnContainerExits: '1.36',
  SELinuxChangePolicy: '1.33',
  SupplementalGroupsPolicy: '1.33',
  UserNamespacesSupport: '1.33',
};

/** All gates on which the answer of a server depends. */
export const SERVER_GATES: readonly string[] = [
  ...Object.keys(ON_SINCE),
  ...Object.values(GATED_FIELDS).flatMap((fields) => Object.values(fields).map(({ gate }) => gate)),
];

export function isEnabled(gate: string, server: ApiServer): boolean {
  const since = ON_SINCE[gate];
  return server.featureGates?.[gate] ?? (since !== undefined && isServerSince(since, server));
}

export function isServerSince(release: string, { version }: ApiServer): boolean {
  return minorOf(version) >= minorOf(release);
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
