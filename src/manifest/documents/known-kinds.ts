import {
  type Admission,
  foundPodKinds,
  type PodKind,
  podKind,
  setServiceAccount,
} from '../../api/index.js';
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

/** All kinds of the groups that have pods in them: one that is not here is misspelt. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'Binding',
    'ComponentStatus',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'List',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
    'Status',
  ],
  'apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'batch/v1': ['CronJob', 'Job'],
};

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
  const kinds = KINDS[apiVersion] ?? [];
  if (kinds.includes(kind.replace(/List$/, '')) || kinds.includes(kind)) return { kind: 'other' };
  const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
  const version = pod?.apiVersion ?? Object.keys(KINDS).find((one) => KINDS[one]?.includes(kind));
  if (version !== undefined) {
    return {
      kind: 'unknown',
      field: 'apiVersion',
      message,
      hint: `write "apiVersion: ${version}"`,
    };
  }
  if (/^extensions\//.test(apiVersion)) return { kind: 'other' };
  const near = suggest(kind, kinds.length > 0 ? kinds : Object.values(KINDS).flat());
  const hint = near === undefined ? {} : { hint: `did you mean "${near}"?` };
  return { kind: 'unknown', field: 'kind', message, ...hint };
}
