import {
  type Decoded,
  type IntOrString,
  type ObjectMeta,
  type Pod,
  type PodSpec,
  type Time,
  type v1,
} from '../../api/index.js';

/** Objects of the API server for the controllers: immutable, and replaced as a whole. */
export type Strings = Readonly<Record<string, string>>;

/** The controller of an object (metav1.OwnerReference). */
export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface Meta extends ObjectMeta {
  readonly labels: Strings;
  readonly annotations: Strings;
  readonly generation: number;
  /** Whole seconds, as the API server stores times. */
  readonly creationTimestamp: Time;
  readonly owner?: Owner;
}

interface OfKind<Kind extends string> {
  readonly kind: Kind;
  readonly metadata: Meta;
}

export type LabelSelector = Decoded<v1.LabelSelector>;

export interface PodTemplate {
  readonly metadata: { readonly labels: Strings; readonly annotations?: Strings | undefined };
  readonly spec: PodSpec;
}

/** v1.Pod in the API server; `spec.nodeName` is empty until the pod is bound. */
export interface ApiPod extends Pod {
  readonly kind: 'Pod';
  readonly metadata: Meta;
}

/** Workloads that users create and controllers update. */
export type Workload = Deployment | StatefulSet | DaemonSet;
export type ApiObject =
  Workload | ReplicaSet | ControllerRevision | Service | PodDisruptionBudget | ApiPod;

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastUpdateTime: Time;
  readonly lastTransitionTime: Time;
  readonly reason: string;
}

/** Statuses of new objects. */
export const NO_STATUS = {
  ReplicaSet: {
    replicas: 0,
    fullyLabeledReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    observedGeneration: 0,
  },
  PodDisruptionBudget: {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    disruptionsAllowed: 0,
  },
  Deployment: {
    observedGeneration: 0,
    replicas: 0,
    updatedReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    unavailableReplicas: 0,
    conditions: [] as readonly Condition[],
  },
  StatefulSet: {
    observedGeneration: 0,
    replicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    currentReplicas: 0,
    updatedReplicas: 0,
    currentRevision: '',
    updateRevision: '',
  },
  DaemonSet: {
    observedGeneration: 0,
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    updatedNumberScheduled: 0,
    numberReady: 0,
    numberAvailable: 0,
    numberUnavailable: 0,
  },
};

type Status<Kind extends keyof typeof NO_STATUS> = Readonly<(typeof NO_STATUS)[Kind]>;

interface WorkloadSpec {
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
}

export interface ReplicaSet extends OfKind<'ReplicaSet'> {
  readonly spec: WorkloadSpec;
  readonly status: ReplicaSetStatus;
}

export interface ReplicaSetStatus extends Status<'ReplicaSet'> {
  /** Absent until the controller has seen the ReplicaSet. */
  readonly terminatingReplicas?: number;
}

type Strategy<RollingUpdate, Other extends string> =
  | { readonly type: 'RollingUpdate'; readonly rollingUpdate: RollingUpdate }
  | { readonly type: Other };

interface RollingUpdate {
  readonly maxSurge: IntOrString;
  readonly maxUnavailable: IntOrString;
}

export interface DeploymentSpec extends WorkloadSpec {
  readonly paused?: boolean | undefined;
  readonly strategy: Strategy<RollingUpdate, 'Recreate'>;
  readonly progressDeadlineSeconds?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
}

export interface Deployment extends OfKind<'Deployment'> {
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}

export interface DeploymentStatus extends Status<'Deployment'> {
  readonly terminatingReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
}

export interface Service extends OfKind<'Service'> {
  readonly spec: {
    /** Absent where the Service has no endpoints of its own. */
    readonly selector?: Strings | undefined;
    readonly publishNotReadyAddresses?: boolean | undefined;
  };
}

export interface PodDisruptionBudget extends OfKind<'PodDisruptionBudget'> {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly minAvailable?: IntOrString | undefined;
    readonly maxUnavailable?: IntOrString | undefined;
    readonly unhealthyPodEvictionPolicy?: string | undefined;
  };
  readonly status: Status<'PodDisruptionBudget'>;
}

/** A revision of a StatefulSet's or DaemonSet's template (apps/v1). */
export interface ControllerRevision extends OfKind<'ControllerRevision'> {
  readonly template: PodTemplate;
}

export interface StatefulSetSpec extends WorkloadSpec {
  readonly serviceName?: string | undefined;
  readonly podManagementPolicy: 'OrderedReady' | 'Parallel';
  /** The API server fills in no `rollingUpdate` beside a type that is written. */
  readonly updateStrategy: Strategy<StatefulSetRollingUpdate | undefined, 'OnDelete'>;
  readonly ordinals?: { readonly start?: number | undefined } | undefined;
}

export interface StatefulSetRollingUpdate {
  readonly partition: number;
  readonly maxUnavailable?: IntOrString | undefined;
}

export interface StatefulSet extends OfKind<'StatefulSet'> {
  readonly spec: StatefulSetSpec;
  readonly status: Status<'StatefulSet'>;
}

export interface DaemonSetSpec extends Omit<WorkloadSpec, 'replicas'> {
  readonly updateStrategy: Strategy<RollingUpdate, 'OnDelete'>;
}

export interface DaemonSet extends OfKind<'DaemonSet'> {
  readonly spec: DaemonSetSpec;
  readonly status: Status<'DaemonSet'>;
}

/** Ordinals below it, from the first one, keep the old template. */
export function partitionOf({ updateStrategy: strategy }: StatefulSetSpec): number {
  return strategy.type === 'RollingUpdate' ? (strategy.rollingUpdate?.partition ?? 0) : 0;
}

export function replicasOf(workload: Workload): number {
  return workload.kind === 'DaemonSet'
    ? workload.status.desiredNumberScheduled
    : workload.spec.replicas;
}

/** Returns the time as the API server stores it: without its fraction of a second. */
export function metaTime(now: number): Time {
  return Math.floor(now / 1000) * 1000;
}
