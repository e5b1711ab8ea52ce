import type { DecodedScalar, Tables, TypeName } from './schema.js';

/** Enumerations: the tables only know that they are strings. */
interface Enums {
  readonly ContainerRestartPolicy: 'Always' | 'OnFailure' | 'Never';
  readonly ContainerRestartRuleAction: 'Restart' | 'RestartAllContainers';
  readonly ContainerRestartRuleOnExitCodesOperator: 'In' | 'NotIn';
  readonly ConditionStatus: 'True' | 'False' | 'Unknown';
  readonly DNSPolicy: 'ClusterFirstWithHostNet' | 'ClusterFirst' | 'Default' | 'None';
  readonly Protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly PullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  readonly RestartPolicy: 'Always' | 'OnFailure' | 'Never';
  readonly TerminationMessagePolicy: 'File' | 'FallbackToLogsOnError';
  readonly URIScheme: 'HTTP' | 'HTTPS';
}

/** Fields that defaulting or validation guarantees, besides those without omitempty. */
interface Guaranteed {
  readonly Container: 'image';
  readonly ContainerRestartRule: 'action';
  readonly ContainerRestartRuleOnExitCodes: 'operator';
  readonly LocalObjectReference: 'name';
  readonly PodSpec: 'containers' | 'restartPolicy';
  readonly Probe:
    | 'initialDelaySeconds'
    | 'timeoutSeconds'
    | 'periodSeconds'
    | 'successThreshold'
    | 'failureThreshold';
  readonly SecretVolumeSource: 'secretName';
}

type RequiredFields<Name extends TypeName> =
  | (Name extends keyof Guaranteed ? Guaranteed[Name] : never)
  | {
      [Field in keyof Tables[Name]]: Tables[Name][Field] extends `${infer Type}!`
        ? Type extends `*${string}` | `[]${string}`
          ? never
          : Field
        : never;
    }[keyof Tables[Name]];

/** A type of the API after defaulting and validation, read off the field tables. */
export type Stored<Name extends TypeName> = {
  readonly [Field in Extract<keyof Tables[Name], RequiredFields<Name>>]: StoredType<
    Tables[Name][Field]
  >;
} & {
  readonly [Field in Exclude<keyof Tables[Name], RequiredFields<Name> | ''>]?: StoredType<
    Tables[Name][Field]
  >;
} & (Tables[Name] extends { readonly '': infer Struct } ? StoredType<Struct> : unknown);

type StoredType<Type> = Type extends `${infer Required}!`
  ? StoredType<Required>
  : Type extends `*${infer Element}`
    ? StoredType<Element>
    : Type extends `[]${infer Element}`
      ? readonly StoredType<Element>[]
      : Type extends `map[${string}]${infer Element}`
        ? Readonly<Record<string, StoredType<Element>>>
        : Type extends keyof Enums
          ? Enums[Type]
          : Type extends TypeName
            ? Tables[Type] extends string
              ? StoredType<Tables[Type]>
              : Stored<Type>
            : Type extends 'Time'
              ? Time
              : DecodedScalar<Type>;

/** A point in time: milliseconds since the Unix epoch, as the Clock tells it. */
export type Time = number;
/** A port by number, or by the name of a container port. */
export type IntOrString = number | string;
/** Quantities as they are written, by resource name. */
export type ResourceList = Readonly<Record<string, string>>;
export type PullPolicy = Enums['PullPolicy'];
export type RestartPolicy = Enums['RestartPolicy'];

export type ConfigMapVolumeSource = Stored<'ConfigMapVolumeSource'>;
export type Container = Stored<'Container'>;
export type ContainerPort = Stored<'ContainerPort'>;
export type ContainerRestartRule = Stored<'ContainerRestartRule'>;
export type DownwardAPIVolumeSource = Stored<'DownwardAPIVolumeSource'>;
export type EnvFromSource = Stored<'EnvFromSource'>;
export type EnvVar = Stored<'EnvVar'>;
export type EnvVarSource = Stored<'EnvVarSource'>;
export type HTTPGetAction = Stored<'HTTPGetAction'>;
export type HTTPHeader = Stored<'HTTPHeader'>;
/** A key of a ConfigMap or a Secret. */
export type KeySelector = Stored<'ConfigMapKeySelector'>;
export type KeyToPath = Stored<'KeyToPath'>;
export type Lifecycle = Stored<'Lifecycle'>;
export type LifecycleHandler = Stored<'LifecycleHandler'>;
export type ObjectFieldSelector = Stored<'ObjectFieldSelector'>;
export type PodSpec = Stored<'PodSpec'>;
export type Probe = Stored<'Probe'>;
export type ProjectedVolumeSource = Stored<'ProjectedVolumeSource'>;
export type ResourceFieldSelector = Stored<'ResourceFieldSelector'>;
export type ResourceRequirements = Stored<'ResourceRequirements'>;
export type SecretVolumeSource = Stored<'SecretVolumeSource'>;
export type SecurityContext = Stored<'SecurityContext'>;
export type TCPSocketAction = Stored<'TCPSocketAction'>;
export type Volume = Stored<'Volume'>;
export type VolumeMount = Stored<'VolumeMount'>;
export type VolumeProjection = Stored<'VolumeProjection'>;

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';
export type PodCondition = Stored<'PodCondition'>;
/** At most one of the three is set; none means that nothing is known. */
export type ContainerState = Stored<'ContainerState'>;
export type ContainerStateWaiting = Stored<'ContainerStateWaiting'>;
export type ContainerStateRunning = Stored<'ContainerStateRunning'>;
export type ContainerStateTerminated = Stored<'ContainerStateTerminated'>;
export type VolumeMountStatus = Stored<'VolumeMountStatus'>;

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

/** metav1.ObjectMeta, as far as kprobe reads it. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly creationTimestamp?: Time;
  /** When deletion was asked for; its presence is what the kubelet looks at. */
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
}

/** v1.ConfigMap, as far as kprobe reads it. */
export interface ConfigMap {
  readonly name: string;
  readonly namespace: string;
  readonly data: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData: Readonly<Record<string, string>>;
}

/** v1.Secret as the API server stores it, stringData folded in. */
export interface Secret {
  readonly name: string;
  readonly namespace: string;
  /** Base64. */
  readonly data: Readonly<Record<string, string>>;
}
