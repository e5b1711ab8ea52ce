import type { DecodedScalar, Tables, TypeName } from '../schema/decoded.js';

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
