import type { Container, ResourceRequirements } from './container.js';
import type { ObjectMeta } from './meta.js';
import type { PodStatus } from './status.js';
import type { Volume } from './volume.js';

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
  /** What the API server knew when the kubelet got the pod. */
  readonly status: PodStatus;
}
