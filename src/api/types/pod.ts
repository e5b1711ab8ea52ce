import type {
  Container,
  ObjectFieldSelector,
  ResourceFieldSelector,
  ResourceRequirements,
} from './container.js';
import type { ObjectMeta } from './meta.js';
import type { PodStatus } from './status.js';

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface ConfigMapVolumeSource {
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface SecretVolumeSource {
  readonly secretName: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface DownwardAPIVolumeFile {
  readonly path: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
}

export interface DownwardAPIVolumeSource {
  readonly items?: readonly DownwardAPIVolumeFile[];
  readonly defaultMode?: number;
}

/** A projection names its objects as the volume sources do, secrets by `name`. */
export interface VolumeProjection {
  readonly configMap?: ConfigMapVolumeSource;
  readonly secret?: Omit<SecretVolumeSource, 'secretName'> & { readonly name: string };
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly serviceAccountToken?: {
    readonly audience?: string;
    readonly expirationSeconds?: number;
    readonly path: string;
  };
}

export interface ProjectedVolumeSource {
  readonly sources?: readonly VolumeProjection[];
  readonly defaultMode?: number;
}

/** v1.Volume. Sources that kprobe cannot make are kept under their own names. */
export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: ConfigMapVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly [source: string]: unknown;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export type DNSPolicy = 'ClusterFirstWithHostNet' | 'ClusterFirst' | 'Default' | 'None';

export interface PodReadinessGate {
  readonly conditionType: string;
}

export interface PodSecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly fsGroup?: number;
  readonly supplementalGroups?: readonly number[];
}

/** v1.PodSpec after defaulting, as far as kprobe reads it. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly restartPolicy: RestartPolicy;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly volumes?: readonly Volume[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly dnsPolicy?: DNSPolicy;
  readonly schedulerName?: string;
  readonly enableServiceLinks?: boolean;
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly securityContext?: PodSecurityContext;
  readonly resources?: ResourceRequirements;
}

/** v1.Pod after defaulting. */
export interface Pod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  /** The status that the API server had when the kubelet got the pod. */
  readonly status: PodStatus;
}
