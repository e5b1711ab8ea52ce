/* eslint-disable max-lines -- data */
// Written by scripts/generate-types.mjs.

/** The types of k8s.io/api as a server stores them: with defaults, and valid. Times are texts. */

export type IntOrString = number | string;
export type ConditionStatus = 'True' | 'False' | 'Unknown';
export type ContainerRestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type ContainerRestartRuleAction = 'Restart' | 'RestartAllContainers';
export type ContainerRestartRuleOnExitCodesOperator = 'In' | 'NotIn';
export type GRPCProbeMode = 'Plaintext' | 'TLS';
export type HTTPProtocol = 'HTTP1' | 'HTTP2';
export type DNSPolicy = 'ClusterFirstWithHostNet' | 'ClusterFirst' | 'Default' | 'None';
export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';
export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type TerminationMessagePolicy = 'File' | 'FallbackToLogsOnError';
export type URIScheme = 'HTTP' | 'HTTPS';
export type AWSElasticBlockStoreVolumeSource = { readonly partition?: number };
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
}
export type AppArmorProfile = { readonly type: string; readonly localhostProfile?: string };
export interface AzureDiskVolumeSource {
  readonly diskURI: string;
  readonly cachingMode?: string;
  readonly kind?: string;
}
export interface CSIVolumeSource {
  readonly driver: string;
  readonly nodePublishSecretRef?: LocalObjectReference;
}
export type Capabilities = { readonly add?: readonly string[]; readonly drop?: readonly string[] };
export type CephFSVolumeSource = { readonly monitors?: readonly string[] };
export type CinderVolumeSource = { readonly secretRef?: LocalObjectReference };
export interface ClusterTrustBundleProjection {
  readonly name?: string;
  readonly signerName?: string;
  readonly labelSelector?: LabelSelector;
  readonly optional?: boolean;
  readonly path: string;
  readonly user?: number;
}
export interface ConfigMap extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}
export type ConfigMapEnvSource = LocalObjectReference & { readonly optional?: boolean };
export interface ConfigMapKeySelector extends LocalObjectReference {
  readonly key: string;
  readonly optional?: boolean;
}
export interface ConfigMapProjection extends LocalObjectReference {
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}
export interface ConfigMapVolumeSource extends LocalObjectReference {
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: ContainerRestartPolicy;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: TerminationMessagePolicy;
  readonly imagePullPolicy?: PullPolicy;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}
export interface ContainerPort {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort: number;
  readonly protocol?: Protocol;
  readonly hostIP?: string;
}
export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}
export interface ContainerRestartRule {
  readonly action: ContainerRestartRuleAction;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
}
export interface ContainerRestartRuleOnExitCodes {
  readonly operator: ContainerRestartRuleOnExitCodesOperator;
  readonly values?: readonly number[];
}
export interface ContainerState {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
}
export type ContainerStateRunning = { readonly startedAt?: string };
export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly containerID?: string;
}
export type ContainerStateWaiting = { readonly reason?: string; readonly message?: string };
export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMountStatus[];
}
export type CronJob = TypeMeta & { readonly metadata?: ObjectMeta; readonly spec?: CronJobSpec };
export interface CronJobSpec {
  readonly schedule: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  readonly concurrencyPolicy?: string;
  readonly jobTemplate: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}
export interface DaemonSet extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: DaemonSetSpec;
}
export interface DaemonSetSpec {
  readonly selector?: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
}
export interface DaemonSetUpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
}
export interface Deployment extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: DeploymentSpec;
}
export interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector?: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
}
export interface DeploymentStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeployment;
}
export type DownwardAPIProjection = { readonly items?: readonly DownwardAPIVolumeFile[] };
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
export type EmptyDirVolumeSource = { readonly medium?: string; readonly sizeLimit?: string };
export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: ConfigMapEnvSource;
  readonly secretRef?: SecretEnvSource;
}
export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}
export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly secretKeyRef?: SecretKeySelector;
  readonly fileKeyRef?: FileKeySelector;
}
export interface EphemeralContainer extends EphemeralContainerCommon {
  readonly targetContainerName?: string;
}
export type EphemeralContainerCommon = Container;
export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}
export type ExecAction = { readonly command?: readonly string[] };
export interface FCVolumeSource {
  readonly targetWWNs?: readonly string[];
  readonly lun?: number;
  readonly wwids?: readonly string[];
}
export interface FileKeySelector {
  readonly volumeName: string;
  readonly path: string;
  readonly key: string;
  readonly optional?: boolean;
}
export type FlexVolumeSource = { readonly options?: Readonly<Record<string, string>> };
export type FlockerVolumeSource = { readonly datasetName?: string; readonly datasetUUID?: string };
export type GCEPersistentDiskVolumeSource = { readonly partition?: number };
export interface GRPCAction {
  readonly port: number;
  readonly service?: string;
  readonly mode?: GRPCProbeMode;
}
export type GitRepoVolumeSource = { readonly directory?: string };
export interface HTTPGetAction {
  readonly path?: string;
  readonly port: IntOrString;
  readonly host?: string;
  readonly scheme?: URIScheme;
  readonly httpHeaders?: readonly HTTPHeader[];
  readonly protocol?: HTTPProtocol;
}
export type HTTPHeader = { readonly name: string; readonly value: string };
export type HostAlias = { readonly ip: string; readonly hostnames?: readonly string[] };
export type HostIP = { readonly ip: string };
export type HostPathVolumeSource = { readonly path: string; readonly type?: string };
export interface ISCSIVolumeSource {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly initiatorName?: string;
}
export type ImageVolumeSource = { readonly reference?: string; readonly pullPolicy?: PullPolicy };
export type Job = TypeMeta & { readonly metadata?: ObjectMeta; readonly spec?: JobSpec };
export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
}
export type JobTemplateSpec = { readonly metadata?: ObjectMeta; readonly spec?: JobSpec };
export type KeyToPath = { readonly key: string; readonly path: string; readonly mode?: number };
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
}
export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
}
export type LocalObjectReference = { readonly name: string };
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly subresource?: string;
}
export type NFSVolumeSource = { readonly server: string; readonly path: string };
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
}
export type NodeSelector = { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };
export type NodeSelectorRequirement = LabelSelectorRequirement;
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}
export type ObjectFieldSelector = { readonly apiVersion?: string; readonly fieldPath: string };
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}
export interface PersistentVolumeClaim extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
}
export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelector;
  readonly resources?: VolumeResourceRequirements;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly volumeAttributesClassName?: string;
}
export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
}
export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}
export interface Pod extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}
export type PodAntiAffinity = PodAffinity;
export interface PodCertificateProjection {
  readonly signerName?: string;
  readonly keyType?: string;
  readonly maxExpirationSeconds?: number;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly certificateChainPath?: string;
  readonly userAnnotations?: Readonly<Record<string, string>>;
}
export interface PodCondition {
  readonly type: string;
  readonly observedGeneration?: number;
  readonly status: ConditionStatus;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}
export interface PodDNSConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly PodDNSConfigOption[];
}
export type PodDNSConfigOption = { readonly name?: string; readonly value?: string };
export type PodFailurePolicy = { readonly rules?: readonly PodFailurePolicyRule[] };
export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: string;
  readonly values?: readonly number[];
}
export interface PodFailurePolicyOnPodConditionsPattern {
  readonly type: string;
  readonly status: ConditionStatus;
}
export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}
export type PodIP = { readonly ip: string };
export type PodOS = { readonly name: string };
export type PodReadinessGate = { readonly conditionType: string };
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}
export type PodSchedulingGate = { readonly name: string };
export interface PodSecurityContext {
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly seLinuxChangePolicy?: string;
}
export interface PodSpec {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly restartPolicy: RestartPolicy;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: DNSPolicy;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly HostAlias[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly dnsConfig?: PodDNSConfig;
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  readonly overhead?: Readonly<Record<string, string>>;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: PodOS;
  readonly hostUsers?: boolean;
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly hostnameOverride?: string;
}
export interface PodStatus {
  readonly conditions?: readonly PodCondition[];
  readonly hostIPs?: readonly HostIP[];
  readonly podIPs?: readonly PodIP[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}
export interface PodTemplate extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly template?: PodTemplateSpec;
}
export type PodTemplateSpec = { readonly metadata?: ObjectMeta; readonly spec?: PodSpec };
export interface PreferredSchedulingTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}
export interface Probe extends ProbeHandler {
  readonly initialDelaySeconds: number;
  readonly timeoutSeconds: number;
  readonly periodSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  readonly terminationGracePeriodSeconds?: number;
}
export interface ProbeHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
}
export interface ProjectedVolumeSource {
  readonly sources?: readonly VolumeProjection[];
  readonly defaultMode?: number;
}
export interface QuobyteVolumeSource {
  readonly registry: string;
  readonly volume: string;
  readonly tenant?: string;
}
export type RBDVolumeSource = { readonly monitors?: readonly string[]; readonly image: string };
export interface ReplicaSet extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: ReplicaSetSpec;
}
export interface ReplicaSetSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}
export interface ReplicationController extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: ReplicationControllerSpec;
}
export interface ReplicationControllerSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly template?: PodTemplateSpec;
}
export type ResourceClaim = { readonly name: string; readonly request?: string };
export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}
export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly claims?: readonly ResourceClaim[];
}
export interface RollingUpdateDaemonSet {
  readonly maxUnavailable?: IntOrString;
  readonly maxSurge?: IntOrString;
}
export type RollingUpdateDeployment = RollingUpdateDaemonSet;
export interface RollingUpdateStatefulSetStrategy {
  readonly partition?: number;
  readonly maxUnavailable?: IntOrString;
}
export type SeccompProfile = { readonly type: string; readonly localhostProfile?: string };
export interface Secret extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}
export type SecretEnvSource = LocalObjectReference & { readonly optional?: boolean };
export type SecretKeySelector = ConfigMapKeySelector;
export type SecretProjection = ConfigMapProjection;
export interface SecretVolumeSource {
  readonly secretName: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}
export interface SecurityContext {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
}
export interface ServiceAccountTokenProjection {
  readonly expirationSeconds?: number;
  readonly path: string;
}
export type SleepAction = { readonly seconds: number };
export interface StatefulSet extends TypeMeta {
  readonly metadata?: ObjectMeta;
  readonly spec?: StatefulSetSpec;
}
export type StatefulSetOrdinals = { readonly start: number };
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}
export interface StatefulSetSpec {
  readonly replicas?: number;
  readonly selector?: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
  readonly serviceName: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
}
export interface StatefulSetUpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
export interface StorageOSVolumeSource {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly secretRef?: LocalObjectReference;
}
export type SuccessPolicy = { readonly rules?: readonly SuccessPolicyRule[] };
export interface SuccessPolicyRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}
export type Sysctl = { readonly name: string; readonly value: string };
export type TCPSocketAction = { readonly port: IntOrString; readonly host?: string };
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}
export type TypeMeta = { readonly kind?: string; readonly apiVersion?: string };
export interface TypedLocalObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}
export interface TypedObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}
export type Volume = VolumeSource & { readonly name: string };
export type VolumeDevice = { readonly name: string; readonly devicePath: string };
export interface VolumeMount {
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
}
export interface VolumeMountStatus {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
}
export interface VolumeProjection {
  readonly secret?: SecretProjection;
  readonly downwardAPI?: DownwardAPIProjection;
  readonly configMap?: ConfigMapProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly podCertificate?: PodCertificateProjection;
}
export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}
export interface VolumeSource {
  readonly hostPath?: HostPathVolumeSource;
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: object;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: object;
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: object;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: object;
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: object;
  readonly scaleIO?: object;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
}
export interface WeightedPodAffinityTerm {
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}
export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}
