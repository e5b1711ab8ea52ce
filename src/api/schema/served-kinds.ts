/**
 * The kinds that the scheme of an API server of v1.36 knows, by the versions that it serves by default (`served`
 * in pkg/controlplane/instance.go); those of requests that every version has are left out.
 */
const SERVED_KINDS: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io/v1': withLists(`
    MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration
  `),
  'apps/v1': withLists('ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet'),
  'authentication.k8s.io/v1': words('SelfSubjectReview TokenRequest TokenReview'),
  'authorization.k8s.io/v1': words(`
    LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
  `),
  'autoscaling/v1': [...withLists('HorizontalPodAutoscaler'), ...words('Scale')],
  'autoscaling/v2': withLists('HorizontalPodAutoscaler'),
  'batch/v1': withLists('CronJob Job'),
  'certificates.k8s.io/v1': withLists('CertificateSigningRequest'),
  'coordination.k8s.io/v1': withLists('Lease'),
  'discovery.k8s.io/v1': withLists('EndpointSlice'),
  'events.k8s.io/v1': withLists('Event'),
  'flowcontrol.apiserver.k8s.io/v1': withLists('FlowSchema PriorityLevelConfiguration'),
  'networking.k8s.io/v1': withLists('IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR'),
  'node.k8s.io/v1': withLists('RuntimeClass'),
  'policy/v1': [...withLists('PodDisruptionBudget'), ...words('Eviction')],
  'rbac.authorization.k8s.io/v1': withLists('ClusterRole ClusterRoleBinding Role RoleBinding'),
  'resource.k8s.io/v1': withLists('DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice'),
  'scheduling.k8s.io/v1': withLists('PriorityClass'),
  'storage.k8s.io/v1': withLists(`
    CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass
  `),
  v1: [
    ...withLists(`
    APIGroup ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume
    PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service
    ServiceAccount
  `),
    ...words(`
    APIResourceList APIVersions Binding List NodeProxyOptions PodAttachOptions PodExecOptions
    PodLogOptions PodPortForwardOptions PodProxyOptions PodStatusResult RangeAllocation
    SerializedReference ServiceProxyOptions Status
  `),
  ],
};

/** The kinds that every version has besides its own: AddToGroupVersion (apimachinery pkg/apis/meta/v1/register.go). */
const REQUEST_KINDS = words(
  'CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent',
);

/** Returns true for a kind of a version that a server knows by default. */
export function isServed(version: string, kind: string): boolean {
  if (!Object.hasOwn(SERVED_KINDS, version)) return false;
  return REQUEST_KINDS.includes(kind) || SERVED_KINDS[version]?.includes(kind) === true;
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Each kind, and the kind of its lists. */
function withLists(text: string): readonly string[] {
  return words(text).flatMap((kind) => [kind, `${kind}List`]);
}
