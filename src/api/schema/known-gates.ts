/**
 * The feature gates of each release, printed by scripts/generate-gates.mjs. Each row has one sign per release: `+` on by default,
 * `-` off by default, `T` locked on, `F` locked off, `.` unknown.
 */
export const KNOWN_GATES = `
++++++ APIResponseCompression APIServerIdentity CPUManagerPolicyBetaOptions ContainerCheckpoint GracefulNodeShutdown
++++++ GracefulNodeShutdownBasedOnPodPriority KubeletSeparateDiskGC MatchLabelKeysInPodTopologySpread OpenAPIEnums
++++++ PodDeletionCost PortForwardWebsockets ReloadKubeletServerCertificateFile RotateKubeletServerCertificate
++++++ StorageNamespaceIndex StorageVersionHash TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests
++++++ UnauthenticatedHTTP2DOSMitigation
+++++T PodReadyToStartContainersCondition
++++TT SELinuxMountReadWriteOncePod TopologyManagerPolicyOptions
+++TTT ExecProbeTimeout ImageMaximumGCAge JobManagedBy SystemdWatchdog
++TTT. APIServerTracing AnonymousAuthConfigurableEndpoints AuthorizeNodeWithSelectors AuthorizeWithSelectors
++TTT. ConsistentListFromCache JobPodReplacementPolicy PodLifecycleSleepAction ResilientWatchCacheInitialization
++TTT. SchedulerQueueingHints StructuredAuthenticationConfiguration
++TTTT KubeletCgroupDriverFromCRI KubeletTracing NodeSwap RecoverVolumeExpansionFailure
++TTTT RelaxedEnvironmentVariableValidation SeparateTaintEvictionController WinOverlay
+-++++ WatchList
+----- WindowsHostNetwork
+---FF SeparateCacheWatchRPC
+TTT.. CSIMigrationPortworx HonorPVReclaimPolicy ServiceTrafficDistribution TopologyAwareHints
+TTTT. AnyVolumeDataSource BtreeWatchCache JobBackoffLimitPerIndex JobSuccessPolicy SidecarContainers
+TTTTT CPUManagerPolicyOptions CRDValidationRatcheting MatchLabelKeysInPodAffinity NFTablesProxyMode
+TTTTT NodeInclusionPolicyInPodTopologySpread RecursiveReadOnlyMounts ServiceAccountTokenNodeBinding
-+++++ RemoteRequestHeaderUID SchedulerAsyncPreemption ServiceAccountNodeAudienceRestriction
-++++T DRAResourceClaimDeviceStatus
-+++TT DisableNodeKubeProxyVersion KubeletFineGrainedAuthz ProcMountType SELinuxChangePolicy UserNamespacesSupport
-++TTT InPlacePodVerticalScaling SupplementalGroupsPolicy
-+TTT. OrderedNamespaceDeletion PodLifecycleSleepActionAllowZero RelaxedDNSSearchValidation
-+TTTT MultiCIDRServiceAllocator WinDSR
--++++ PodLevelResources WindowsGracefulNodeShutdown
--++TT DRAAdminAccess ExternalServiceAccountTokenSigner KubeletPodResourcesDynamicResources KubeletPodResourcesGet
--++TT VolumeAttributesClass
--+TTT DisableAllocatorDualWrite DynamicResourceAllocation
---+++ InformerResourceVersion KubeletCrashLoopBackOffMax WatchListClient
---+TT ImageVolume
----++ ComponentFlagz ComponentStatusz CustomCPUCFSQuotaPeriod MutatingAdmissionPolicy ResourceHealthStatus
----++ UnknownVersionInteroperabilityProxy
----+T WatchCacheInitializationPostStartHook
-----+ AllowUnsafeMalformedObjectDeletion ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode
-----+ HPAScaleToZero KubeletInUserNamespace MaxUnavailableStatefulSet MemoryQoS SELinuxMount StorageVersionMigrator
------ APIServingWithRoutine AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests CBORServingAndStorage
------ CPUManagerPolicyAlphaOptions CSIVolumeHealth ClientsAllowCBOR ClientsPreferCBOR CloudControllerManagerWebhook
------ CoordinatedLeaderElection CrossNamespaceVolumeDataSource EventedPLEG InPlacePodVerticalScalingExclusiveCPUs
------ KMSv1 KubeletRegistrationGetOnExistsOnly LocalStorageCapacityIsolationFSQuotaMonitoring
------ PodAndContainerStatsFromCRI PodLogsQuerySplitStreams QOSReserved RuntimeClassInImageCriApi StorageVersionAPI
------ TopologyManagerPolicyAlphaOptions WindowsCPUAndMemoryAffinity
----.. InPlacePodVerticalScalingAllocatedStatus InTreePluginPortworxUnregister
----TT NodeLogQuery
---... UserNamespacesPodSecurityStandards
---FFF AllowOverwriteTerminationGracePeriodSeconds
-..... VolumeCapacityPriority
-FFF.. WatchFromStorageWithoutResourceVersion
.+++++ AllowParsingUserUIDFromCertAuth SchedulerPopFromBackoffQ
.++++T DisableCPUQuotaWithExclusiveCPUs
.+++TT DeclarativeValidation InOrderInformers
.++TTT AggregatedDiscoveryRemoveBetaType
.+TTT. StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
.-++++ KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot
.-+++T DRAPrioritizedList
.-++TT KubeletPSI
.-+TTT PodObservedGenerationTracking PreferSameTrafficDistribution
.--+++ DeploymentReplicaSetTerminatingReplicas KubeletEnsureSecretPulledImages PodTopologyLabelsAdmission
.--++T HPAConfigurableTolerance
.--+TT MutableCSINodeAllocatableCount
.---++ DRADeviceTaints DRAPartitionableDevices StrictIPCIDRValidation
.----+ StorageCapacityScoring
.----- ContainerStopSignals ReduceDefaultCrashLoopBackOffDecay
.----F DeclarativeValidationTakeover
.---FF GitRepoVolumeDriver
.-.... LegacySidecarContainers
..++++ DRASchedulerFilterTimeout DetectCacheInconsistency KubeletPodResourcesListUseActivePods
..++++ MatchLabelKeysInPodTopologySpreadSelectorMerge SizeBasedListCostEstimate StatefulSetSemanticRevisionComparison
..++++ StructuredAuthenticationConfigurationEgressSelector TokenRequestServiceAccountUIDValidation
..+++. PreventStaticPodAPIReferences
..-+++ ClearingNominatedNodeNameAfterBinding ContainerRestartRules EnvFiles NominatedNodeNameForExpectation
..-++T HostnameOverride
..--++ DRAConsumableCapacity DRADeviceBindingConditions
..--+T DRAExtendedResource RelaxedServiceNameValidation
..---+ PodCertificateRequest
..---- InPlacePodVerticalScalingExclusiveMemory SchedulerAsyncAPICalls
...+++ AuthorizePodWebsocketUpgradeCreatePermission InOrderInformersBatchProcess OpportunisticBatching
...+++ StructuredAuthenticationConfigurationJWKSMetrics
...+TT CSIServiceAccountTokenSecrets
...-++ CRDObservedGenerationTracking ConstrainedImpersonation InPlacePodLevelResourcesVerticalScaling
...-++ MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs
...-++ RestartAllContainersOnContainerExits
...-+T NodeDeclaredFeatures
...--+ DRADeviceTaintRules VolumeLimitScaling
...--- ChangeContainerStatusOnKubeletRestart CloudControllerManagerWatchBasedRoutesReconciliation GenericWorkload
...--- MutablePVNodeAffinity TaintTolerationComparisonOperators UserNamespacesHostNetworkSupport
...--. GangScheduling
....++ AllowServiceExternalIPs AtomicFIFO ClientsAllowCARotation ClientsAllowTLSCacheGC
....++ DRAResourceClaimGranularStatusAuthorization DeclarativeValidationBeta ExtendWebSocketsToKubelet
....++ ReloadKubeletClientCAFile ResourceHealthStatusMessage ServiceCIDRStatusFieldWiping
....++ StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
....++ StaleControllerConsistencyStatefulSet UnlockWhileProcessingFIFO
....+T InPlacePodVerticalScalingInitContainers PLEGOnDemandRelist
....-+ ManifestBasedAdmissionControlConfig PersistentVolumeClaimUnusedSinceTime PodsAPI
....-- CRIListStreaming DRAListTypeAttributes DRANodeAllocatableResources DRAResourcePoolStatus
....-- DRAWorkloadResourceClaims ImageVolumeWithDigest PodLevelResourceManagers ShardedListAndWatch
....-- TopologyAwareWorkloadScheduling WorkloadWithJob
....-. WorkloadAwarePreemption
.....+ EtcdRangeStream ExcludeAdmissionWebhookVirtualResources HPAGeneration HPAOptimizedSelectorStore
.....+ HugepageAwareEviction KubeProxyIPVS NFTablesNetlink NodeControllerLeaseCircuitBreaker
.....+ PodLevelResourcesFixDefaulting PodLevelResourcesFixKubeletQOSClass StaleControllerConsistencyHPA
.....+ WatchListCompression WebhookRoundTripLoadBalancing
.....- APIServerWebhookAuthenticationToken AtomicWriteVolumeUserFields CompositePodGroup
.....- ConsistentListFromCacheSkipTimeoutFallback DRADerivedAttributes DRADeviceCompatibilityGroups
.....- DRAFractionalCapacityRange DRAOptionalNodeOperations DRAPartitionableDevicesType DefaultPodSysctls
.....- EmptyDirVolumeMode EvictionRequestAPI GRPCContainerProbeTLS H2CContainerProbe
.....- InPlacePodVerticalScalingMemoryBackedVolumes InPlacePodVerticalScalingSchedulerPreemption
.....- InterPodAffinityHostnameFastPath KubeProxyNFTablesLocalhostNodePorts KubeletAllocatedPodsEndpoint
.....- NodeLifecycleConditions PodGroupPreemptionPolicy SchedulerPreQueueingHints StatefulSetRecreateStrategy
.....- VolumeBindMountOptions
..T... ProbeHostPodSecurityStandards
FFF... AllowServiceLBStatusOnNonLB
T..... APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor AppArmorFields CPUManager
T..... DisableCloudProviders DisableKubeletCloudCredentialProviders EfficientWatchResumption JobPodFailurePolicy
T..... KubeProxyDrainingTerminatingNodes PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime
T..... RemainingItemCount WatchBookmark
TT.... DevicePluginCDIDevices ElasticIndexedJob PodDisruptionConditions StatefulSetStartOrdinal
TTT... CronJobsScheduledAnnotation LoadBalancerIPMode PodIndexLabel SizeMemoryBackedVolumes StatefulSetAutoDeletePVC
TTT... StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
TTTT.. MemoryManager StructuredAuthorizationConfiguration
TTTTT. LogarithmicScaleDown RetryGenerateName
TTTTTT CustomResourceFieldSelectors PodSchedulingReadiness ServiceAccountTokenJTI
TTTTTT ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
`;
