import type { ObjectMeta, Time } from './meta.js';
import type { PodSpec, ResourceRequirements } from './spec.js';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';
export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface PodCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: Time;
  readonly lastTransitionTime?: Time;
}

export interface ContainerStateWaiting {
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStateRunning {
  readonly startedAt?: Time;
}

export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
  readonly containerID?: string;
}

/** At most one of the three is set; none means that nothing is known. */
export interface ContainerState {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
}

export interface VolumeMountStatus {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: 'Disabled';
}

export interface ContainerStatus {
  readonly name: string;
  readonly state: ContainerState;
  readonly lastTerminationState: ContainerState;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly resources?: ResourceRequirements;
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly volumeMounts?: readonly VolumeMountStatus[];
}

/** v1.PodStatus. An absent phase is the empty one that the API server never shows. */
export interface PodStatus {
  readonly observedGeneration?: number;
  readonly phase?: PodPhase;
  readonly conditions?: readonly PodCondition[];
  readonly message?: string;
  readonly reason?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly string[];
  readonly podIP?: string;
  readonly podIPs?: readonly string[];
  readonly startTime?: Time;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: PodQOSClass;
}

/** v1.Pod after defaulting. */
export interface Pod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  /** The status that the API server had when the kubelet got the pod. */
  readonly status: PodStatus;
}
