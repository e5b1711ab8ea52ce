import {
  type Admission,
  foundPodKinds,
  type PodKind,
  podKind,
  setServiceAccount,
} from '../../api/admission/index.js';
import type { JsonNode } from '../../go/json-node.js';
import { suggest } from '../suggest.js';
import type { ManifestObject } from './manifest-object.js';

type Classified =
  | { readonly kind: 'pod'; readonly podKind: PodKind }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'unknown';
      readonly field: string;
      readonly message: string;
      readonly hint?: string;
    };

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

/** The versions of the groups that have pods in them: a kind that is not there is misspelled. */
const POD_VERSIONS = ['v1', 'apps/v1', 'batch/v1'];

/** Returns the kinds of a version that a misspelled one may mean. */
function likelyKinds(version: string): readonly string[] {
  return (SERVED_KINDS[version] ?? []).filter((kind) => !/(?:.List|Options)$/.test(kind));
}

/** Versions of the groups of Kubernetes' own that once had workloads in them, or that never were. */
const OWN_GROUP = /^(?:v\d\w*|(?:apps|batch|extensions)\/.*)$/;

/**
 * Returns the pod kinds of an object: its own, or those of the templates in it, of which only the probes are validated.
 */
export function podKindsOf(
  object: Pick<ManifestObject, 'apiVersion' | 'kind' | 'node'>,
): readonly PodKind[] {
  const found = classify(object);
  if (found.kind === 'pod') return [found.podKind];
  // A schema has no pods, however long it is.
  if (found.kind !== 'other' || object.kind === 'CustomResourceDefinition') return [];
  return foundPodKinds(object.apiVersion, object.kind, object.node);
}

/** The UID that every object gets, so that two runs agree. */
export const FIXED_UID = '00000000-0000-0000-0000-000000000000';

const ADMITTED = new WeakMap<PodKind, WeakMap<JsonNode, Admission>>();

/** Admits an object as a cluster does, with a service account: once, for validation and for the rules. */
export function admitInCluster(node: JsonNode, kind: PodKind): Admission {
  const admitted = ADMITTED.get(kind) ?? new WeakMap<JsonNode, Admission>();
  ADMITTED.set(kind, admitted);
  const admission =
    admitted.get(node) ?? kind.admit(node, { uid: FIXED_UID, plugins: setServiceAccount });
  admitted.set(node, admission);
  return admission;
}

/** Tells pods, what is passed over, and what no API server would know. */
export function classify({
  apiVersion,
  kind,
}: Pick<ManifestObject, 'apiVersion' | 'kind'>): Classified {
  const pod = podKind(kind);
  if (pod?.apiVersion === apiVersion) return { kind: 'pod', podKind: pod };
  if (!OWN_GROUP.test(apiVersion)) return { kind: 'other' };
  if (isServed(apiVersion, kind)) return { kind: 'other' };
  const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
  const version = pod?.apiVersion ?? POD_VERSIONS.find((one) => SERVED_KINDS[one]?.includes(kind));
  if (version !== undefined) {
    return {
      kind: 'unknown',
      field: 'apiVersion',
      message,
      hint: `write "apiVersion: ${version}"`,
    };
  }
  if (/^extensions\//.test(apiVersion)) return { kind: 'other' };
  const versions = POD_VERSIONS.includes(apiVersion) ? [apiVersion] : POD_VERSIONS;
  const near = suggest(kind, versions.flatMap(likelyKinds));
  const hint = near === undefined ? {} : { hint: `did you mean "${near}"?` };
  return { kind: 'unknown', field: 'kind', message, ...hint };
}
