/** A port by number, or by the name of a container port. */
export type IntOrString = number | string;

export type URIScheme = 'HTTP' | 'HTTPS';

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

export interface HTTPGetAction {
  readonly path?: string;
  readonly port: IntOrString;
  readonly host?: string;
  readonly scheme?: URIScheme;
  readonly httpHeaders?: readonly HTTPHeader[];
}

export interface TCPSocketAction {
  readonly port: IntOrString;
  readonly host?: string;
}

export interface GRPCAction {
  readonly port: number;
  readonly service?: string;
}

export interface ExecAction {
  readonly command?: readonly string[];
}

/** v1.Probe after defaulting: the numbers are always there. Of several handlers the first in this order counts. */
export interface Probe {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  /** Seconds from the container's start to the first attempt. */
  readonly initialDelaySeconds: number;
  readonly timeoutSeconds: number;
  readonly periodSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** The grace period of a kill that this probe causes; the pod's when unset. */
  readonly terminationGracePeriodSeconds?: number;
}

export interface SleepAction {
  readonly seconds: number;
}

/** One hook's handler. `tcpSocket` is accepted by the API and refused by the kubelet. */
export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
}

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/** A key of a ConfigMap or a Secret. */
export interface KeySelector {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: KeySelector;
  readonly secretKeyRef?: KeySelector;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

/** A whole ConfigMap or Secret by name. */
interface EnvSourceRef {
  readonly name: string;
  readonly optional?: boolean;
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: EnvSourceRef;
  readonly secretRef?: EnvSourceRef;
}

/** Quantities as they are written, by resource name. */
export type ResourceList = Readonly<Record<string, string>>;

export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

export interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: Capabilities;
}

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';
export type ContainerRestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type TerminationMessagePolicy = 'File' | 'FallbackToLogsOnError';

export interface ContainerRestartRule {
  readonly action: 'Restart' | 'RestartAllContainers';
  readonly exitCodes?: {
    readonly operator: 'In' | 'NotIn';
    readonly values?: readonly number[];
  };
}

/** v1.Container after defaulting. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: PullPolicy;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: TerminationMessagePolicy;
  /** On an init container, `Always` makes it a sidecar. */
  readonly restartPolicy?: ContainerRestartPolicy;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly stdin?: boolean;
  readonly tty?: boolean;
}
