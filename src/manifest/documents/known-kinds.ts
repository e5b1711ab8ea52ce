import {
  type Admission,
  type ApiServer,
  foundPodKinds,
  type PodKind,
  podKind,
  setServiceAccount,
} from '../../api/admission/index.js';
import { omitUndefined, ownField } from '../../api/index.js';
import type { JsonNode } from '../../go/json-node.js';
import { goQuote } from '../../go/quote.js';
import type { FieldProblem } from '../diagnostic.js';
import { similarHint } from '../similar-name.js';
import type { ManifestObject, TypeMeta } from './manifest-object.js';

export type Classified =
  | { readonly kind: 'pod'; readonly podKind: PodKind }
  | { readonly kind: 'other' }
  | ({ readonly kind: 'unknown' } & FieldProblem);

/**
 * The kinds that the scheme of an API server of v1.36 knows, by the versions that it serves by default (`served`
 * in pkg/controlplane/instance.go), without the kinds of requests that every version has.
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

/** The kinds that every version has in addition to its own: AddToGroupVersion (apimachinery pkg/apis/meta/v1/register.go). */
const REQUEST_KINDS = words(
  'CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent',
);

export function isServed(version: string, kind: string): boolean {
  if (!Object.hasOwn(SERVED_KINDS, version)) return false;
  return REQUEST_KINDS.includes(kind) || SERVED_KINDS[version]?.includes(kind) === true;
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function withLists(text: string): readonly string[] {
  return words(text).flatMap((kind) => [kind, `${kind}List`]);
}

/** The versions in which a misspelled kind is looked for when its own version is not known. */
const POD_VERSIONS = ['v1', 'apps/v1', 'batch/v1'];

/** Returns the kinds of a version that a misspelled one may mean. */
function likelyKinds(version: string): readonly string[] {
  return (ownField(KNOWN_KINDS, version) ?? []).filter((kind) => !/(?:.List|Options)$/.test(kind));
}

/** The kinds of the servers that run in the process of the API server: every cluster has them. */
const EXTENSION_KINDS: Readonly<Record<string, readonly string[]>> = {
  'apiextensions.k8s.io/v1': withLists('CustomResourceDefinition'),
  'apiregistration.k8s.io/v1': withLists('APIService'),
};
const KNOWN_KINDS: Readonly<Record<string, readonly string[]>> = {
  ...SERVED_KINDS,
  ...EXTENSION_KINDS,
};

/** Versions that a server of v1.36 has when `--runtime-config` asks for them (pkg/controlplane/instance.go). */
const OPTIONAL_VERSIONS = words(`
  admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1
  authentication.k8s.io/v1alpha1 authentication.k8s.io/v1beta1
  certificates.k8s.io/v1alpha1 certificates.k8s.io/v1beta1
  coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1
  resource.k8s.io/v1alpha3 resource.k8s.io/v1beta1 resource.k8s.io/v1beta2
  scheduling.k8s.io/v1alpha2 storage.k8s.io/v1alpha1 storage.k8s.io/v1beta1
`);

/** Ports ParseGroupVersion and GroupVersion.String: without a group there is no slash. */
export function groupVersion(apiVersion: string): string {
  return apiVersion.replace(/^\//, '');
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

const KUBERNETES_GROUPS: ReadonlySet<string> = new Set(Object.keys(KNOWN_KINDS).map(groupOf));

/** Returns a client's answer for a kind that the server does not have in this version. */
export function noMatchMessage({ apiVersion, kind }: TypeMeta): string {
  return `no matches for kind ${goQuote(kind)} in version ${goQuote(groupVersion(apiVersion))}`;
}

/** Returns the newest version of a kind that a server has, of the same group if there is one. */
function servedVersion(apiVersion: string, kind: string): string | undefined {
  const pod = podKind(kind);
  if (pod !== undefined) return pod.apiVersion;
  const versions = Object.entries(KNOWN_KINDS).flatMap(([version, kinds]) =>
    kinds.includes(kind) ? [version] : [],
  );
  return versions.findLast((each) => groupOf(each) === groupOf(apiVersion)) ?? versions.at(-1);
}

function likelyVersions(apiVersion: string): readonly string[] {
  if (Object.hasOwn(KNOWN_KINDS, apiVersion)) return [apiVersion];
  const group = groupOf(apiVersion);
  const versions = Object.keys(KNOWN_KINDS).filter((each) => groupOf(each) === group);
  return group === '' || versions.length === 0 ? POD_VERSIONS : versions;
}

/**
 * Returns true for an object that has pods, or may be meant to have some: of a kind with pods, or in a group that has
 * such kinds.
 */
export function mayHavePods({ apiVersion, kind }: TypeMeta) {
  return podKind(kind) !== undefined || /^(?:v\d\w*|(?:apps|batch)\/.*)$/.test(apiVersion);
}

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

interface Admitted {
  readonly server: ApiServer | undefined;
  readonly admission: Admission;
}

const ADMITTED = new WeakMap<PodKind, WeakMap<JsonNode, Admitted>>();

/** Admits an object as a cluster does, with a service account: once, for validation and for the rules. */
export function admitInCluster(node: JsonNode, kind: PodKind, server?: ApiServer): Admission {
  const admitted = ADMITTED.get(kind) ?? new WeakMap<JsonNode, Admitted>();
  ADMITTED.set(kind, admitted);
  const known = admitted.get(node);
  if (known?.server === server && known !== undefined) return known.admission;
  const admission = kind.admit(node, { uid: FIXED_UID, plugins: setServiceAccount, server });
  admitted.set(node, { server, admission });
  return admission;
}

/**
 * Sorts an object: a pod, another kind, or a kind that no server has in this version. A kind of another group may
 * come with a CustomResourceDefinition, whose group always has a dot.
 */
export function classify(object: TypeMeta): Classified {
  const { kind } = object;
  const apiVersion = groupVersion(object.apiVersion);
  const pod = podKind(kind);
  if (pod?.apiVersion === apiVersion) return { kind: 'pod', podKind: pod };
  const group = groupOf(apiVersion);
  const isOwnGroup = !group.includes('.') || KUBERNETES_GROUPS.has(group);
  if (!isOwnGroup || isServed(apiVersion, kind)) return { kind: 'other' };
  if (ownField(EXTENSION_KINDS, apiVersion)?.includes(kind) === true) return { kind: 'other' };
  const message = noMatchMessage(object);
  const version = servedVersion(apiVersion, kind);
  if (version !== undefined) {
    const hint = `write "apiVersion: ${version}"`;
    return { kind: 'unknown', field: 'apiVersion', message, hint };
  }
  if (OPTIONAL_VERSIONS.includes(apiVersion)) return { kind: 'other' };
  const hint = similarHint(kind, likelyVersions(apiVersion).flatMap(likelyKinds));
  return { kind: 'unknown', field: 'kind', message, ...omitUndefined({ hint }) };
}
