// Written by scripts/generate-schema.mjs.

/**
 * The types of core/v1, meta/v1, apps/v1 and batch/v1 that a pod or a workload is made of, as of k8s.io/api v0.36.3,
 * with the fields of v0.37.2 that kprobe knows: the fields of a Go struct by their JSON names, with `!` after a type that has no omitempty. A type without a name
 * is a struct whose fields are inlined. Named types that are not here are strings.
 */
export const API_TABLES = `
AWSElasticBlockStoreVolumeSource: volumeID string!, fsType string, partition int32, readOnly bool
Affinity: nodeAffinity *NodeAffinity, podAffinity *PodAffinity, podAntiAffinity *PodAntiAffinity
AppArmorProfile: type AppArmorProfileType!, localhostProfile *string
AzureDiskVolumeSource: diskName string!, diskURI string!, cachingMode *AzureDataDiskCachingMode,
  fsType *string, readOnly *bool, kind *AzureDataDiskKind
AzureFileVolumeSource: secretName string!, shareName string!, readOnly bool
CSIVolumeSource: driver string!, readOnly *bool, fsType *string, volumeAttributes map[string]string,
  nodePublishSecretRef *LocalObjectReference
Capabilities: add []Capability, drop []Capability
CephFSVolumeSource: monitors []string!, path string, user string, secretFile string,
  secretRef *LocalObjectReference, readOnly bool
CinderVolumeSource: volumeID string!, fsType string, readOnly bool, secretRef *LocalObjectReference
ClusterTrustBundleProjection: name *string, signerName *string, labelSelector *LabelSelector,
  optional *bool, path string!, user *int64
ConfigMap: TypeMeta, metadata ObjectMeta, immutable *bool, data map[string]string,
  binaryData map[string][]byte
ConfigMapEnvSource: LocalObjectReference, optional *bool
ConfigMapKeySelector: LocalObjectReference, key string!, optional *bool
ConfigMapProjection: LocalObjectReference, items []KeyToPath, optional *bool
ConfigMapVolumeSource: LocalObjectReference, items []KeyToPath, defaultMode *int32, optional *bool,
  defaultUser *int64
Container: name string!, image string, command []string, args []string, workingDir string,
  ports []ContainerPort, envFrom []EnvFromSource, env []EnvVar, resources ResourceRequirements,
  resizePolicy []ContainerResizePolicy, restartPolicy *ContainerRestartPolicy,
  restartPolicyRules []ContainerRestartRule, volumeMounts []VolumeMount,
  volumeDevices []VolumeDevice, livenessProbe *Probe, readinessProbe *Probe, startupProbe *Probe,
  lifecycle *Lifecycle, terminationMessagePath string,
  terminationMessagePolicy TerminationMessagePolicy, imagePullPolicy PullPolicy,
  securityContext *SecurityContext, stdin bool, stdinOnce bool, tty bool
ContainerExtendedResourceRequest: containerName string!, resourceName string!, requestName string!
ContainerPort: name string, hostPort int32, containerPort int32!, protocol Protocol, hostIP string
ContainerResizePolicy: resourceName ResourceName!, restartPolicy ResourceResizeRestartPolicy!
ContainerRestartRule: action ContainerRestartRuleAction, exitCodes *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator ContainerRestartRuleOnExitCodesOperator, values []int32
ContainerState: waiting *ContainerStateWaiting, running *ContainerStateRunning,
  terminated *ContainerStateTerminated
ContainerStateRunning: startedAt Time
ContainerStateTerminated: exitCode int32!, signal int32, reason string, message string,
  startedAt Time, finishedAt Time, containerID string
ContainerStateWaiting: reason string, message string
ContainerStatus: name string!, state ContainerState, lastState ContainerState, ready bool!,
  restartCount int32!, image string!, imageID string!, containerID string, started *bool,
  allocatedResources ResourceList, resources *ResourceRequirements,
  volumeMounts []VolumeMountStatus, user *ContainerUser, allocatedResourcesStatus []ResourceStatus,
  stopSignal *Signal
ContainerUser: linux *LinuxContainerUser
CronJob: TypeMeta, metadata ObjectMeta, spec CronJobSpec, status CronJobStatus
CronJobSpec: schedule string!, timeZone *string, startingDeadlineSeconds *int64,
  concurrencyPolicy ConcurrencyPolicy, suspend *bool, jobTemplate JobTemplateSpec!,
  successfulJobsHistoryLimit *int32, failedJobsHistoryLimit *int32
CronJobStatus: active []ObjectReference, lastScheduleTime *Time, lastSuccessfulTime *Time
DaemonSet: TypeMeta, metadata ObjectMeta, spec DaemonSetSpec, status DaemonSetStatus
DaemonSetCondition: type DaemonSetConditionType!, status ConditionStatus!, lastTransitionTime Time,
  reason string, message string
DaemonSetSpec: selector *LabelSelector!, template PodTemplateSpec!,
  updateStrategy DaemonSetUpdateStrategy, minReadySeconds int32, revisionHistoryLimit *int32
DaemonSetStatus: currentNumberScheduled int32!, numberMisscheduled int32!,
  desiredNumberScheduled int32!, numberReady int32!, observedGeneration int64,
  updatedNumberScheduled int32, numberAvailable int32, numberUnavailable int32,
  collisionCount *int32, conditions []DaemonSetCondition
DaemonSetUpdateStrategy: type DaemonSetUpdateStrategyType, rollingUpdate *RollingUpdateDaemonSet
Deployment: TypeMeta, metadata ObjectMeta, spec DeploymentSpec, status DeploymentStatus
DeploymentCondition: type DeploymentConditionType!, status ConditionStatus!, lastUpdateTime Time,
  lastTransitionTime Time, reason string, message string
DeploymentSpec: replicas *int32, selector *LabelSelector!, template PodTemplateSpec!,
  strategy DeploymentStrategy, minReadySeconds int32, revisionHistoryLimit *int32, paused bool,
  progressDeadlineSeconds *int32
DeploymentStatus: observedGeneration int64, replicas int32, updatedReplicas int32,
  readyReplicas int32, availableReplicas int32, unavailableReplicas int32,
  terminatingReplicas *int32, conditions []DeploymentCondition, collisionCount *int32
DeploymentStrategy: type DeploymentStrategyType, rollingUpdate *RollingUpdateDeployment
DownwardAPIProjection: items []DownwardAPIVolumeFile
DownwardAPIVolumeFile: path string!, fieldRef *ObjectFieldSelector,
  resourceFieldRef *ResourceFieldSelector, mode *int32, user *int64
DownwardAPIVolumeSource: items []DownwardAPIVolumeFile, defaultMode *int32, defaultUser *int64
EmptyDirVolumeSource: medium StorageMedium, sizeLimit *Quantity, mode *int32
EnvFromSource: prefix string, configMapRef *ConfigMapEnvSource, secretRef *SecretEnvSource
EnvVar: name string!, value string, valueFrom *EnvVarSource
EnvVarSource: fieldRef *ObjectFieldSelector, resourceFieldRef *ResourceFieldSelector,
  configMapKeyRef *ConfigMapKeySelector, secretKeyRef *SecretKeySelector,
  fileKeyRef *FileKeySelector
EphemeralContainer: EphemeralContainerCommon, targetContainerName string
EphemeralContainerCommon = Container
EphemeralVolumeSource: volumeClaimTemplate *PersistentVolumeClaimTemplate
EvictionResponder: name string!, priority *int32
ExecAction: command []string
FCVolumeSource: targetWWNs []string, lun *int32, fsType string, readOnly bool, wwids []string
FileKeySelector: volumeName string!, path string!, key string!, optional *bool
FlexVolumeSource: driver string!, fsType string, secretRef *LocalObjectReference, readOnly bool,
  options map[string]string
FlockerVolumeSource: datasetName string, datasetUUID string
GCEPersistentDiskVolumeSource: pdName string!, fsType string, partition int32, readOnly bool
GRPCAction: port int32!, service *string!, mode *GRPCProbeMode
GitRepoVolumeSource: repository string!, revision string, directory string
GlusterfsVolumeSource: endpoints string!, path string!, readOnly bool
HTTPGetAction: path string, port IntOrString!, host string, scheme URIScheme,
  httpHeaders []HTTPHeader, protocol *HTTPProtocol
HTTPHeader: name string!, value string!
HostAlias: ip string!, hostnames []string
HostIP: ip string!
HostPathVolumeSource: path string!, type *HostPathType
ISCSIVolumeSource: targetPortal string!, iqn string!, lun int32!, iscsiInterface string,
  fsType string, readOnly bool, portals []string, chapAuthDiscovery bool, chapAuthSession bool,
  secretRef *LocalObjectReference, initiatorName *string
ImageVolumeSource: reference string, pullPolicy PullPolicy
ImageVolumeStatus: imageRef string
Job: TypeMeta, metadata ObjectMeta, spec JobSpec, status JobStatus
JobCondition: type JobConditionType!, status ConditionStatus!, lastProbeTime Time,
  lastTransitionTime Time, reason string, message string
JobSpec: parallelism *int32, completions *int32, activeDeadlineSeconds *int64,
  podFailurePolicy *PodFailurePolicy, successPolicy *SuccessPolicy, backoffLimit *int32,
  backoffLimitPerIndex *int32, maxFailedIndexes *int32, selector *LabelSelector,
  manualSelector *bool, template PodTemplateSpec!, ttlSecondsAfterFinished *int32,
  completionMode *CompletionMode, suspend *bool, podReplacementPolicy *PodReplacementPolicy,
  managedBy *string
JobStatus: conditions []JobCondition, startTime *Time, completionTime *Time, active int32,
  succeeded int32, failed int32, terminating *int32, completedIndexes string, failedIndexes *string,
  uncountedTerminatedPods *UncountedTerminatedPods, ready *int32
JobTemplateSpec: metadata ObjectMeta, spec JobSpec
KeyToPath: key string!, path string!, mode *int32, user *int64
LabelSelector: matchLabels map[string]string, matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement: key string!, operator LabelSelectorOperator!, values []string
Lifecycle: postStart *LifecycleHandler, preStop *LifecycleHandler, stopSignal *Signal
LifecycleHandler: exec *ExecAction, httpGet *HTTPGetAction, tcpSocket *TCPSocketAction,
  sleep *SleepAction
LinuxContainerUser: uid int64!, gid int64!, supplementalGroups []int64
List: TypeMeta, metadata ListMeta, items []RawExtension!
ListMeta: selfLink string, resourceVersion string, continue string, remainingItemCount *int64,
  shardInfo *ShardInfo
LocalObjectReference: name string
ManagedFieldsEntry: manager string, operation ManagedFieldsOperationType, apiVersion string,
  time *Time, fieldsType string, fieldsV1 *FieldsV1, subresource string
ModifyVolumeStatus: targetVolumeAttributesClassName string,
  status PersistentVolumeClaimModifyVolumeStatus!
NFSVolumeSource: server string!, path string!, readOnly bool
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution *NodeSelector,
  preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus: resourceClaimName string!, containers []string,
  resources map[ResourceName]Quantity!
NodeSelector: nodeSelectorTerms []NodeSelectorTerm!
NodeSelectorRequirement: key string!, operator NodeSelectorOperator!, values []string
NodeSelectorTerm: matchExpressions []NodeSelectorRequirement, matchFields []NodeSelectorRequirement
ObjectFieldSelector: apiVersion string, fieldPath string!
ObjectMeta: name string, generateName string, namespace string, selfLink string, uid UID,
  resourceVersion string, generation int64, creationTimestamp Time, deletionTimestamp *Time,
  deletionGracePeriodSeconds *int64, labels map[string]string, annotations map[string]string,
  ownerReferences []OwnerReference, finalizers []string, managedFields []ManagedFieldsEntry
ObjectReference: kind string, namespace string, name string, uid UID, apiVersion string,
  resourceVersion string, fieldPath string
OwnerReference: apiVersion string!, kind string!, name string!, uid UID!, controller *bool,
  blockOwnerDeletion *bool
PersistentVolumeClaim: TypeMeta, metadata ObjectMeta, spec PersistentVolumeClaimSpec,
  status PersistentVolumeClaimStatus
PersistentVolumeClaimCondition: type PersistentVolumeClaimConditionType!, status ConditionStatus!,
  lastProbeTime Time, lastTransitionTime Time, reason string, message string
PersistentVolumeClaimSpec: accessModes []PersistentVolumeAccessMode, selector *LabelSelector,
  resources VolumeResourceRequirements, volumeName string, storageClassName *string,
  volumeMode *PersistentVolumeMode, dataSource *TypedLocalObjectReference,
  dataSourceRef *TypedObjectReference, volumeAttributesClassName *string
PersistentVolumeClaimStatus: phase PersistentVolumeClaimPhase,
  accessModes []PersistentVolumeAccessMode, capacity ResourceList,
  conditions []PersistentVolumeClaimCondition, allocatedResources ResourceList,
  allocatedResourceStatuses map[ResourceName]ClaimResourceStatus,
  currentVolumeAttributesClassName *string, modifyVolumeStatus *ModifyVolumeStatus
PersistentVolumeClaimTemplate: metadata ObjectMeta, spec PersistentVolumeClaimSpec!
PersistentVolumeClaimVolumeSource: claimName string!, readOnly bool
PhotonPersistentDiskVolumeSource: pdID string!, fsType string
Pod: TypeMeta, metadata ObjectMeta, spec PodSpec, status PodStatus
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAffinityTerm: labelSelector *LabelSelector, namespaces []string, topologyKey string!,
  namespaceSelector *LabelSelector, matchLabelKeys []string, mismatchLabelKeys []string
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodCertificateProjection: signerName string, keyType string, maxExpirationSeconds *int32,
  credentialBundlePath string, keyPath string, certificateChainPath string,
  userAnnotations map[string]string, user *int64
PodCondition: type PodConditionType!, observedGeneration int64, status ConditionStatus!,
  lastProbeTime Time, lastTransitionTime Time, reason string, message string
PodDNSConfig: nameservers []string, searches []string, options []PodDNSConfigOption
PodDNSConfigOption: name string, value *string
PodExtendedResourceClaimStatus: requestMappings []ContainerExtendedResourceRequest!,
  resourceClaimName string!
PodFailurePolicy: rules []PodFailurePolicyRule!
PodFailurePolicyOnExitCodesRequirement: containerName *string,
  operator PodFailurePolicyOnExitCodesOperator!, values []int32!
PodFailurePolicyOnPodConditionsPattern: type PodConditionType!, status ConditionStatus!
PodFailurePolicyRule: action PodFailurePolicyAction!,
  onExitCodes *PodFailurePolicyOnExitCodesRequirement,
  onPodConditions []PodFailurePolicyOnPodConditionsPattern
PodIP: ip string!
PodOS: name OSName!
PodReadinessGate: conditionType PodConditionType!
PodResourceClaim: name string!, resourceClaimName *string, resourceClaimTemplateName *string
PodResourceClaimStatus: name string!, resourceClaimName *string
PodSchedulingGate: name string!
PodSchedulingGroup: podGroupName *string
PodSecurityContext: seLinuxOptions *SELinuxOptions, windowsOptions *WindowsSecurityContextOptions,
  runAsUser *int64, runAsGroup *int64, runAsNonRoot *bool, supplementalGroups []int64,
  supplementalGroupsPolicy *SupplementalGroupsPolicy, fsGroup *int64, sysctls []Sysctl,
  fsGroupChangePolicy *PodFSGroupChangePolicy, seccompProfile *SeccompProfile,
  appArmorProfile *AppArmorProfile, seLinuxChangePolicy *PodSELinuxChangePolicy
PodSpec: volumes []Volume, initContainers []Container, containers []Container!,
  ephemeralContainers []EphemeralContainer, restartPolicy RestartPolicy,
  terminationGracePeriodSeconds *int64, activeDeadlineSeconds *int64, dnsPolicy DNSPolicy,
  nodeSelector map[string]string, serviceAccountName string, serviceAccount string,
  automountServiceAccountToken *bool, nodeName string, hostNetwork bool, hostPID bool, hostIPC bool,
  shareProcessNamespace *bool, securityContext *PodSecurityContext,
  imagePullSecrets []LocalObjectReference, hostname string, subdomain string, affinity *Affinity,
  schedulerName string, tolerations []Toleration, hostAliases []HostAlias, priorityClassName string,
  priority *int32, dnsConfig *PodDNSConfig, readinessGates []PodReadinessGate,
  runtimeClassName *string, enableServiceLinks *bool, preemptionPolicy *PreemptionPolicy,
  overhead ResourceList, topologySpreadConstraints []TopologySpreadConstraint,
  setHostnameAsFQDN *bool, os *PodOS, hostUsers *bool, schedulingGates []PodSchedulingGate,
  resourceClaims []PodResourceClaim, resources *ResourceRequirements, hostnameOverride *string,
  schedulingGroup *PodSchedulingGroup, evictionResponders []EvictionResponder
PodStatus: observedGeneration int64, phase PodPhase, conditions []PodCondition, message string,
  reason string, nominatedNodeName string, hostIP string, hostIPs []HostIP, podIP string,
  podIPs []PodIP, startTime *Time, initContainerStatuses []ContainerStatus,
  containerStatuses []ContainerStatus, qosClass PodQOSClass,
  ephemeralContainerStatuses []ContainerStatus, resize PodResizeStatus,
  resourceClaimStatuses []PodResourceClaimStatus,
  extendedResourceClaimStatus *PodExtendedResourceClaimStatus, allocatedResources ResourceList,
  resources *ResourceRequirements,
  nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus
PodTemplate: TypeMeta, metadata ObjectMeta, template PodTemplateSpec
PodTemplateSpec: metadata ObjectMeta, spec PodSpec
PortworxVolumeSource: volumeID string!, fsType string, readOnly bool
PreferredSchedulingTerm: weight int32!, preference NodeSelectorTerm!
Probe: ProbeHandler, initialDelaySeconds int32, timeoutSeconds int32, periodSeconds int32,
  successThreshold int32, failureThreshold int32, terminationGracePeriodSeconds *int64
ProbeHandler: exec *ExecAction, httpGet *HTTPGetAction, tcpSocket *TCPSocketAction, grpc *GRPCAction
ProjectedVolumeSource: sources []VolumeProjection!, defaultMode *int32, defaultUser *int64
QuobyteVolumeSource: registry string!, volume string!, readOnly bool, user string, group string,
  tenant string
RBDVolumeSource: monitors []string!, image string!, fsType string, pool string, user string,
  keyring string, secretRef *LocalObjectReference, readOnly bool
ReplicaSet: TypeMeta, metadata ObjectMeta, spec ReplicaSetSpec, status ReplicaSetStatus
ReplicaSetCondition: type ReplicaSetConditionType!, status ConditionStatus!,
  lastTransitionTime Time, reason string, message string
ReplicaSetSpec: replicas *int32, minReadySeconds int32, selector *LabelSelector!,
  template PodTemplateSpec
ReplicaSetStatus: replicas int32!, fullyLabeledReplicas int32, readyReplicas int32,
  availableReplicas int32, terminatingReplicas *int32, observedGeneration int64,
  conditions []ReplicaSetCondition
ReplicationController: TypeMeta, metadata ObjectMeta, spec ReplicationControllerSpec,
  status ReplicationControllerStatus
ReplicationControllerCondition: type ReplicationControllerConditionType!, status ConditionStatus!,
  lastTransitionTime Time, reason string, message string
ReplicationControllerSpec: replicas *int32, minReadySeconds int32, selector map[string]string,
  template *PodTemplateSpec
ReplicationControllerStatus: replicas int32!, fullyLabeledReplicas int32, readyReplicas int32,
  availableReplicas int32, observedGeneration int64, conditions []ReplicationControllerCondition
ResourceClaim: name string!, request string
ResourceFieldSelector: containerName string, resource string!, divisor Quantity
ResourceHealth: resourceID ResourceID!, health ResourceHealthStatus, message *string
ResourceRequirements: limits ResourceList, requests ResourceList, claims []ResourceClaim
ResourceStatus: name ResourceName!, resources []ResourceHealth
RollingUpdateDaemonSet: maxUnavailable *IntOrString, maxSurge *IntOrString
RollingUpdateDeployment: maxUnavailable *IntOrString, maxSurge *IntOrString
RollingUpdateStatefulSetStrategy: partition *int32, maxUnavailable *IntOrString
SELinuxOptions: user string, role string, type string, level string
ScaleIOVolumeSource: gateway string!, system string!, secretRef *LocalObjectReference!,
  sslEnabled bool, protectionDomain string, storagePool string, storageMode string,
  volumeName string, fsType string, readOnly bool
SeccompProfile: type SeccompProfileType!, localhostProfile *string
Secret: TypeMeta, metadata ObjectMeta, immutable *bool, data map[string][]byte,
  stringData map[string]string, type SecretType
SecretEnvSource: LocalObjectReference, optional *bool
SecretKeySelector: LocalObjectReference, key string!, optional *bool
SecretProjection: LocalObjectReference, items []KeyToPath, optional *bool
SecretVolumeSource: secretName string, items []KeyToPath, defaultMode *int32, optional *bool,
  defaultUser *int64
SecurityContext: capabilities *Capabilities, privileged *bool, seLinuxOptions *SELinuxOptions,
  windowsOptions *WindowsSecurityContextOptions, runAsUser *int64, runAsGroup *int64,
  runAsNonRoot *bool, readOnlyRootFilesystem *bool, allowPrivilegeEscalation *bool,
  procMount *ProcMountType, seccompProfile *SeccompProfile, appArmorProfile *AppArmorProfile
ServiceAccountTokenProjection: audience string, expirationSeconds *int64, path string!, user *int64
ShardInfo: selector string!
SleepAction: seconds int64!
StatefulSet: TypeMeta, metadata ObjectMeta, spec StatefulSetSpec, status StatefulSetStatus
StatefulSetCondition: type StatefulSetConditionType!, status ConditionStatus!,
  lastTransitionTime Time, reason string, message string
StatefulSetOrdinals: start int32!
StatefulSetPersistentVolumeClaimRetentionPolicy:
  whenDeleted PersistentVolumeClaimRetentionPolicyType,
  whenScaled PersistentVolumeClaimRetentionPolicyType
StatefulSetSpec: replicas *int32, selector *LabelSelector!, template PodTemplateSpec!,
  volumeClaimTemplates []PersistentVolumeClaim, serviceName string!,
  podManagementPolicy PodManagementPolicyType, updateStrategy StatefulSetUpdateStrategy,
  revisionHistoryLimit *int32, minReadySeconds int32,
  persistentVolumeClaimRetentionPolicy *StatefulSetPersistentVolumeClaimRetentionPolicy,
  ordinals *StatefulSetOrdinals
StatefulSetStatus: observedGeneration int64, replicas int32!, readyReplicas int32,
  currentReplicas int32, updatedReplicas int32, currentRevision string, updateRevision string,
  collisionCount *int32, conditions []StatefulSetCondition, availableReplicas int32!
StatefulSetUpdateStrategy: type StatefulSetUpdateStrategyType,
  rollingUpdate *RollingUpdateStatefulSetStrategy
StorageOSVolumeSource: volumeName string, volumeNamespace string, fsType string, readOnly bool,
  secretRef *LocalObjectReference
SuccessPolicy: rules []SuccessPolicyRule!
SuccessPolicyRule: succeededIndexes *string, succeededCount *int32
Sysctl: name string!, value string!
TCPSocketAction: port IntOrString!, host string
Toleration: key string, operator TolerationOperator, value string, effect TaintEffect,
  tolerationSeconds *int64
TopologySpreadConstraint: maxSkew int32!, topologyKey string!,
  whenUnsatisfiable UnsatisfiableConstraintAction!, labelSelector *LabelSelector, minDomains *int32,
  nodeAffinityPolicy *NodeInclusionPolicy, nodeTaintsPolicy *NodeInclusionPolicy,
  matchLabelKeys []string
TypeMeta: kind string, apiVersion string
TypedLocalObjectReference: apiGroup *string!, kind string!, name string!
TypedObjectReference: apiGroup *string!, kind string!, name string!, namespace *string
UncountedTerminatedPods: succeeded []UID, failed []UID
Volume: name string!, VolumeSource
VolumeDevice: name string!, devicePath string!
VolumeMount: name string!, readOnly bool, recursiveReadOnly *RecursiveReadOnlyMode,
  mountPath string!, subPath string, mountPropagation *MountPropagationMode, subPathExpr string,
  bindMountOptions []string
VolumeMountStatus: name string!, mountPath string!, readOnly bool,
  recursiveReadOnly *RecursiveReadOnlyMode, volumeStatus *VolumeStatus
VolumeProjection: secret *SecretProjection, downwardAPI *DownwardAPIProjection,
  configMap *ConfigMapProjection, serviceAccountToken *ServiceAccountTokenProjection,
  clusterTrustBundle *ClusterTrustBundleProjection, podCertificate *PodCertificateProjection
VolumeResourceRequirements: limits ResourceList, requests ResourceList
VolumeSource: hostPath *HostPathVolumeSource, emptyDir *EmptyDirVolumeSource,
  gcePersistentDisk *GCEPersistentDiskVolumeSource,
  awsElasticBlockStore *AWSElasticBlockStoreVolumeSource, gitRepo *GitRepoVolumeSource,
  secret *SecretVolumeSource, nfs *NFSVolumeSource, iscsi *ISCSIVolumeSource,
  glusterfs *GlusterfsVolumeSource, persistentVolumeClaim *PersistentVolumeClaimVolumeSource,
  rbd *RBDVolumeSource, flexVolume *FlexVolumeSource, cinder *CinderVolumeSource,
  cephfs *CephFSVolumeSource, flocker *FlockerVolumeSource, downwardAPI *DownwardAPIVolumeSource,
  fc *FCVolumeSource, azureFile *AzureFileVolumeSource, configMap *ConfigMapVolumeSource,
  vsphereVolume *VsphereVirtualDiskVolumeSource, quobyte *QuobyteVolumeSource,
  azureDisk *AzureDiskVolumeSource, photonPersistentDisk *PhotonPersistentDiskVolumeSource,
  projected *ProjectedVolumeSource, portworxVolume *PortworxVolumeSource,
  scaleIO *ScaleIOVolumeSource, storageos *StorageOSVolumeSource, csi *CSIVolumeSource,
  ephemeral *EphemeralVolumeSource, image *ImageVolumeSource
VolumeStatus: image *ImageVolumeStatus
VsphereVirtualDiskVolumeSource: volumePath string!, fsType string, storagePolicyName string,
  storagePolicyID string
WeightedPodAffinityTerm: weight int32!, podAffinityTerm PodAffinityTerm!
WindowsSecurityContextOptions: gmsaCredentialSpecName *string, gmsaCredentialSpec *string,
  runAsUserName *string, hostProcess *bool
ResourceList = map[ResourceName]Quantity
`;
