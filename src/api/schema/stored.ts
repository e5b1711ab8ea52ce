import type * as v1 from './types.js';
import type { OwnerReference, PodSpec } from './types.js';

export type * from './types.js';
/** A key of a ConfigMap or a Secret. */
export type { ConfigMapKeySelector as KeySelector } from './types.js';

/** A point in time: milliseconds since the Unix epoch, as the Clock has it. */
export type Time = number;
/** Quantities as they are written, by resource name. */
export type ResourceList = Readonly<Record<string, string>>;

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** v1.PodCondition with its times parsed. */
export interface PodCondition extends Omit<
  v1.PodCondition,
  'lastProbeTime' | 'lastTransitionTime'
> {
  readonly lastProbeTime?: Time;
  readonly lastTransitionTime?: Time;
}

/** At most one of the three is set; if none is, the state is unknown. */
export interface ContainerState {
  readonly waiting?: v1.ContainerStateWaiting;
  readonly running?: { readonly startedAt?: Time };
  readonly terminated?: ContainerStateTerminated;
}

export type ContainerStateWaiting = v1.ContainerStateWaiting;

export interface ContainerStateTerminated extends Omit<
  v1.ContainerStateTerminated,
  'startedAt' | 'finishedAt'
> {
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
}

export interface ContainerStatus extends Omit<v1.ContainerStatus, 'state' | 'lastState'> {
  readonly state: ContainerState;
  readonly lastTerminationState: ContainerState;
}

/** v1.PodStatus. An absent phase is Go's empty phase, which the API server never shows. */
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

/** metav1.ObjectMeta, as far as kprobe reads it. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly generation?: number;
  readonly creationTimestamp?: Time;
  /** When deletion was requested. The kubelet only checks whether it is set. */
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
}

/** v1.ConfigMap, as far as kprobe reads it. */
export interface ConfigMap {
  readonly name: string;
  readonly namespace: string;
  readonly data: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData: Readonly<Record<string, string>>;
}

/** v1.Secret as the API server stores it, with stringData merged into data. */
export interface Secret {
  readonly name: string;
  readonly namespace: string;
  /** Base64. */
  readonly data: Readonly<Record<string, string>>;
}
