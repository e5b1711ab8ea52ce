/** An API server: its version, such as `1.37`, and the feature gates that are set. */
export interface ApiServer {
  readonly version: string;
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
}

/** The server that is asked unless another one is named. */
export const DEFAULT_SERVER: ApiServer = { version: '1.36' };

interface GatedField {
  /** First release with the field. */
  readonly since: string;
  /** Feature gate without which the server drops it. */
  readonly gate: string;
  /** First release in which the gate is on by default; none when absent. */
  readonly on?: string;
}

/** Fields that not every release from 1.32 on has, or that a feature gate drops: DropDisabledPodFields (pkg/api/pod/util.go). */
const GATED_FIELDS: Readonly<Record<string, Readonly<Record<string, GatedField>>>> = {
  Container: { restartPolicyRules: { since: '1.34', gate: 'ContainerRestartRules', on: '1.35' } },
  GRPCAction: { mode: { since: '1.37', gate: 'GRPCContainerProbeTLS' } },
  HTTPGetAction: { protocol: { since: '1.37', gate: 'H2CContainerProbe' } },
  Lifecycle: { stopSignal: { since: '1.33', gate: 'ContainerStopSignals' } },
};

/** What a server does with a field. */
export type FieldTreatment =
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
  const { since, gate, on } = gated;
  if (minorOf(server.version) < minorOf(since)) return { kind: 'unknown', since };
  const isOn = on !== undefined && minorOf(server.version) >= minorOf(on);
  return (server.featureGates?.[gate] ?? isOn) ? STORED : { kind: 'dropped', gate };
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
